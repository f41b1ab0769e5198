"""Bots by name and by file, and whose modules win."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from gridjoust.bots import BOTS, load_bot, load_bot_file, load_bot_spec

FIRST = (
    "from gridjoust.bots.api import Bot\nclass First(Bot):\n    def act(self, observation):\n        return 'wait'\n"
)
LAZY = "from gridjoust.bots.api import Bot\nclass Lazy(Bot):\n    pass\n"


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's file with a bot; the module search path is put back after the test."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "mine.py").write_text(FIRST)
    return tmp_path / "mine.py"


@pytest.mark.parametrize("name", BOTS)
def test_every_listed_bot_loads(name: str) -> None:
    assert callable(load_bot(name).act)


def test_an_unknown_name_gets_the_nearest_known_one() -> None:
    with pytest.raises(ValueError, match="expected bomber/wanderer, got 'bomber/wandrer'"):
        load_bot("bomber/wandrer")


def test_a_file_is_loaded_by_its_path_and_finds_the_modules_beside_it(mine: Path) -> None:
    assert load_bot_spec(f"{mine}:First").__name__ == "First"
    (mine.parent / "openings_of_mine.py").write_text("BEST = 'up'\n")
    mine.write_text("import openings_of_mine\n" + FIRST.replace("'wait'", "openings_of_mine.BEST"))
    assert load_bot_file(mine, "First")().act(None) == "up"  # type: ignore[arg-type]


def test_a_file_that_was_edited_within_a_second_is_loaded_as_it_is_now(
    mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same size and time of change, which are all that Python's stored bytecode is checked by."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    for answer in ("up", "no"):
        mine.write_text(FIRST.replace("wait", answer))
        os.utime(mine, (1_700_000_000, 1_700_000_000))
        assert load_bot_file(mine, "First")().act(None) == answer  # type: ignore[arg-type]


def test_folders_named_like_ours_do_not_take_our_place(mine: Path) -> None:
    for name in ("bots", "games", "runner"):
        (mine.parent / name).mkdir()
        (mine.parent / name / "__init__.py").write_text("raise RuntimeError('shadowed')\n")
    mine.write_text("import runner, games\n" + FIRST)
    assert load_bot_file(mine, "First").__name__ == "First"


@pytest.mark.parametrize(
    ("text", "class_name", "message"),
    [
        (FIRST, "Second", "mine.py:Second: class not found"),
        (LAZY, "Lazy", "Lazy: expected an act method, got none"),
        (None, "First", "file not found: "),
    ],
)
def test_what_is_no_bot_is_refused(mine: Path, text: str | None, class_name: str, message: str) -> None:
    mine.unlink() if text is None else mine.write_text(text)
    with pytest.raises(ValueError, match=message):
        load_bot_file(mine, class_name)
