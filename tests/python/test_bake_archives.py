"""Wheels as other tools write them: what an archive may be, goes through `triton-spec bake` untouched."""

import io
import struct
import subprocess
import zipfile

import pytest

from support.toy import clean_environment, write_tree
from support.wheels import checked, member, packed, toy_wheel, write_archive

FILES = {"triton/__init__.py": "one = 1\n", "triton/language/a.py": "a = 1\n" * 100,
         "triton/bin/tool": b"\0\xff" * 1000, "triton/empty": ""}
CHANGED = {"triton/language/a.py", "triton-3.9.0.dist-info/METADATA", "triton-3.9.0.dist-info/RECORD"}


def run_bake(program, folder, wheel):
    """Bakes an overlay of one module into a wheel; the finished process."""
    write_tree(folder, {"vendors/acme/spec/triton/language/a.py": "vendor = 1\n"})
    return subprocess.run([program, "bake", "--wheel", wheel, "--backend", "acme", "--root",
                           folder / "vendors", "--out", folder / "out"], capture_output=True,
                          text=True, check=False, env=clean_environment())


@pytest.fixture
def bake(triton_spec, tmp_path):
    """Bakes a wheel; the new one's path, once it is known that all that had to stay did."""
    def bake_wheel(wheel):
        done = run_bake(triton_spec, tmp_path, wheel)
        assert done.returncode == 0, done.stderr
        made, = (tmp_path / "out").iterdir()
        assert checked(made)["triton/language/a.py"] == b"vendor = 1\n"
        old, new = packed(wheel), packed(made)
        for name in old.keys() - CHANGED:
            (was, was_bytes), (now, bytes_now) = old[name], new[name.replace("3.9.0", "3.9.0+acme")]
            assert bytes_now == was_bytes, name
            assert (now.date_time, now.external_attr, now.comment, now.compress_type) == (
                was.date_time, was.external_attr, was.comment, was.compress_type), name
        return made
    return bake_wheel


# --- what an archive may be ------------------------------------------------------------------------

@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_methods(bake, tmp_path, method):
    bake(toy_wheel(tmp_path, FILES, method=method))


def test_sizes_that_zip64_tells(bake, tmp_path):
    def archive(path, members):
        with zipfile.ZipFile(path, "w") as out:
            for info, data in members:
                with out.open(info, "w", force_zip64=True) as file:
                    file.write(data)
    made = bake(toy_wheel(tmp_path, FILES, archive=archive))
    assert packed(made)["triton/bin/tool"][0].extra == b""  # it needs none


class Pipe(io.RawIOBase):
    """A file that cannot go back: sizes and checksums stand behind the members."""

    def __init__(self, file):
        super().__init__()
        self.file = file

    def writable(self):
        return True

    def write(self, data):
        return self.file.write(data)


def test_members_that_were_streamed(bake, tmp_path):
    def archive(path, members):
        with path.open("wb") as file:
            write_archive(Pipe(file), members)
    wheel = toy_wheel(tmp_path, FILES, archive=archive)
    assert packed(wheel)["triton/bin/tool"][0].flag_bits & 8
    made = bake(wheel)
    assert not packed(made)["triton/bin/tool"][0].flag_bits & 8


def test_extra_fields_and_comments(bake, tmp_path):
    date = struct.pack("<HHBl", 0x5455, 5, 1, 1700000000)  # when it was modified, as others say it

    def archive(path, members):
        for info, _ in members:
            info.extra, info.comment = date, b"a comment"
        write_archive(path, members)
        with zipfile.ZipFile(path, "a") as out:
            out.comment = b"of the archive"
    made = bake(toy_wheel(tmp_path, FILES, archive=archive))
    assert packed(made)["triton/bin/tool"][0].extra == date
    with made.open("rb") as file:  # in the local header too
        file.seek(packed(made)["triton/bin/tool"][0].header_offset)
        assert date in file.read(30 + len("triton/bin/tool") + len(date))


def test_names_that_are_not_ascii(bake, tmp_path):
    made = bake(toy_wheel(tmp_path, {**FILES, "triton/bin/é漢": "x"}))
    assert packed(made)["triton/bin/é漢"][0].flag_bits & 0x800


def test_names_that_a_record_has_to_quote(bake, tmp_path):
    made = bake(toy_wheel(tmp_path, {**FILES, 'triton/bin/a,"b" c': "x"}))
    assert 'triton/bin/a,"b" c' in packed(made)


