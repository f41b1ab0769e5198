"""Errors of the system in one line, and texts of strangers that can be shown everywhere."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from gridjoust.runner.wire.errors import format_os_error, naming
from gridjoust.runner.wire.text import one_line, plain_text


@pytest.mark.parametrize(
    ("error", "where", "said"),
    [
        (OSError(errno.ENOSPC, "No space left", "a.csv"), "b.csv", "a.csv: no space left"),
        (OSError(errno.ENOSPC, "No space left"), "b.csv", "b.csv: no space left"),
        (OSError(errno.ENOSPC, "No space left"), "", "no space left"),
        (OSError("Timed out"), "", "timed out"),
        (OSError(errno.EMFILE, "Too many open files", "a"), "", "too many open files: raise the limit (ulimit -n)"),
        (OSError(errno.ENFILE, "Too many"), "b", "too many: raise the limit (ulimit -n)"),
        (
            FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']"),
            "b",
            "temporary files: no usable temporary directory found in ['/tmp']: free space, or set TMPDIR",
        ),
        (OSError(errno.EEXIST, "File exists", "no such link"), "", "no such link: file exists"),
    ],
)
def test_an_error_of_the_system_says_where_and_what(error: OSError, where: str, said: str) -> None:
    assert format_os_error(error, where) == said


def test_a_link_to_nothing_is_named_as_one(tmp_path: Path) -> None:
    link, sound = tmp_path / "link", tmp_path / "sound"
    link.symlink_to("nowhere")
    sound.symlink_to(tmp_path)
    exists, denied = (OSError(number, "No", str(link)) for number in (errno.EEXIST, errno.EACCES))
    assert format_os_error(exists) == f"{link}: a link to nothing"
    assert format_os_error(denied) == f"{link}: no"
    assert format_os_error(OSError(errno.EEXIST, "No", str(sound))) == f"{sound}: no"


@pytest.mark.parametrize(("named", "expected"), [("own", "own"), (None, "given")])
def test_an_error_that_names_no_file_gets_the_one_that_is_given(named: str | None, expected: str) -> None:
    with pytest.raises(OSError, match="full") as raised, naming(Path("given")):
        raise OSError(errno.ENOSPC, "full", named)
    assert raised.value.filename == expected


def test_a_text_of_a_stranger_has_no_control_characters_and_is_cut() -> None:
    assert plain_text("a\tb\u2003c\x1b[1m\u202e") == "a b c?[1m?"
    assert [plain_text("abcd", limit=limit) for limit in (5, 4, 3)] == ["abcd", "abcd", "ab…"]
    assert one_line(" two\n\n words ") == "two words"
    assert len(one_line("x" * 900)) == 800
