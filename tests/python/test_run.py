"""python -m triton_spec run, and triton-spec run: a program as Python itself runs it, and what it
starts, with the overlay."""

import json
import os
import signal
import subprocess
import sys

import pytest

from support.live import Site, write

SHOW = """\
import json, sys
import __main__
def spec(): return __spec__ and __spec__.name
before = list(sys.path)
from triton.runtime.cache import key
print(json.dumps({"argv": sys.argv, "first": sys.path[0], "name": __name__, "file": globals().get("__file__"),
                  "main": __main__.__dict__ is globals(), "spec": spec(), "flags": list(sys.flags[:16]),
                  "package": __package__, "xoptions": sys._xoptions, "warn": sys.warnoptions, "key": key(),
                  "same": before == sys.path, "path": [p for p in sys.path if "/stages/" not in p]}))
"""


@pytest.fixture
def site(tmp_path):
    """One whole module, and programs in prog/."""
    made = Site(tmp_path, {"triton/runtime/cache.py": "def key():\n    return 'vendor'\n"})
    write(tmp_path, {"prog/show.py": SHOW, "prog/pack/__init__.py": "", "prog/pack/__main__.py": SHOW,
                     "prog/pack/mod.py": SHOW})
    return made


def run(site, *words, flags=(), options=("--backend", "acme"), **how):
    """A finished `run`."""
    return site.run(*flags, "-m", "triton_spec", "run", *options, *words, **how)


# --- as Python itself -----------------------------------------------------------------------------

@pytest.mark.parametrize("flags", [[], ["-O", "-B", "-X", "utf8", "-W", "error::ImportWarning"]],
                         ids=["plain", "flags"])
@pytest.mark.parametrize("words", [
    ["prog/show.py"], ["prog/show.py", "--root", "x", "--", "-m", "", "é"], ["prog/pack"],
    ["-m", "prog.pack", "a"], ["-m", "prog.pack.mod"], ["-c", SHOW, "--quiet", "b"],
], ids=["script", "arguments", "folder", "package", "module", "code"])
def test_as_python_has_it(site, words, flags):
    plain = json.loads(site.run(*flags, *words).stdout)
    ours = json.loads(run(site, *words, flags=flags).stdout)
    assert plain.pop("key") == "trunk cache" and ours.pop("key") == "vendor"
    assert ours == plain


def test_standard_input_is_the_program(site):
    assert run(site, "-", "a", input="import sys, triton; print(sys.argv, triton.runtime.key())").stdout \
        == "['-', 'a'] vendor\n"


@pytest.mark.parametrize("code, status", [("pass", 0), ("import sys; sys.exit(7)", 7),
                                          ("raise SystemExit('why')", 1), ("1 / 0", 1)])
def test_exit_status(site, code, status):
    assert run(site, "-c", code, check=False).returncode == status


def test_a_signal_is_the_programs(site):
    code = f"import os, signal; os.kill(os.getpid(), {int(signal.SIGTERM)})"
    assert run(site, "-c", code, check=False).returncode == -signal.SIGTERM


def test_a_traceback_begins_with_the_program(site):
    write(site.folder, {"prog/bad.py": "1 / 0\n"})
    plain, ours = site.run("prog/bad.py", check=False), run(site, "prog/bad.py", check=False)
    assert ours.stderr == plain.stderr and "ZeroDivisionError" in plain.stderr


# --- what it hands on -----------------------------------------------------------------------------

CHILDREN = """\
import json, multiprocessing, os, subprocess, sys
def key(_=None):
    from triton.runtime.cache import key
    return key()
if __name__ == "__main__":
    code = "from triton.runtime.cache import key; import triton_spec; print(key(), triton_spec.active().path)"
    child = subprocess.run([sys.executable, "-c", code], check=True, text=True, capture_output=True)
    found = {"own": key(), "child": child.stdout.split()[0]}
    for method in "spawn", "fork", "forkserver":
        with multiprocessing.get_context(method).Pool(1) as pool:
            found[method] = pool.map(key, [1])[0]
    import triton_spec
    found["same stage"] = child.stdout.split()[1] == triton_spec.active().path
    print(json.dumps(found))
"""


