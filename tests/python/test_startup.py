"""enable and disable: a .pth file, inert unless FLAGTREE_BACKEND is set, that no overlay can make
harmful to the start of an interpreter."""

import os
import pathlib
import subprocess
import sys
import venv

import pytest

from support.live import Site
from support.packages import PACKAGES

PTH = "triton-spec.pth"
KEY = "from triton.runtime.cache import key; print(key())"


class Environment(Site):
    """A virtual environment that has triton_spec and the toy trunk, without PYTHONPATH."""

    def __init__(self, folder, base):
        super().__init__(folder, {"triton/runtime/cache.py": "def key():\n    return 'vendor'\n"})
        self.interpreter = base / "bin/python"
        self.packages = next(base.glob("lib/python*/site-packages"))
        (self.packages / "our.pth").write_text(f"{PACKAGES}\n{self.site}\n")
        self.pth = self.packages / PTH

    def run(self, *words, env=None, **how):
        return super().run(*words, env={"PYTHONPATH": None, **(env or {})}, **how)

    def key(self, *flags, backend="acme", **env):
        """Which trunk an interpreter with FLAGTREE_BACKEND imports."""
        return self.run(*flags, "-c", KEY, env={"FLAGTREE_BACKEND": backend, **env}).stdout.strip()


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """A bare virtual environment."""
    folder = tmp_path_factory.mktemp("venv") / "venv"
    venv.create(folder, symlinks=True, with_pip=False)
    return folder


@pytest.fixture
def environment(base, tmp_path):
    """That environment with this test's trunk; nothing is enabled."""
    made = Environment(tmp_path, base)
    yield made
    for path in made.packages.iterdir():
        path.unlink() if path.is_file() else subprocess.run(["rm", "-r", path], check=True)


@pytest.fixture
def enabled(environment):
    """The same, enabled."""
    environment.run("-m", "triton_spec", "enable")
    return environment


def test_enable_and_disable(environment):
    before = sorted(environment.packages.iterdir())
    assert environment.key() == "trunk cache"
    said = environment.run("-m", "triton_spec", "enable").stdout
    assert said == f"enabled: {environment.pth}\n"
    text = environment.pth.read_bytes()
    assert text.count(b"\n") == 1 and text.isascii()
    assert environment.key() == "vendor" and environment.key(backend="") == "trunk cache"
    said = environment.run("-m", "triton_spec", "enable").stdout
    assert said == f"enabled already: {environment.pth}\n" and environment.pth.read_bytes() == text
    assert environment.run("-m", "triton_spec", "disable").stdout == f"disabled: {environment.pth}\n"
    assert sorted(environment.packages.iterdir()) == before and environment.key() == "trunk cache"
    assert environment.run("-m", "triton_spec", "disable").stdout == f"not enabled: {environment.pth}\n"


@pytest.mark.parametrize("flags", ["-I", "-E", "-OB", "-P"])
def test_flags_of_the_interpreter(enabled, flags):
    if flags == "-P" and sys.version_info < (3, 11):
        pytest.skip("this Python has no -P")
    assert enabled.key(flags) == "vendor"


def test_without_site_there_is_nothing(enabled):
    done = enabled.run("-S", "-c", "import sys; print(len(sys.meta_path))", env={"FLAGTREE_BACKEND": "acme"})
    assert done.stdout == "3\n"


def test_nothing_is_imported_before_triton(enabled):
    code = "import sys; print([m for m in sys.modules if m.split('.')[0] in ('triton', 'triton_spec', 'json')])"
    assert enabled.run("-c", code, env={"FLAGTREE_BACKEND": "acme"}).stdout == "[]\n"
    code = "import sys; print([type(f).__name__ for f in sys.meta_path if hasattr(f, 'is_triton_spec')])"
    assert enabled.run("-c", code).stdout == "[]\n"


def test_the_finder_goes_when_it_is_done(enabled):
    out = enabled.run("-c", """if True:
        import importlib.util, sys
        first = sys.path[0]
        spec = importlib.util.find_spec("triton")
        import triton, triton_spec
        print(spec.origin == triton.__file__, triton_spec.active().backend, sys.path[0] == first,
              [f for f in sys.meta_path if hasattr(f, "is_triton_spec_startup")])
        """, env={"FLAGTREE_BACKEND": "acme"}).stdout
    assert out == "True acme True []\n"


