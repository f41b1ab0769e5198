"""Uploads are unpacked by what comes out of them, not by what their headers say."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from gridjoust.serve.play import unpacking
from gridjoust.serve.play.unpacking import UnpackError, unpack


def zipped(folder: Path, files: dict[str, bytes], *, modes: dict[str, int] | None = None) -> Path:
    path = folder / "upload"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (modes or {}).get(name, stat.S_IFREG | 0o644) << 16
            archive.writestr(info, content)
    return path


def taped(folder: Path, *infos: tuple[tarfile.TarInfo, bytes]) -> Path:
    path = folder / "upload"
    with tarfile.open(path, "w:gz") as archive:
        for info, content in infos:
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def tar_entry(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def unpacked(upload: Path, filename: str = "bot.py") -> dict[str, bytes]:
    out = upload.parent / "out"
    out.mkdir()
    unpack(upload, out, filename=filename)
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


def refused(upload: Path) -> str:
    with pytest.raises(UnpackError) as caught:
        unpacked(upload)
    return str(caught.value)


def test_a_single_file_keeps_its_name(tmp_path: Path) -> None:
    (tmp_path / "upload").write_bytes(b"pass")
    assert unpacked(tmp_path / "upload", "my.py") == {"my.py": b"pass"}


def test_the_name_of_a_single_file_cannot_leave_the_folder(tmp_path: Path) -> None:
    (tmp_path / "upload").write_bytes(b"pass")
    assert unpacked(tmp_path / "upload", "../../my.py") == {"my.py": b"pass"}


def test_a_zip_is_unpacked_with_its_folders(tmp_path: Path) -> None:
    files = {"bot.py": b"1", "maps/a.txt": b"2"}
    assert unpacked(zipped(tmp_path, files)) == files


def test_a_tar_is_unpacked_too(tmp_path: Path) -> None:
    assert unpacked(taped(tmp_path, (tar_entry("bot.py"), b"1"))) == {"bot.py": b"1"}


def test_a_folder_that_holds_everything_is_left_out_of_the_names(tmp_path: Path) -> None:
    assert unpacked(zipped(tmp_path, {"mine/bot.py": b"1", "mine/mine/a": b"2"})) == {"bot.py": b"1", "mine/a": b"2"}


def test_what_a_mac_adds_is_left_out(tmp_path: Path) -> None:
    files = {"bot.py": b"1", "__MACOSX/._bot.py": b"2"}
    assert unpacked(zipped(tmp_path, files)) == {"bot.py": b"1"}


@pytest.mark.parametrize("name", ["/etc/passwd", "../x", "a/../../x", "a\\..\\x", "c:x"])
def test_a_name_that_leads_out_of_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    assert refused(zipped(tmp_path, {name: b"1"})).startswith("a file name that is not allowed")
    assert not (tmp_path.parent / "x").exists()


def test_a_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    upload = zipped(tmp_path, {"a": b"/etc/passwd"}, modes={"a": stat.S_IFLNK | 0o777})
    assert refused(upload) == "a is a link or a device"


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_in_a_tar_are_refused(tmp_path: Path, kind: bytes) -> None:
    assert refused(taped(tmp_path, (tar_entry("a", kind, "/etc/passwd"), b""))) == "a is a link or a device"


def test_bytes_that_come_out_are_counted_whatever_the_header_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "MOST_UNPACKED", 100_000)
    assert refused(zipped(tmp_path, {"a": b"0" * 60_000, "b": b"0" * 60_000})).startswith("more than")


def test_a_file_that_grows_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "MEGA", 10_000)
    assert refused(zipped(tmp_path, {"a": b"0" * 900_000})) == "more than 200 times its size when unpacked"


def test_a_large_python_file_is_refused_as_it_would_be_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "MOST_SOURCE", 1000)
    assert unpacked(zipped(tmp_path, {"a.txt": b"#" * 2000, "b": b"1"}))["b"] == b"1"
    other = tmp_path / "other"
    other.mkdir()
    assert refused(zipped(other, {"a.py": b"#" * 2000})).startswith("a.py is larger than")


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "MOST_FILES", 3)
    assert refused(zipped(tmp_path, dict.fromkeys("abcd", b""))) == "more than 3 files"


def test_two_files_that_are_one_on_some_disks_are_refused(tmp_path: Path) -> None:
    assert refused(zipped(tmp_path, {"bot.py": b"1", "Bot.py": b"2"})) == "two files named Bot.py"


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path, {"a": bytes(range(256)) * 40})
    raw = bytearray(path.read_bytes())
    raw[60:80] = b"\xff" * 20
    path.write_bytes(raw)
    assert refused(path).startswith("a damaged or locked archive")


def test_an_empty_upload_is_refused(tmp_path: Path) -> None:
    (tmp_path / "upload").touch()
    assert refused(tmp_path / "upload") == "an empty file"
