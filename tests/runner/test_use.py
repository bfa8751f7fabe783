"""The decorator, measuring, comparing, the page, the command line and the examples."""

import contextlib
import html.parser
import io
import re
import shutil
import subprocess
import sys

import pytest
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget

from support.packages import PACKAGES, ROOT
from triton_spec.runner import (CompileFailed, MissingMetadata, RunnerError, SignatureMismatch, UnknownPass, bench, diff, jit,
                                load, page, save)
from triton_spec.runner import cli
from triton_spec.runner.compare import compare_texts, stripped

import runner_kernels as kernels
import toy_backend
from test_launch import Memory

TARGET = GPUTarget("cuda", 90, 32)


@jit
def note(out, n, BLOCK: tl.constexpr):
    tl.store(out, n + BLOCK)


@pytest.fixture(scope="module")
def saved(kept, toy_registered):
    """The folder of kernels: add for CUDA, note for the tests' own backend; and its cache in use."""
    save(kernels.compiled("add", TARGET), kept / "add")
    source = kernels.source_of(note.jitted, "*i64 i32", {"BLOCK": 64}, aligned=1)
    save(triton.compile(source, target=toy_backend.TARGET), kept / "note")
    return kept


@pytest.mark.parametrize("how", ["ttir", "so", "ttir_dir", "ttir_src"])
def test_decorator(saved, how):
    """A level's file, folder or text at a launch; constants are compared where a sidecar tells them."""
    folder = saved / "note"
    given = {"ttir": folder / "note.ttir", "so": folder / "note.so", "ttir_dir": folder,
             "ttir_src": (folder / "note.ttir").read_text()}[how]
    out = Memory()
    more = {} if how in ("ttir", "so", "ttir_dir") else {"num_warps": 1}
    kernel = note[lambda meta: (meta["BLOCK"] // 64,)](out, 7, BLOCK=64, target=toy_backend.TARGET, **{how: given}, **more)
    assert out.values[4] == 7 and kernel.name == "note"
    if how != "ttir_src":
        with pytest.raises(SignatureMismatch, match="compiled for 64, not 128"):
            note[1](out, 7, BLOCK=128, target=toy_backend.TARGET, **{how: given})
    again = note[1](out, 8, 64, target=toy_backend.TARGET, **{how: given}, **more)
    assert out.values[4] == 8 and again is kernel
    other = note[1](out, 8, 64, target=toy_backend.TARGET, **{how: given}, num_stages=2)
    assert other.meta.options["num_stages"] == 2 and other is not kernel


def test_decorator_takes_an_edit(saved, tmp_path):
    """A file that was written again is loaded again; the rest is refused by name."""
    text = (saved / "note/note.ttir").read_text()
    (tmp_path / "note.ttir").write_text(text)
    (tmp_path / "note.run.json").write_text((saved / "note/note.run.json").read_text())
    out = Memory()
    first = note[1](out, 7, BLOCK=64, target=toy_backend.TARGET, ttir=tmp_path / "note.ttir")
    (tmp_path / "note.ttir").write_text(text + "\n// edited\n")
    assert note[1](out, 7, BLOCK=64, target=toy_backend.TARGET, ttir=tmp_path / "note.ttir") is not first
    with pytest.raises(RunnerError, match="are both given"):
        note[1](out, 7, BLOCK=64, ttir="a", ttgir="b")
    with pytest.raises(MissingMetadata, match="ptx needs metadata"):
        note[1](out, 7, BLOCK=64, ptx="none.ptx", target=TARGET)
    with pytest.raises(SignatureMismatch, match="without 'n'"):
        note[1](out, BLOCK=64, target=toy_backend.TARGET, ttir=tmp_path / "note.ttir")


def test_decorator_between_passes(saved):
    """The module stands behind the pass that is named; the first is left out then."""
    out, given = Memory(), {"target": toy_backend.TARGET, "ttir": saved / "note/note.ttir"}
    kernel = note[1](out, 7, BLOCK=64, start_after="ttir:inline", **given)
    assert out.values[4] == 7 and kernel.compiled.src.control.start == ("ttir", 1)
    assert note[1](out, 7, BLOCK=64, **given).compiled.src.control.start is None
    with pytest.raises(UnknownPass):
        note[1](out, 7, BLOCK=64, start_after="no-such-pass", **given)


def test_bench(saved):
    """What was measured is said; a mode that cannot be is refused. No figure is asserted."""
    kernel = load(saved / "note/note.so")
    for mode in ("wall", "host"):
        found = bench(kernel, 2, (Memory(), 7), mode=mode, batches=4, launches=3)
        assert (found.mode, found.flush, found.batches, found.launches) == (mode, False, 4, 3)
        assert found.spread[2] <= found.spread[0] <= found.median <= found.spread[1] <= found.spread[3]
        assert f"{mode}, L2 warm, 4 batches of 3, toy:1" in str(found)
    with pytest.raises(RunnerError, match="needs a GPU"):
        bench(kernel, 2, (Memory(), 7), mode="graph")
    with pytest.raises(RunnerError, match="no mode"):
        bench(kernel, 2, (Memory(), 7), mode="fast")
    with pytest.raises(RunnerError, match="cannot leave out"):
        bench(kernel, 2, (Memory(), 7), mode="wall", flush=True)


def test_cost_of_packing():
    """The program measures all kinds; what it finds is of the machine, and no figure is asserted."""
    done = subprocess.run([sys.executable, ROOT / "tools/launch-bench", "--rounds", "3", "--calls", "5", "--package", PACKAGES],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    head, _rule, *rows = [line.strip("|").split("|") for line in done.stdout.splitlines()]
    assert len(head) == 6 and len(rows) == 5 and rows[0][0].strip() == "no arguments"
    found = re.findall(r"(\d+) / (\d+) / (\d+)", done.stdout)
    assert len(found) == 25 and all(0 < int(least) <= int(median) <= int(most) for least, median, most in found)


def test_diff(saved, tmp_path):
    """Counts of operations, resources and lines; locations and names of values are no difference."""
    for path in (saved / "add").iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    plain = load(tmp_path / "add.ttir")
    text = (tmp_path / "add.ttir").read_text()
    (tmp_path / "add.ttir").write_text(text.replace("arith.addf", "arith.mulf"))
    other = load(tmp_path / "add.ttir")
    assert not diff(plain, plain) and str(diff(plain, plain)) == "no difference at ttgir"
    assert diff(plain, other).operations == {"arith.addf": (1, 0), "arith.mulf": (0, 1)}
    counts = diff(plain, other, "ptx").operations
    assert set(counts) == {"add", "mul"} and counts["add"][0] - counts["add"][1] == counts["mul"][1] - counts["mul"][0] == 8
    assert {"FADD", "FMUL"} <= set(diff(plain, other, "sass").operations)
    with pytest.raises(RunnerError, match="no ttir"):
        diff(load(tmp_path / "add.ptx"), plain, "ttir")
    assert stripped('%a = x.y %b : i32 loc("f"(#loc1))\n#loc1 = loc("f")') == "%0 = x.y %1 : i32"
    assert not compare_texts("%x = a.b loc(#loc1)", "%y = a.b loc(#loc2)", "ttir")


class Page(html.parser.HTMLParser):
    """Counts steps; notes what would be loaded from elsewhere, and tags that do not match."""

    def __init__(self):
        super().__init__()
        self.steps, self.elsewhere, self.open, self.wrong = 0, [], [], []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.steps += "step" in given.get("class", "").split()
        self.elsewhere += [value for key, value in attributes if key in ("src", "href")]
        if tag not in ("meta", "input", "tr", "td", "p"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in ("tr", "td", "p") and (not self.open or self.open.pop() != tag):
            self.wrong.append(tag)


def test_page(saved, tmp_path):
    """Every pass is in it, changed or not; the file needs no other, and no browser is needed to see that."""
    path = page(saved / "add/add.ttir", tmp_path / "life.html")
    found = Page()
    found.feed(path.read_text())
    assert found.steps >= 60 and found.elsewhere == [] and found.wrong == [] and found.open == []
    text = path.read_text()
    assert "tritongpu-coalesce" in text and re.search(r'class="step same"', text) and "&lt;" in text
    assert page(saved / "add/add.ttir", tmp_path / "again.html").read_text() == text


# Behind the page's own script: uses the page, and leaves in its title what is seen.
WATCH = """<script>
const errors = [], box = document.getElementById("only"), steps = [...document.querySelectorAll(".step")];
window.onerror = message => errors.push(message);
const shown = () => steps.filter(step => step.getClientRects().length).length;
const all = shown();
box.click();
const changed = shown();
box.click();
steps[1].querySelector("summary").click();
document.title = [all, changed, shown(), steps[1].open, errors.length, performance.getEntriesByType("resource").length].join(" ");
</script>"""


@pytest.mark.slow
def test_page_in_a_browser(saved, tmp_path):
    """The box hides the passes that changed nothing, and shows them again; a step opens; nothing else is loaded."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        pytest.skip("no chromium, chromium-browser or google-chrome: apt-get install chromium")
    path = page(saved / "add/add.ttir", tmp_path / "life.html")
    text = path.read_text()
    path.write_text(text.replace("</body>", WATCH + "</body>"))
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}",
                           "--dump-dom", path.as_uri()], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    steps, same = text.count('<details class="step'), text.count('<details class="step same"')
    assert 0 < same < steps
    assert re.search("<title>(.*)</title>", done.stdout)[1] == f"{steps} {steps - same} {steps} true 0 0"


def command(*words):
    """(exit status, what it printed) of the command line, in this process."""
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        try:
            status = cli.main([str(word) for word in words])
        except SystemExit as end:
            status = end.code
    return status, out.getvalue() + errors.getvalue()


def test_commands(saved, tmp_path):
    """Each command, and its exit status."""
    add = saved / "add/add.ttir"
    status, text = command("info", saved / "add/add.cubin")
    assert status == 0 and "add for cuda:90" in text and "n: i32, divisible by 16" in text and "registers" in text
    status, text = command("compile", add, "--to", "ptx", "--out", tmp_path / "all")
    assert status == 0 and ".visible .entry add(" in text and (tmp_path / "all/add.cubin").exists()
    assert command("compile", add, "--stop", "tritongpu-coalesce")[1].startswith("#blocked")
    assert command("plan", "cuda:90")[1].splitlines()[0].startswith("ttir:0 ")
    assert len(command("snapshot", add, "--out", tmp_path / "life")[1].splitlines()) > 60
    assert command("diff", add, add)[0] == 0 and command("diff", add, saved / "add/add.ttgir", "--at", "sass")[0] == 0
    assert command("page", add, "--out", tmp_path / "p.html")[0] == 0
    status, text = command("run", saved / "note/note.so", "--grid", 2, "--arg", "i64[64]=zeros:out", "--arg", "i32=7")
    assert status == 0 and text.startswith("argument 0: [2, 1, 1, ")


def test_resume_and_bisect(saved, tmp_path):
    """From behind a pass to a level; the pass that makes a kernel bad, by a function of a file."""
    add = saved / "add/add.ttir"
    (tmp_path / "add.mlir").write_text(command("compile", add, "--stop", "tritongpu-coalesce")[1])
    words = ("resume", tmp_path / "add.mlir", "--after", "ttgir:tritongpu-coalesce", "--to", "ptx")
    assert command(*words)[0] == 2  # for which target?
    assert command(*words, "--target", "cuda:90") == (0, load(add).asm["ptx"])
    status, text = command("resume", tmp_path / "add.mlir", "--after", "ttgir:none", "--target", "cuda:90")
    assert status == 2 and "none" in text
    (tmp_path / "says.py").write_text("def always(kernel):\n    return True\n\ndef layout(kernel):\n"
                                      "    return 'sizePerThread = [4]' not in kernel.asm['ttgir']\n")
    bisect = ("bisect", add, "--stage", "ttgir", "--good")
    assert command(*bisect, f"{tmp_path}/says.py:always") == (0, "good as it is\n")
    status, text = command(*bisect, f"{tmp_path}/says.py:layout")
    assert status == 1 and text.startswith("bad from ttgir:") and text.endswith(" tritongpu-coalesce on\n")
    for given, message in (("none.py:f", "names no file"), (f"{tmp_path}/says.py:none", "defines no 'none'")):
        status, text = command(*bisect, given)
        assert status == 2 and message in text


def test_wrong_results_and_input(saved, tmp_path):
    """1 for a wrong result, 2 for bad input, 3 for what the compiler refuses."""
    (tmp_path / "ref.py").write_text("def unchanged(out, n):\n    return out\n")
    run = ("run", saved / "note/note.so", "--arg", "i64[64]=zeros:out", "--arg", "i32=7")
    assert command(*run, "--check", f"{tmp_path}/ref.py:unchanged") == (1, "wrong: argument 0\n")
    for bad, message in (("i64[64]=noise", "fills no array"), ("i64", "is no argument"), ("i32=x", "is no i32"),
                         ("fp16[4]=zeros", "no arrays of fp16 on the host"), ("fp32[64]=zeros", "elements are fp32")):
        status, text = command("run", saved / "note/note.so", "--arg", bad, "--arg", "i32=7")
        assert status == 2 and message in text
    assert command("info", tmp_path / "no.ptx")[0] == 2 and command("plan", "cuda")[0] == 2
    assert command("info", tmp_path / "no.ptx", "--wrong")[0] == 2
    text = (saved / "add/add.ptx").read_text()
    (tmp_path / "add.ptx").write_text(text.replace("ret;", "rot;"))
    (tmp_path / "add.run.json").write_text((saved / "add/add.run.json").read_text())
    assert command("info", tmp_path / "add.ptx")[0] == 3
    with pytest.raises(CompileFailed):
        load(tmp_path / "add.ptx")


def test_the_program(saved, triton_spec, environment):
    """triton-spec kernel, and triton-spec run of a kernel's file."""
    words = [triton_spec, "kernel", "--python", sys.executable, "info", saved / "add/add.cubin"]
    done = subprocess.run(words, env=environment(saved), capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "add for cuda:90" in done.stdout, done.stderr
    words = [triton_spec, "run", "--python", sys.executable, saved / "add/none.ptx", "--grid", "4"]
    done = subprocess.run(words, env=environment(saved), capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "there is no such file" in done.stderr


@pytest.mark.parametrize("name, last", [
    ("levels", "edited: it multiplies"), pytest.param("passes", "page: written", marks=pytest.mark.slow)])
def test_examples(saved, environment, name, last):
    """Those that need no GPU."""
    done = subprocess.run([sys.executable, ROOT / f"examples/runner/{name}.py"], env=environment(saved), capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == last and "another binary" not in done.stdout and "False" not in done.stdout
