"""Bots by name and by file, and whose modules win."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bots import BOTS, load_bot, load_bot_file, load_bot_spec

FIRST = "from bots.api import Bot\nclass First(Bot):\n    def act(self, observation):\n        return 'wait'\n"


@pytest.fixture(autouse=True)
def same_search_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))


@pytest.mark.parametrize("name", BOTS)
def test_every_listed_bot_loads(name: str) -> None:
    assert callable(load_bot(name).act)


def test_an_unknown_name_gets_the_nearest_known_one() -> None:
    with pytest.raises(ValueError, match="expected bomber/wanderer, got 'bomber/wandrer'"):
        load_bot("bomber/wandrer")


def test_a_file_is_loaded_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FIRST)
    assert load_bot_spec(f"{tmp_path}/mine.py:First").__name__ == "First"


def test_a_bot_finds_the_modules_beside_it(tmp_path: Path) -> None:
    (tmp_path / "openings_of_mine.py").write_text("BEST = 'up'\n")
    (tmp_path / "mine.py").write_text("import openings_of_mine\n" + FIRST.replace("'wait'", "openings_of_mine.BEST"))
    bot = load_bot_file(tmp_path / "mine.py", "First")()
    assert bot.act(None) == "up"  # type: ignore[arg-type]


def test_folders_named_like_ours_do_not_take_our_place(tmp_path: Path) -> None:
    for name in ("bots", "games", "runner"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('shadowed')\n")
    (tmp_path / "mine.py").write_text("import runner, games\n" + FIRST)
    assert load_bot_file(tmp_path / "mine.py", "First").__name__ == "First"


def test_a_class_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FIRST)
    with pytest.raises(
        ValueError, match=r"mine.py:Second: expected a subclass of bots.api.Bot, got nothing of that name"
    ):
        load_bot_file(tmp_path / "mine.py", "Second")


def test_a_class_without_act_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("from bots.api import Bot\nclass Lazy(Bot):\n    pass\n")
    with pytest.raises(ValueError, match="Lazy: expected an act method, got none"):
        load_bot_file(tmp_path / "mine.py", "Lazy")


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected a Python file"):
        load_bot_file(tmp_path / "none.py", "First")
