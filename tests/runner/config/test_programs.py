"""Programs: what identifies them is code and options, not the place; a class is looked for without running its file."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import msgspec
import pytest

from gridjoust.runner.config import programs
from gridjoust.runner.config.bot_files import class_mistake
from gridjoust.runner.config.programs import (
    program_hash,
    readable_paths,
    resolve_program,
    script_problem,
    tokens_in,
    with_absolute_paths,
)
from gridjoust.runner.config.values import ParamValue, RoleProgram
from gridjoust.runner.wire.errors import ConfigError


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
        RoleProgram(command=("a", "b"), protocol="stdio"),
        RoleProgram(command=("ab",)),
        RoleProgram(command=("a", "c")),
        RoleProgram(remote=True),
    ]

    assert len({program_hash(program) for program in alike}) == len(alike)


def test_what_is_built_is_known_by_its_source_whether_it_is_there_or_not(tmp_path: Path) -> None:
    source, target = tmp_path / "rook.c", tmp_path / "rook"
    source.write_text("int main;")
    given = RoleProgram(command=("./rook",), build=("gcc", "-o", "rook", "rook.c"))
    program = with_absolute_paths(given, folder=tmp_path)
    assert program.build == ("gcc", "-o", "rook", str(source))
    before = program_hash(program)
    target.write_text("built")
    assert program_hash(with_absolute_paths(given, folder=tmp_path)) == before
    assert target in readable_paths(program)
    source.write_text("int other;")
    assert program_hash(program) != before


def test_what_is_built_into_a_folder_may_be_read(tmp_path: Path) -> None:
    given = RoleProgram(command=("java", "-cp", "out/classes", "Bot"), build=("javac", "-d", "out/classes", "Bot.java"))
    program = with_absolute_paths(given, folder=tmp_path)
    assert readable_paths(program) == ()
    classes = tmp_path / "out" / "classes"
    classes.mkdir(parents=True)
    assert readable_paths(program) == (classes,)


def test_a_changed_file_is_another_program_until_it_is_changed_back(tmp_path: Path) -> None:
    path = bot_file(tmp_path)
    for program in (RoleProgram(path=path), RoleProgram(command=("node", path[:-5], "--fast"))):
        before = program_hash(program)
        bot_file(tmp_path, "class Mine: x = 1\n")
        assert program_hash(program) != before
        bot_file(tmp_path)
        assert program_hash(program) == before


BESIDE = {
    "helper.py": "from package.deep import leaf\ndef late():\n    import later",
    "later.py": "import mine, nowhere",
    "package/__init__.py": "",
    "package/deep/__init__.py": "from . import twig\nfrom .. import other\nfrom ..... import outside",
    "package/deep/leaf.py": "x = (",
    "package/deep/twig.py": "",
    "package/other.py": "",
    "random.py": "the standard library's comes first",
    "rival.py": "",
    "seed.yaml": "",
}


def bot_with_modules(folder: Path) -> str:
    path = bot_file(folder, "import helper, random\nclass Mine: ...\n")
    for name, text in BESIDE.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder.parent / "outside.py").write_text("")
    return path


def test_the_modules_beside_a_bot_that_it_imports_are_its_own_and_nothing_else_is(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    program = RoleProgram(path=bot_with_modules(folder))
    deep = ("package/__init__.py", "package/deep/__init__.py", "package/deep/leaf.py", "package/deep/twig.py")
    own = {"mine.py", "helper.py", "later.py", "package/other.py", *deep}

    assert {path.relative_to(folder).as_posix() for path in readable_paths(program)} == own
    for name in [*BESIDE, "mine.py"]:
        before, old = program_hash(program), (folder / name).read_bytes()
        (folder / name).write_bytes(old + b"\n# changed")
        assert (program_hash(program) != before) == (name in own), name
        (folder / name).write_bytes(old)


def test_named_files_and_those_in_named_folders_count_as_the_bots_own(tmp_path: Path) -> None:
    bot_file(tmp_path)
    (tmp_path / "book" / "__pycache__").mkdir(parents=True)
    for name in ("book/a.txt", "book/__pycache__/a.pyc", "x.bin", "y.bin", "z.txt"):
        (tmp_path / name).write_text("")
    for way in (RoleProgram(path="mine.py:Mine"), RoleProgram(command=("node", "mine.py"))):
        given = msgspec.structs.replace(way, files=("book", "*.bin"))
        program = resolve_program(given, game="duel", folder=tmp_path)
        read = {path.relative_to(tmp_path).as_posix() for path in readable_paths(program)}
        assert read == {"mine.py", "book", "x.bin", "y.bin"}
        for name, is_own in {
            "book/a.txt": True,
            "y.bin": True,
            "book/__pycache__/a.pyc": False,
            "z.txt": False,
        }.items():
            before = program_hash(program)
            (tmp_path / name).write_text(before)
            assert (program_hash(program) != before) == is_own, name


def test_a_built_in_bot_changes_with_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "__init__.py"
    monkeypatch.setattr(programs, "BOTS", tmp_path)
    hashes = set()
    for text in ("one", "two"):
        source.write_text(text)
        programs._bots_digest.cache_clear()
        hashes.add(program_hash(RoleProgram(bot="random")))
    programs._bots_digest.cache_clear()

    assert len(hashes) == 2


def test_hashing_a_built_in_bot_imports_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "gridjoust.bots", raising=False)
    programs._bots_digest.cache_clear()
    found = program_hash(RoleProgram(bot="random"))

    assert re.fullmatch("[0-9a-f]{16}", found)
    assert "gridjoust.bots" not in sys.modules


def test_a_missing_file_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*gone\.py: No such file or directory"):
        program_hash(RoleProgram(path=f"{tmp_path}/gone.py:Gone"))


def test_a_planner_stands_for_the_games_bot_and_a_program_on_the_search_path_keeps_its_name(tmp_path: Path) -> None:
    (tmp_path / "node").write_text("")
    given = (RoleProgram(bot="*/astar"), RoleProgram(command=("node", "x")))
    planner, node = (resolve_program(program, game="duel", folder=tmp_path) for program in given)

    assert (planner.bot, node.command) == ("duel/astar", ("node", "x"))


def problem(tmp_path: Path, text: str) -> str:
    (tmp_path / "mine.py").write_text(text)
    mistake = class_mistake(tmp_path / "mine.py", "Mine", ())
    return "" if mistake is None else mistake.sentence


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
        assert problem(tmp_path, text) == "", text
        assert problem(tmp_path, text.replace("Mine", "Other").replace("*", "x").replace("exec", "print")), text
    assert problem(tmp_path, "globals()['Mine'] = object") == ""


def test_a_file_without_the_class_is_told_with_what_it_has_instead(tmp_path: Path) -> None:
    wanted = "expected a class Mine in mine.py, got "
    assert problem(tmp_path, "class One: ...\nclass Two: ...\nprint(Mine)") == f"{wanted}only One, Two"
    assert problem(tmp_path, "x = 1") == f"{wanted}no class"
    assert problem(tmp_path, "x = 1\nclass Mine(:") == "syntax error in mine.py line 2: invalid syntax"


def test_a_file_with_a_zero_byte_is_told(tmp_path: Path) -> None:
    assert "null bytes" in problem(
        tmp_path, "x = '\0'"
    )  # whether that is a mistake of syntax depends on Python's version


def test_tokens_are_found_in_what_a_bot_would_see_wherever_they_are_and_come_to_be(tmp_path: Path) -> None:
    for place in ("ada/book", "ben/cups/.joust"):
        (tmp_path / place).mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path)
    own = tmp_path / ".joust"  # not there yet
    places = ["ada", "ben", "ben/cups/.joust", ".", "link"]
    found = [tokens_in(tmp_path / place, tmp_path) for place in places]
    others = tmp_path / "ben" / "cups" / ".joust"
    assert found == [None, others, others, own, own]


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        (b"#!/usr/bin/env python3\r\nimport sys\r\n", "Unix line ends, got 'play', whose first line ends in a"),
        (b"#!/usr/bin/python3\r", "Unix line ends, got 'play', whose first line ends in a carriage return"),
        (b"#!/bin/sh -e\r\n", "Unix line ends, got 'play', whose first line ends in a carriage return"),
        (b"\xef\xbb\xbf#!/bin/sh\n", "out a byte order mark, got 'play', which begins with one"),
        (b"#!/usr/bin/env python3\nprint('\r')\r\n", ""),
        (b"\x7fELF\r\n", ""),
        (b"", ""),
    ],
)
def test_signs_that_no_editor_shows_keep_a_script_from_starting(written: bytes, problem: str, tmp_path: Path) -> None:
    (tmp_path / "play").write_bytes(written)
    found = script_problem(tmp_path / "play", "play")
    assert problem in ("" if found is None else "expected {}, got {}".format(*found))
    assert (found is None) == (problem == "")


def test_a_script_that_is_not_there_has_no_mistake_of_this_kind(tmp_path: Path) -> None:
    assert script_problem(tmp_path / "gone", "gone") is None