def test_children_have_it_too(site):
    write(site.folder, {"prog/job.py": CHILDREN})
    assert json.loads(run(site, "prog/job.py").stdout) == {
        "own": "vendor", "child": "vendor", "spawn": "vendor", "fork": "vendor", "forkserver": "vendor",
        "same stage": True}


def test_children_keep_the_stage_of_the_start(site):
    code = ("import subprocess, sys; open({file!r}, 'w').write({text!r}); subprocess.run([sys.executable, '-c', "
            "'import triton; print(triton.runtime.key())'], check=True)").format(
                file=site.vendor("triton/runtime/cache.py"), text="def key():\n    return 'edited'\n")
    assert run(site, "-c", code).stdout == "vendor\n"
    assert run(site, "-c", "import triton; print(triton.runtime.key())").stdout == "edited\n"


def test_a_child_with_another_triton_has_another_trunk(site):
    write(site.folder, {"other/triton/__init__.py": "", "other/triton/runtime/__init__.py": "where = 'other'\n",
                        "other/triton/runtime/cache.py": ""})
    code = ("import os, subprocess, sys; path = os.environ['PYTHONPATH'].replace({!r}, {!r}); subprocess.run("
            "[sys.executable, '-c', 'from triton.runtime import cache, where; print(where, cache.key())'],"
            "check=True, env={{**os.environ, 'PYTHONPATH': path}})").format(str(site.site), str(site.folder / "other"))
    assert run(site, "-c", code).stdout == "other vendor\n"


def test_without_site_the_path_is_enough(site):
    code = ("import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', "
            "'import triton; print(triton.runtime.key())'], check=True)")
    assert run(site, "-c", code).stdout == "vendor\n"


def test_a_sitecustomize_runs_still(site):
    write(site.site, {"sitecustomize.py": "import sys\nsys.customized = __file__\n"})
    code = "import sys, sitecustomize; print(sys.customized == sitecustomize.__file__, sys.customized)"
    assert run(site, "-c", code).stdout == f"True {site.site}/sitecustomize.py\n"


def test_an_error_of_a_sitecustomize_is_told(site):
    write(site.site, {"sitecustomize.py": "1 / 0\n"})
    done = run(site, "-c", "import triton; print(triton.runtime.key())")
    assert done.stdout == "vendor\n" and "ZeroDivisionError" in done.stderr


def test_roots_are_handed_on(site):
    write(site.folder, {"more/other/spec/triton/runtime/cache.py": "def key():\n    return 'other'\n"})
    code = "import os, triton; print(triton.runtime.key(), os.environ['SPEC_PATH'], os.environ['FLAGTREE_BACKEND'])"
    out = run(site, "-c", code, options=["--root", "more", "--backend=other"]).stdout
    assert out == f"other {site.folder}/more:{site.vendors} other\n"


def test_in_the_folder_of_a_source_tree(site):
    """The program's own folder comes first: what lies there is the trunk, and the overlay is over it."""
    write(site.folder, {"tree/triton/__init__.py": "", "tree/triton/runtime/__init__.py": "where = 'tree'\n",
                        "tree/triton/runtime/cache.py": "", "tree/p.py":
                        "from triton.runtime import cache, where; print(where, cache.key())\n"})
    assert run(site, "tree/p.py").stdout == "tree vendor\n"
    assert run(site, "-m", "p", cwd=site.folder / "tree").stdout == "tree vendor\n"


# --- what it says ---------------------------------------------------------------------------------

def test_one_line_is_said_once(site):
    write(site.folder, {"prog/job.py": CHILDREN})
    env = {"TRITON_SPEC_LOG": None}
    assert run(site, "prog/job.py", env=env).stderr == f"SPEC: acme: 1 override over {site.site}/triton\n"
    assert run(site, "-c", "import triton", options=["--backend", "acme", "--quiet"], env=env).stderr == ""


