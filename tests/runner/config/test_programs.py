"""What identifies a program: its code and options, not where it lies."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from runner.config import programs
from runner.config.programs import program_hash, resolve_program
from runner.config.values import RoleProgram
from runner.wire.errors import ConfigError


def bot_file(folder: Path, text: str = "class Mine: ...\n") -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mine.py").write_text(text)
    return f"{folder}/mine.py:Mine"


def test_a_file_is_the_same_in_another_folder(tmp_path: Path) -> None:
    here, there = bot_file(tmp_path / "a"), bot_file(tmp_path / "b")

    assert program_hash(RoleProgram(path=here)) == program_hash(RoleProgram(path=there))


def test_a_changed_file_is_another_program(tmp_path: Path) -> None:
    before = program_hash(RoleProgram(path=bot_file(tmp_path)))

    assert program_hash(RoleProgram(path=bot_file(tmp_path, "class Mine: x = 1\n"))) != before


def test_another_class_of_the_file_is_another_program(tmp_path: Path) -> None:
    path = bot_file(tmp_path)

    assert program_hash(RoleProgram(path=path)) != program_hash(RoleProgram(path=path.replace(":Mine", ":His")))


def test_other_options_are_another_program() -> None:
    assert program_hash(RoleProgram(bot="random")) != program_hash(RoleProgram(bot="random", options={"x": 1}))


def test_the_order_of_options_does_not_matter() -> None:
    forth, back = RoleProgram(remote=True, options={"x": 1, "y": 2}), RoleProgram(remote=True, options={"y": 2, "x": 1})

    assert program_hash(forth) == program_hash(back)


def test_a_command_changes_with_the_files_that_it_names(tmp_path: Path) -> None:
    bot_file(tmp_path)
    command = RoleProgram(command=("node", str(tmp_path / "mine.py"), "--fast"))
    before = program_hash(command)
    bot_file(tmp_path, "changed")

    assert program_hash(command) != before


def test_a_command_changes_with_its_words() -> None:
    assert program_hash(RoleProgram(command=("node", "-a"))) != program_hash(RoleProgram(command=("node", "-b")))


def test_a_command_is_the_same_in_another_folder(tmp_path: Path) -> None:
    bot_file(tmp_path / "a")
    bot_file(tmp_path / "b")
    here, there = (RoleProgram(command=("node", str(tmp_path / folder / "mine.py"))) for folder in "ab")

    assert program_hash(here) == program_hash(there)


def test_words_of_a_command_do_not_run_together() -> None:
    assert program_hash(RoleProgram(command=("a", "b"))) != program_hash(RoleProgram(command=("ab",)))


def test_built_in_bots_differ_by_name() -> None:
    assert program_hash(RoleProgram(bot="random")) != program_hash(RoleProgram(bot="bomber/wanderer"))


def test_a_built_in_bot_changes_with_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bots").mkdir()
    source = tmp_path / "bots" / "__init__.py"
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "bots", raising=False)
    hashes = set()
    for text in ("one", "two"):
        source.write_text(text)
        programs._bots_digest.cache_clear()
        hashes.add(program_hash(RoleProgram(bot="random")))
    programs._bots_digest.cache_clear()

    assert len(hashes) == 2


def test_hashing_a_built_in_bot_imports_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "bots", raising=False)
    programs._bots_digest.cache_clear()
    program_hash(RoleProgram(bot="random"))

    assert "bots" not in sys.modules


def test_a_missing_file_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"gone\.py: expected a readable file, got No such file or directory"):
        program_hash(RoleProgram(path=f"{tmp_path}/gone.py:Gone"))


def test_a_planner_stands_for_the_games_bot(tmp_path: Path) -> None:
    program = resolve_program(RoleProgram(bot="*/astar"), game="duel", folder=tmp_path)

    assert program.bot == "duel/astar"


def test_a_program_on_the_search_path_keeps_its_name(tmp_path: Path) -> None:
    (tmp_path / "node").write_text("")
    program = resolve_program(RoleProgram(command=("node", "x")), game="duel", folder=tmp_path)

    assert program.command == ("node", "x")