def test_a_call_says_more_than_the_environment(enabled):
    enabled.add({"triton/runtime/cache.py": "def key():\n    return 'other'\n"}, "other")
    code = f"import triton_spec; triton_spec.activate('other'); {KEY}"
    assert enabled.run("-c", code, env={"FLAGTREE_BACKEND": "acme"}).stdout == "other\n"


def test_children_have_it_too(enabled):
    (enabled.folder / "job.py").write_text(f"""if True:
        import multiprocessing, subprocess, sys
        def key():
            from triton.runtime.cache import key
            return key()
        if __name__ == "__main__":
            found = [key(), subprocess.run([sys.executable, "-c", {KEY!r}], check=True, text=True,
                                           capture_output=True).stdout.strip()]
            for method in "spawn", "fork", "forkserver":
                with multiprocessing.get_context(method).Pool(1) as pool:
                    found.append(pool.apply(key))
            print(found)
        """)
    assert enabled.run("job.py", env={"FLAGTREE_BACKEND": "acme"}).stdout == f"{['vendor'] * 5}\n"


# --- what is wrong shows at import, and nowhere else ----------------------------------------------

def test_a_refused_overlay_is_an_error_of_the_import(enabled):
    enabled.add({"triton/knobs.py": "x = 1\n"})
    (enabled.site / "triton/knobs.py").write_text("x = 0\n")
    env = {"FLAGTREE_BACKEND": "acme"}
    done = enabled.run("-c", "print('started')", env=env)
    assert (done.stdout, done.stderr) == ("started\n", "")
    done = enabled.run("-c", """if True:
        for again in range(3):
            try: import triton
            except ImportError: print("swallowed by who asks whether it is installed")
            except Exception as error: print(type(error).__name__)
        """, env=env)
    assert done.stdout == "SpecRefused\n" * 3


@pytest.mark.parametrize("raised", ["SystemExit(3)", "KeyboardInterrupt()", "OSError('no')"])
def test_what_an_overlay_raises_is_raised_by_the_import(enabled, raised):
    enabled.add({"triton/runtime/cache.py": f"raise {raised}\n"})
    env = {"FLAGTREE_BACKEND": "acme"}
    assert enabled.run("-c", "print('started')", env=env).stdout == "started\n"
    code = f"try: import triton\nexcept BaseException as error: print(repr(error) == {raised!r})"
    assert enabled.run("-c", code, env=env).stdout == "True\n"


@pytest.mark.parametrize("backend", ["no_such", "../acme", "\udcff'", "x" * 5000])
def test_a_backend_that_is_none(enabled, backend):
    env = {"FLAGTREE_BACKEND": backend}
    done = enabled.run("-c", "print('started')", env=env)
    assert (done.stdout, done.stderr) == ("started\n", "")
    code = "try: import triton\nexcept Exception as error: print(type(error).__mro__[1].__name__)"
    assert enabled.run("-c", code, env=env).stdout == "SpecError\n"


def test_without_triton_spec_there_is_a_warning(enabled):
    (enabled.packages / "our.pth").write_text(f"{enabled.site}\n")
    env = {"FLAGTREE_BACKEND": "acme"}
    done = enabled.run("-c", "print('started')", env=env)
    assert (done.stdout, done.stderr) == ("started\n", "")
    done = enabled.run("-c", KEY, env=env)
    assert done.stdout == "trunk cache\n"
    assert "RuntimeWarning: FLAGTREE_BACKEND is set, but triton_spec is not installed" in done.stderr
    assert "delete triton-spec.pth from site-packages" in done.stderr


def test_what_triton_spec_itself_lacks_is_told(enabled):
    (enabled.packages / "our.pth").write_text(f"{enabled.site}\n")
    (enabled.packages / "triton_spec").mkdir()
    (enabled.packages / "triton_spec/__init__.py").write_text("import no_such_module\n")
    done = enabled.run("-c", KEY, env={"FLAGTREE_BACKEND": "acme"}, check=False)
    assert done.returncode == 1 and "No module named 'no_such_module'" in done.stderr


def test_the_line_harms_no_start(enabled):
    """Whatever the process looks like: the line's own errors end in it."""
    line = enabled.pth.read_text()
    for ruin in ("sys.meta_path = None", "sys.meta_path = ()"):
        code = f"import os, sys; os.environ['FLAGTREE_BACKEND'] = 'acme'\n{ruin}\nexec({line!r})\nprint('on')"
        assert enabled.run("-c", code).stdout == "on\n"


