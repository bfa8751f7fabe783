"""Repositories for tests, made by git itself; the product never runs it."""

import os
import subprocess

from support.toy import clean_environment

# Nobody's settings, and the same ids everywhere.
IDENTITY = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
            "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org",
            "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
            "GIT_AUTHOR_DATE": "1700000000 +0100", "GIT_COMMITTER_DATE": "1700000000 +0100"}


class Repository:
    """A git work tree, or a bare repository."""

    def __init__(self, path, *how):
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", *how)

    def git(self, *words, stdin=None, **more):
        """Runs git with these variables set too; its output without the last line end."""
        done = subprocess.run(["git", *map(str, words)], cwd=self.path, check=False,
                              capture_output=True, text=True, input=stdin,
                              env=clean_environment(**{**IDENTITY, **more}))
        assert done.returncode == 0, f"git {words}\n{done.stdout}{done.stderr}"
        return done.stdout.rstrip("\n")

    def commit(self, subject, files=None):
        """Writes files (None: removed) and commits all there is; the commit's id."""
        for name, text in (files or {}).items():
            path = self.path / name
            if text is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", subject)
        return self.git("rev-parse", "HEAD")

    def blob(self, path, rev="HEAD"):
        """The id of a file in a revision."""
        return self.git("rev-parse", f"{rev}:{path}")
