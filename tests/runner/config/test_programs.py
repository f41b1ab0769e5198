"""Programs: what identifies them is code and options, not the place; a class is looked for without running its file."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from runner.config import programs
from runner.config.check_entries import class_problem
from runner.config.programs import program_hash, resolve_program
from runner.config.values import ParamValue, RoleProgram
from runner.wire.errors import ConfigError


def bot_file(folder: Path, text: str = "class Mine: ...\n") -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mine.py").write_text(text)
    return f"{folder}/mine.py:Mine"


def test_a_program_is_the_same_wherever_its_files_lie_and_however_its_options_are_ordered(tmp_path: Path) -> None:
    here, there = bot_file(tmp_path / "a"), bot_file(tmp_path / "b")
    forth: dict[str, ParamValue] = {"x": 1, "y": 2}
    back: dict[str, ParamValue] = {"y": 2, "x": 1}

    for one, other in [
        (RoleProgram(path=here), RoleProgram(path=there)),
        (RoleProgram(command=("node", here[:-5], "-a")), RoleProgram(command=("node", there[:-5], "-a"))),
        (RoleProgram(remote=True, options=forth), RoleProgram(remote=True, options=back)),
    ]:
        assert re.fullmatch("[0-9a-f]{16}", program_hash(one))
        assert program_hash(one) == program_hash(other)


def test_another_class_name_option_or_word_is_another_program(tmp_path: Path) -> None:
    path = bot_file(tmp_path)
    alike = [
        RoleProgram(path=path),
        RoleProgram(path=path.replace(":Mine", ":His")),
        RoleProgram(bot="random"),
        RoleProgram(bot="random", options={"x": 1}),
        RoleProgram(bot="bomber/wanderer"),
        RoleProgram(command=("a", "b")),
        RoleProgram(command=("ab",)),
        RoleProgram(command=("a", "c")),
        RoleProgram(remote=True),
    ]

    assert len({program_hash(program) for program in alike}) == len(alike)


def test_a_changed_file_is_another_program_until_it_is_changed_back(tmp_path: Path) -> None:
    path = bot_file(tmp_path)
    for program in (RoleProgram(path=path), RoleProgram(command=("node", path[:-5], "--fast"))):
        before = program_hash(program)
        bot_file(tmp_path, "class Mine: x = 1\n")
        assert program_hash(program) != before
        bot_file(tmp_path)
        assert program_hash(program) == before


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
    found = program_hash(RoleProgram(bot="random"))

    assert re.fullmatch("[0-9a-f]{16}", found)
    assert "bots" not in sys.modules


def test_a_missing_file_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"gone\.py: expected a readable file, got No such file or directory"):
        program_hash(RoleProgram(path=f"{tmp_path}/gone.py:Gone"))


def test_a_planner_stands_for_the_games_bot_and_a_program_on_the_search_path_keeps_its_name(tmp_path: Path) -> None:
    (tmp_path / "node").write_text("")
    given = (RoleProgram(bot="*/astar"), RoleProgram(command=("node", "x")))
    planner, node = (resolve_program(program, game="duel", folder=tmp_path) for program in given)

    assert (planner.bot, node.command) == ("duel/astar", ("node", "x"))


def problem(tmp_path: Path, text: str) -> tuple[str, str] | None:
    (tmp_path / "mine.py").write_text(text)
    return class_problem(tmp_path / "mine.py", "Mine")


def test_a_file_that_may_define_the_class_is_let_through(tmp_path: Path) -> None:
    for text in (
        "class Mine: ...",
        "if True:\n    class Mine: ...",
        "try:\n    from fast import Mine\nexcept ImportError:\n    from slow import Mine",
        "import somewhere as Mine",
        "Mine = make()",
        "for Mine in things: pass",
        "from elsewhere import *",
        "exec(text)",
    ):
        assert problem(tmp_path, text) is None, text
        assert (
            problem(tmp_path, text.replace("Mine", "Other").replace("*", "x").replace("exec", "print")) is not None
        ), text
    assert problem(tmp_path, "globals()['Mine'] = object") is None


def test_a_file_without_the_class_is_told_with_what_it_has_instead(tmp_path: Path) -> None:
    wanted = "a class Mine in mine.py"
    assert problem(tmp_path, "class One: ...\nclass Two: ...\nprint(Mine)") == (wanted, "One, Two alone")
    assert problem(tmp_path, "x = 1") == (wanted, "no class")
    assert problem(tmp_path, "x = 1\nclass Mine(:") == ("Python", "invalid syntax in line 2 of mine.py")


def test_a_file_with_a_zero_byte_is_told(tmp_path: Path) -> None:
    found = problem(tmp_path, "x = '\0'")
    assert found is not None
    assert "null bytes" in found[1]  # whether that is a mistake of syntax depends on Python's version