def test_what_is_wrong_is_told_before_the_start(site):
    site.add({"triton/knobs.py": "x = 1\n"})
    write(site.site, {"triton/knobs.py": "x = 0\n"})
    done = run(site, "-c", "print('started')", check=False)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith("error[closed]: ") and "error[refused]: " in done.stderr


@pytest.mark.parametrize("words, flags, says", [
    ([], [], "no program is named"),
    (["-m"], [], "'-m' needs a value"),
    (["-O", "x.py"], [], "python -O -m triton_spec run"),
    (["--backend", "no_such", "x.py"], [], "error[not-found]: "),
    (["--no-such-option", "x.py"], [], "no-such-option"),
    (["x.py"], ["-E"], "'triton-spec enable', which works with them"),
])
def test_mistakes(site, words, flags, says):
    flags = [*flags, "-c", "import sys; sys.path.insert(1, {!r}); from triton_spec.__main__ import main; "
             "sys.exit(main())".format(site.environment()["PYTHONPATH"].split(":")[0])]
    done = site.run(*flags, "run", *words, check=False)
    assert done.returncode == 2 and says in done.stderr and done.stdout == ""


def test_help(site):
    for words in (["--help"], ["run", "--help"], ["run", "-h"], ["enable", "--help"]):
        assert "usage: " in site.run("-m", "triton_spec", *words).stdout
    assert site.run("-m", "triton_spec", "--version").stdout == "triton-spec 0.1.0\n"


# --- triton-spec run ------------------------------------------------------------------------------

def program(triton_spec, site, *words, **env):
    """A finished run of the program of the engine."""
    return subprocess.run([triton_spec, *words], check=False, cwd=site.folder, text=True,
                          capture_output=True, env=site.environment(**env))


def test_the_program_starts_python(triton_spec, site):
    code = "import sys, triton; print(sys.argv, sys.executable, triton.runtime.key()); sys.exit(5)"
    done = program(triton_spec, site, "run", "--python", sys.executable, "--backend", "acme", "-c", code,
                   "--json", "--", "--python")
    assert (done.returncode, done.stderr) == (5, "")
    assert done.stdout == f"['-c', '--json', '--', '--python'] {sys.executable} vendor\n"


def test_which_python(triton_spec, site):
    write(site.folder, {"env/bin/python3": "#!/bin/sh\necho environment $3 $4 $5 $6\n",
                        "bin/python3": "#!/bin/sh\necho path $3 $4 $5\n"})
    for name in "env/bin/python3", "bin/python3":
        (site.folder / name).chmod(0o755)
    path = f"{site.folder}/bin:{os.environ['PATH']}"
    assert program(triton_spec, site, "enable", "--user", PATH=path).stdout == "path enable --user\n"
    assert program(triton_spec, site, "disable", PATH=path, VIRTUAL_ENV=str(site.folder / "env")).stdout \
        == "environment disable\n"
    assert program(triton_spec, site, "run", "--strict", "-m", "x", PATH=path).stdout == "path run --strict --\n"
    done = program(triton_spec, site, "run", "x", VIRTUAL_ENV="/nowhere")
    assert done.returncode == 2 and "at: /nowhere/bin/python3" in done.stderr and "--python" in done.stderr
    done = program(triton_spec, site, "run", "--python", "/nowhere/python", "x")
    assert done.returncode == 2 and "cannot run '/nowhere/python'" in done.stderr


def test_a_python_without_triton_spec(triton_spec, site):
    done = program(triton_spec, site, "run", "--python", sys.executable, "x.py", PYTHONPATH=str(site.site))
    assert done.returncode == 2
    assert done.stderr == ("error[not-found]: No module named 'triton_spec'\n"
                           f"  at: {sys.executable}\n"
                           "  mend: pip install triton-spec for this Python, or give --python\n")
