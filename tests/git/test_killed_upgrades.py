"""Upgrades killed at each moment at which they change a file: going back and going on always work."""

import itertools
import random
import shutil
import subprocess

import pytest

from support.toy import clean_environment

from .upgrading import Upgrade, numbers

RESOLVED = {"spec_cpp/lib/conflict.c": numbers(l9="int both;"), "spec_cpp/lib/clash.c": numbers(l9="int both;")}


class Killed:
    """A backend's folder in a known state, and a way to kill what is run on it."""

    def __init__(self, upgrade, killer, step):
        self.upgrade, self.killer, self.step = upgrade, killer, step
        self.kills = 0

    def save(self, name):
        """Remembers the folder as it is."""
        shutil.copytree(self.upgrade.acme, self.upgrade.engine.root / name, symlinks=True)
        return self.texts()

    def restore(self, name):
        """Brings it back."""
        shutil.rmtree(self.upgrade.acme)
        shutil.copytree(self.upgrade.engine.root / name, self.upgrade.acme, symlinks=True)

    def texts(self):
        """What is there, but for what was being written."""
        return {path: text for path, text in self.upgrade.texts().items() if not path.endswith(".tmp")
                and ".tmp/" not in path}

    @property
    def unfinished(self):
        """Whether there is a journal."""
        return (self.upgrade.acme / ".spec-upgrade").exists()

    def each_moment(self, saved, *words):
        """Runs `upgrade` with the words from a saved state, killed at each moment in turn; yields
        after each."""
        command = self.upgrade.engine.command("upgrade", *words)
        for moment in itertools.count(1, self.step):
            self.restore(saved)
            done = subprocess.run(command, check=False, capture_output=True,
                                  env=clean_environment(LD_PRELOAD=str(self.killer), KILL_AT=str(moment)))
            if done.returncode != -9:
                assert done.returncode in (0, 1), done.stderr
                assert self.kills > 20 // self.step
                return
            self.kills += 1
            yield moment

    def finish(self, *words, before, after):
        """Goes on after a kill: the folder has to come to `after`."""
        if self.unfinished:
            self.upgrade.run("--continue", status=None)
        elif self.texts() == before:
            self.upgrade.run(*words, status=None)
        assert self.texts() == after


@pytest.fixture(params=[7, pytest.param(1, marks=pytest.mark.slow)], ids=["some", "all"])
def killed(trunk, killer, request):
    """A backend that cannot be upgraded without its owner, and which moments are tried."""
    return Killed(Upgrade(trunk, broken=True), killer, request.param)


def test_while_it_writes(killed):
    upgrade = killed.upgrade
    words = ("--to", upgrade.next, "--keep-going")
    before = killed.save("before")
    upgrade.run(*words, status=1)
    after = killed.save("after")
    for moment in killed.each_moment("before", *words):
        if killed.unfinished and moment % 2:
            upgrade.run("--abort")
            assert killed.texts() == before
        else:
            killed.finish(*words, before=before, after=after)


def test_while_it_goes_on(killed):
    upgrade = killed.upgrade
    before = killed.save("before")
    upgrade.run("--to", upgrade.next, "--keep-going", status=1)
    for path, text in RESOLVED.items():
        (upgrade.acme / path).write_text(text)
    killed.save("resolved")
    upgrade.run("--continue")
    after = killed.save("after")
    for moment in killed.each_moment("resolved", "--continue"):
        if killed.unfinished and moment % 2:
            upgrade.run("--abort")
            texts = killed.texts()
            aside = {path: texts.pop(path) for path in list(texts) if path.startswith(".spec-upgrade-edited/")}
            assert texts == before
            assert RESOLVED["spec_cpp/lib/conflict.c"].encode() in aside.values()
        else:
            killed.finish("--continue", before=None, after=after)


def test_while_it_goes_back(killed):
    upgrade = killed.upgrade
    before = killed.save("before")
    upgrade.run("--to", upgrade.next, "--keep-going", status=1)
    killed.save("written")
    for _ in killed.each_moment("written", "--abort"):
        if killed.unfinished:
            upgrade.run("--abort")
        assert killed.texts() == before


def test_nothing_of_it_is_left(killed):
    """A run that was killed leaves temporary files; the next one that ends removes them."""
    upgrade = killed.upgrade
    killed.save("before")
    for _ in killed.each_moment("before", "--to", upgrade.next, "--keep-going"):
        if not killed.unfinished:
            upgrade.run("--to", upgrade.next, "--keep-going", status=1)
        upgrade.run("--abort")
        assert not [path for path in upgrade.texts() if ".tmp" in path]


@pytest.mark.slow
def test_at_random_moments(trunk, killer):
    """The same by the clock, 200 times."""
    killed = Killed(Upgrade(trunk, broken=True), killer, 1)
    upgrade = killed.upgrade
    rng = random.Random(6)
    words = ("--to", upgrade.next, "--keep-going")
    before = killed.save("before")
    upgrade.run(*words, status=1)
    after = killed.save("after")
    for turn in range(200):
        killed.restore("before")
        with subprocess.Popen(upgrade.engine.command("upgrade", *words), stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, env=clean_environment()) as process:
            try:
                process.wait(rng.uniform(0.005, 0.1))
            except subprocess.TimeoutExpired:
                process.kill()
        if killed.unfinished and turn % 2:
            upgrade.run("--abort")
            assert killed.texts() == before
        else:
            killed.finish(*words, before=before, after=after)