def test_other_systems_and_dates(bake, tmp_path):
    def archive(path, members):
        for number, (info, _) in enumerate(members):
            info.create_system, info.date_time = number % 4, (1980 + number, 3, 30, 2, 30, 58)
        write_archive(path, members)
    made = bake(toy_wheel(tmp_path, FILES, archive=archive))
    assert packed(made)["triton/bin/tool"][0].create_system == 2


def test_folders_of_their_own(bake, tmp_path):
    made = bake(toy_wheel(tmp_path, FILES, folders=["triton/", "triton/nothing/", "triton/bin/",
                                                    "triton-3.9.0.dist-info/"]))
    assert {"triton/", "triton/nothing/", "triton-3.9.0+acme.dist-info/"} <= packed(made).keys()


def test_a_record_in_the_middle_and_with_other_line_ends(bake, tmp_path):
    def archive(path, members):
        write_archive(path, [members[-1], *members[:-1]])
    made = bake(toy_wheel(tmp_path, FILES, archive=archive,
                          record=lambda text: text.replace(b"\r\n", b"\n")))
    assert next(iter(packed(made))) == "triton-3.9.0+acme.dist-info/RECORD"
    assert b"\r" not in checked(made)["triton-3.9.0+acme.dist-info/RECORD"]


def test_many_members(bake, tmp_path):
    bake(toy_wheel(tmp_path, {**FILES, **{f"triton/many/{n}.txt": "" for n in range(3000)}}))


@pytest.mark.slow
def test_members_of_five_gigabytes(triton_spec, tmp_path):
    """More than 32 bits can tell, as size and as the place of what comes behind."""
    def archive(path, members):
        with zipfile.ZipFile(path, "w") as out:
            with out.open(member("triton/large", method=zipfile.ZIP_STORED), "w",
                          force_zip64=True) as file:
                for _ in range(5 * 1024):
                    file.write(bytes(1 << 20))
            for info, data in members:
                out.writestr(info, data)

    def record(text):
        return b"triton/large,,%d\r\n" % (5 << 30) + text
    done = run_bake(triton_spec, tmp_path, toy_wheel(tmp_path, FILES, archive=archive, record=record))
    assert done.returncode == 0, done.stderr
    made, = (tmp_path / "out").iterdir()
    with zipfile.ZipFile(made) as out:
        assert out.getinfo("triton/large").file_size == 5 << 30
        assert out.testzip() is None
        assert out.read("triton/language/a.py") == b"vendor = 1\n"


# --- what it may not be ----------------------------------------------------------------------------

def spoiled(wheel, spoil):
    """Rewrites a wheel with the bytes that spoil() makes of its own."""
    wheel.write_bytes(spoil(wheel.read_bytes()))
    return wheel


def twice(path, members):
    """A member of one name twice."""
    with pytest.warns(UserWarning, match="Duplicate name"):
        write_archive(path, [*members, members[0]])


@pytest.mark.parametrize("how, says", [
    ({"method": zipfile.ZIP_BZIP2}, "packed by a method other than deflating"),
    ({"method": zipfile.ZIP_LZMA}, "packed by a method other than deflating"),
    ({"archive": twice}, "two members have one name"),
    ({"spoil": lambda data: b"#!/bin/sh\n" + data}, "its central directory is not where it says"),
    ({"spoil": lambda data: data + b"\n"}, "is not a zip archive, or cut off"),
    ({"spoil": lambda data: data[:-100]}, "is not a zip archive, or cut off"),
    ({"spoil": lambda data: data[:1000] + data[1100:]}, "its central directory is not where it says"),
    ({"spoil": lambda data: b""}, "is not a zip archive, or cut off"),
    ({"spoil": lambda data: b"<html>not found</html>"}, "is not a zip archive, or cut off"),
])
def test_archives_that_are_refused(triton_spec, tmp_path, how, says):
    spoil = how.pop("spoil", lambda data: data)
    done = run_bake(triton_spec, tmp_path, spoiled(toy_wheel(tmp_path, FILES, **how), spoil))
    assert (done.returncode, done.stdout) == (2, "")
    assert "error[parse]: " in done.stderr and says in done.stderr
    assert not (tmp_path / "out").exists()


def test_an_encrypted_member(triton_spec, tmp_path):
    wheel = toy_wheel(tmp_path, FILES)
    data = bytearray(wheel.read_bytes())
    data[data.index(b"PK\1\2") + 8] |= 1
    wheel.write_bytes(data)
    assert "a member is encrypted" in run_bake(triton_spec, tmp_path, wheel).stderr
