"""What people get wrong in a tournament file and in bots: the line they read, and the exit code."""

from __future__ import annotations

import pytest

from tests.gridjoust.commands.desk import GOOD, PROCESSES, Desk

IN_THE_FILE = [
    (
        "a misspelt key",
        "tournament: cup",
        "turnament: cup",
        "turnament: expected tournament, got an unknown key (line 1)",
    ),
    (
        "a tab",
        "  - {game",
        "\t- {game",
        "expected spaces, got a tab: YAML does not indent with tabs (line 3)",
    ),
    (
        "an open bracket",
        "5}}",
        "5}",
        "expected valid YAML, got 'bots:': expected ',' or '}', but got '<scalar>' (line 4)",
    ),
    (
        "a misspelt game",
        "game: bomber",
        "game: bomer",
        "games[0].game: expected bomber, got 'bomer' (line 3)",
    ),
    ("a misspelt bot", "bot: random", "bot: randm", "bots[0].bot: expected random, got 'randm' (line 5)"),
    (
        "a misspelt parameter",
        "max_ticks",
        "max_tiks",
        "games[0].params.max_tiks: expected 'max_ticks', got an unknown parameter of bomber (line 3)",
    ),
    (
        "a parameter out of range",
        "max_ticks: 5",
        "max_ticks: 0",
        "games[0].params.max_ticks: expected 1 to 100000, got 0 (line 3)",
    ),
    (
        "too many seats",
        "bomber,",
        "bomber, seats: 9,",
        "games[0].seats: expected 2 to 4 for bomber, got 9 (line 3)",
    ),
    (
        "one name twice",
        "name: b",
        "name: a",
        "bots[1].name: expected a name of its own for each bot, got a second 'a' (line 6)",
    ),
    (
        "a name with a space",
        "name: a",
        "name: a b",
        "bots[0].name: expected a name of 1 to 64 letters, digits, - and _, got 'a b' (line 5)",
    ),
    (
        "a key twice",
        "execution",
        "tournament: again\nexecution",
        "tournament: expected each key once, got it again (first in line 1) (line 7)",
    ),
    (
        "text for a number",
        "bots:",
        "seed: soon\nbots:",
        "seed: expected a whole number from 0 to 9007199254740991, got 'soon' (line 4)",
    ),
]


@pytest.mark.parametrize(("old", "new", "line"), [case[1:] for case in IN_THE_FILE], ids=[c[0] for c in IN_THE_FILE])
def test_a_mistake_in_the_file_names_its_place(desk: Desk, old: str, new: str, line: str) -> None:
    assert old in GOOD
    assert desk.run(GOOD.replace(old, new, 1)) == (2, f"joust: cup.yaml: {line}\n")


def test_no_such_file(desk: Desk) -> None:
    line = "joust: none.yaml: expected a tournament file, got no such file or directory\n"
    assert desk.joust("run", "none.yaml") == (2, line)


def test_a_folder_for_a_file(desk: Desk) -> None:
    assert desk.joust("run", ".") == (2, "joust: .: expected a tournament file, got a directory\n")


def test_an_empty_file(desk: Desk) -> None:
    line = "joust: cup.yaml: expected a mapping with tournament, games and bots, got an empty file (line 1)\n"
    assert desk.run("") == (2, line)


def test_a_file_in_another_encoding(desk: Desk) -> None:
    (desk.folder / "cup.yaml").write_bytes("# für alle\n".encode("latin-1"))
    assert desk.joust("run", "cup.yaml") == (2, "joust: cup.yaml: expected UTF-8 text, got byte 0xfc (line 1)\n")


def test_a_map_that_is_not_there(desk: Desk) -> None:
    code, line = desk.run(GOOD.replace("params: {max_ticks: 5}", "maps: [arena.txt]"))
    where = f"joust: cup.yaml: games[0].maps[0]: expected random or a map file (in {desk.folder}), got 'arena.txt'"
    assert (code, line) == (2, f"{where}: no such file or directory (line 3)\n")


def with_bot(program: str, text: str = GOOD) -> str:
    return text.replace("bot: random", program)


def test_a_bot_file_that_is_not_there(desk: Desk) -> None:
    line = f"joust: cup.yaml: bots[0].path: expected an existing file (in {desk.folder}), got 'mine.py' (line 5)\n"
    assert desk.run(with_bot("path: mine.py:Mine")) == (2, line)


def test_a_path_without_a_class(desk: Desk) -> None:
    desk.write("mine.py", "class Mine: ...\n")
    code, line = desk.run(with_bot("path: mine.py"))
    assert (code, line) == (2, "joust: cup.yaml: bots[0].path: expected file.py:Class, got 'mine.py' (line 5)\n")


def test_a_class_of_another_name(desk: Desk) -> None:
    desk.write("mine.py", "from bots.api import Bot\n\n\nclass Main(Bot): ...\n")
    line = "joust: cup.yaml: bots[0].path: expected a class Mine in mine.py, got Main alone (line 5)\n"
    assert desk.run(with_bot("path: mine.py:Mine", PROCESSES)) == (2, line)


def test_a_bot_file_with_a_syntax_error(desk: Desk) -> None:
    desk.write("mine.py", "from bots.api import Bot\nclass Mine(Bot)\n    ...\n")
    line = "joust: cup.yaml: bots[0].path: expected Python, got expected ':' in line 2 of mine.py (line 5)\n"
    assert desk.run(with_bot("path: mine.py:Mine", PROCESSES)) == (2, line)


def test_a_class_that_is_no_bot(desk: Desk) -> None:
    desk.write("mine.py", "class Mine: ...\n")
    code, line = desk.run(with_bot("path: mine.py:Mine"))
    expected = f"joust: bots: a.0: {desk.folder}/mine.py:Mine: expected a subclass of bots.api.Bot, got <class"
    assert (code, line.partition(" 'joust")[0]) == (2, expected)


def test_a_class_without_act(desk: Desk) -> None:
    desk.write("mine.py", "from bots.api import Bot\n\n\nclass Mine(Bot): ...\n")
    line = f"joust: bots: a.0: {desk.folder}/mine.py:Mine: expected an act method, got none\n"
    assert desk.run(with_bot("path: mine.py:Mine")) == (2, line)


def test_a_bot_file_that_does_not_import(desk: Desk) -> None:
    desk.write("mine.py", "import nmpy\n\n\nclass Mine: ...\n")
    expected = "expected a file that imports, got ModuleNotFoundError: No module named 'nmpy'"
    line = f"joust: bots: a.0: {desk.folder}/mine.py: {expected}\n"
    assert desk.run(with_bot("path: mine.py:Mine")) == (2, line)


def test_a_command_that_is_not_there(desk: Desk) -> None:
    code, line = desk.run(with_bot("command: [nodde, bot.js]", PROCESSES))
    assert (code, line) == (2, "joust: bots: a.0: command: expected an executable, got 'nodde'\n")
