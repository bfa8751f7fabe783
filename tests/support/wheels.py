"""Wheels for tests: toy ones, the stock wheel rebuilt from where it is installed, and a look at both that
rests on Python's own tools alone.
"""

import base64
import csv
import hashlib
import importlib.metadata
import io
import pathlib
import stat
import time
import zipfile

from packaging.utils import parse_wheel_filename

WHEEL = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n\n"
METADATA = "Metadata-Version: 2.1\nName: triton\nVersion: {}\nSummary: toy\n\nVersion: in the text\n"
DATE = (2024, 2, 29, 12, 34, 56)


def digest(data):
    """The field of RECORD."""
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def record_text(files, record, eol="\r\n"):
    """RECORD of {name: bytes}, itself last."""
    rows = io.StringIO()
    writer = csv.writer(rows, lineterminator=eol)
    for name, data in files.items():
        writer.writerow([name, digest(data), len(data)])
    writer.writerow([record, "", ""])
    return rows.getvalue().encode()


def member(name, mode=0o644, method=zipfile.ZIP_DEFLATED, date=DATE):
    """A ZipInfo; a folder if the name ends so."""
    info = zipfile.ZipInfo(name, date)
    info.compress_type, info.create_system = method, 3
    info.external_attr = (stat.S_IFDIR | 0o755) << 16 | 0x10 if name.endswith("/") else (
        stat.S_IFREG | mode) << 16
    return info


def toy_wheel(folder, files, version="3.9.0", tail="py3-none-any", **how):
    """Writes a wheel of triton that holds {name: text or bytes}; its path.

    what is in `how`: info {name: text} of the dist-info folder, executable (names), folders (also
    write members for these), method, record (a function of the right bytes), archive (writes the members
    in place of zipfile: a function of path and [(ZipInfo, bytes)]).
    """
    info = f"triton-{version}.dist-info/"
    texts = {**files, info + "METADATA": METADATA.format(version), info + "WHEEL": WHEEL,
             **{info + name: text for name, text in how.get("info", {}).items()}}
    data = {name: text if isinstance(text, bytes) else text.encode() for name, text in texts.items()
            if text is not None}
    record = record_text(data, info + "RECORD")
    data[info + "RECORD"] = how.get("record", lambda text: text)(record)
    method = how.get("method", zipfile.ZIP_DEFLATED)
    members = [(member(name), b"") for name in how.get("folders", ())]
    members += [(member(name, 0o755 if name in how.get("executable", ()) else 0o644, method), text)
                for name, text in data.items()]
    path = pathlib.Path(folder) / f"triton-{version}-{tail}.whl"
    path.parent.mkdir(parents=True, exist_ok=True)
    how.get("archive", write_archive)(path, members)
    return path


def write_archive(path, members):
    """Writes [(ZipInfo, bytes)] as zipfile does."""
    with zipfile.ZipFile(path, "w") as archive:
        for info, data in members:
            archive.writestr(info, data)


def stock_wheel(folder, light=True):
    """The installed triton as the wheel that it came from; its path.

    light: of files that are larger than a mebibyte, libtriton among them, only the first 64 bytes. Texts
    are deflated as fast as possible, and what is larger is stored: packing a gigabyte takes a minute.
    """
    installed = importlib.metadata.distribution("triton")
    info = f"triton-{installed.version}.dist-info/"
    members, data = [], {}
    for file in sorted(installed.files, key=lambda file: (".dist-info" in str(file), str(file))):
        name, path = str(file), pathlib.Path(file.locate())
        if name.startswith("..") or name.endswith(".pyc") or name in (
                info + "RECORD", info + "INSTALLER", info + "REQUESTED"):
            continue
        large = path.stat().st_size > 1 << 20
        with path.open("rb") as content:
            data[name] = content.read(64) if large and light else content.read()
        members.append(member(name, path.stat().st_mode & 0o777,
                              zipfile.ZIP_STORED if large else zipfile.ZIP_DEFLATED))
    record = record_text(data, info + "RECORD")
    tags = [line.split()[1] for line in installed.read_text("WHEEL").splitlines() if "Tag:" in line]
    platforms = ".".join(tag.split("-")[2] for tag in tags)
    wheel = pathlib.Path(folder) / (f"triton-{installed.version}-"
                                    f"{'-'.join(tags[0].split('-')[:2])}-{platforms}.whl")
    with zipfile.ZipFile(wheel, "w", compresslevel=1) as archive:
        for entry in members:
            archive.writestr(entry, data.pop(entry.filename), compresslevel=1)
        archive.writestr(member(info + "RECORD"), record)
    return wheel


# --- looking at a wheel --------------------------------------------------------------------------

def packed(path):
    """{name: (ZipInfo, packed bytes)} in the order of the archive."""
    found = {}
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            archive.fp.seek(info.header_offset)
            header = archive.fp.read(30)
            extra = int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
            archive.fp.seek(extra, io.SEEK_CUR)
            found[info.filename] = info, archive.fp.read(info.compress_size)
    return found


def checked(path):
    """{name: bytes} of a wheel that is sound: names, METADATA, and a RECORD that lists each file once,
    with its digest and size."""
    project, version, _build, _tags = parse_wheel_filename(path.name)
    info = f"{project}-{version}.dist-info/"
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        names = [name for name in archive.namelist() if not name.endswith("/")]
        assert len(set(archive.namelist())) == len(archive.namelist())
        data = {name: archive.read(name) for name in names}
    assert {name.split("/")[0] for name in names if ".dist-info/" in name} == {info[:-1]}
    metadata = importlib.metadata.PathDistribution(zipfile.Path(path, info)).metadata
    assert (metadata["Name"], metadata.get_all("Version")) == (project, [str(version)])
    rows = list(csv.reader(io.StringIO(data[info + "RECORD"].decode(), newline="")))
    assert sorted(name for name, _, _ in rows) == sorted(names)
    for name, hashed, size in rows:
        wanted = ("", "") if name == info + "RECORD" else (digest(data[name]), str(len(data[name])))
        assert (hashed, size) == wanted, name
    return data


def timestamp(date):
    """Seconds since 1970 of a date of an archive, which has no time zone."""
    return int(time.mktime((*date, 0, 0, 0)) - time.timezone)