# --- where it cannot be enabled -------------------------------------------------------------------

def test_a_package_that_only_pythonpath_finds(environment):
    (environment.packages / "our.pth").write_text(f"{environment.site}\n")
    done = environment.run("-m", "triton_spec", "enable", env={"PYTHONPATH": str(PACKAGES)}, check=False)
    assert done.returncode == 2 and not environment.pth.exists()
    assert "error[invalid]: " in done.stderr and "cannot import triton_spec" in done.stderr
    assert "mend: install it there: pip install triton-spec" in done.stderr


def test_a_site_packages_that_cannot_be_written(environment):
    """A folder in the file's place: for root, no mode bits make a folder read-only."""
    environment.pth.mkdir()
    done = environment.run("-m", "triton_spec", "enable", check=False)
    assert done.returncode == 2 and "error[io]: cannot change '" in done.stderr
    assert f"at: {environment.pth}" in done.stderr and "mend: " in done.stderr
    assert sorted(path.name for path in environment.packages.iterdir()) == ["our.pth", PTH]
    environment.pth.rmdir()


def test_the_users_site_packages_are_not_for_environments(environment):
    done = environment.run("-m", "triton_spec", "enable", "--user", check=False)
    assert done.returncode == 2 and "leave --user out" in done.stderr


def test_the_users_site_packages(tmp_path):
    site = Site(tmp_path, {"triton/runtime/cache.py": "def key():\n    return 'vendor'\n"})
    home = tmp_path / "home"
    version = ".".join(map(str, sys.version_info[:2]))
    site.interpreter = pathlib.Path(sys.base_prefix) / "bin" / f"python{version}"
    env = {"PYTHONUSERBASE": str(home), "PYTHONPATH": None, "FLAGTREE_BACKEND": "acme"}

    def run(*words):
        return site.run(*words, env=env).stdout
    user = home / "lib" / f"python{version}" / "site-packages"
    user.mkdir(parents=True)
    (user / "our.pth").write_text(f"{PACKAGES}\n{site.site}\n")
    assert run("-m", "triton_spec", "enable", "--user") == f"enabled: {user / PTH}\n"
    assert run("-c", KEY) == "vendor\n"
    assert run("-m", "triton_spec", "disable", "--user") == f"disabled: {user / PTH}\n"
    assert os.listdir(user) == ["our.pth"]


# --- pip ------------------------------------------------------------------------------------------

def installed(environment):
    """The environment with triton_spec as an installer leaves it: links, metadata, RECORD."""
    (environment.packages / "our.pth").write_text(f"{environment.site}\n")
    info = environment.packages / "triton_spec-0.1.0.dist-info"
    info.mkdir()
    (environment.packages / "triton_spec").symlink_to(PACKAGES / "triton_spec")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: triton-spec\nVersion: 0.1.0\n")
    (info / "INSTALLER").write_text("pip\n")
    (info / "RECORD").write_text("triton_spec-0.1.0.dist-info/METADATA,,\n"
                                 "triton_spec-0.1.0.dist-info/INSTALLER,,\n"
                                 "triton_spec-0.1.0.dist-info/RECORD,,\ntriton_spec,,\n")
    return info / "RECORD"


def test_the_file_is_on_the_list_of_what_to_uninstall(environment):
    record = installed(environment)
    before = record.read_text()
    environment.run("-m", "triton_spec", "enable")
    environment.run("-m", "triton_spec", "enable")
    assert record.read_text() == before + f"{PTH},,\n"
    environment.run("-m", "triton_spec", "disable")
    assert record.read_text() == before
    assert sorted(path.name for path in record.parent.iterdir()) == ["INSTALLER", "METADATA", "RECORD"]


def test_pip_uninstall_leaves_nothing(environment):
    installed(environment)
    environment.run("-m", "triton_spec", "enable")
    subprocess.run([sys.executable, "-m", "pip", "--python", environment.interpreter, "uninstall", "-y",
                    "--disable-pip-version-check", "triton-spec"], check=True, capture_output=True,
                   env=environment.environment(PYTHONPATH=None))
    assert os.listdir(environment.packages) == ["our.pth"]
    assert environment.key() == "trunk cache"
