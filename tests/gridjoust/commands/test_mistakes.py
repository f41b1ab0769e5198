"""What people get wrong in their first hour, each made as they make it: the line they read, and the exit code."""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from gridjoust.commands import main
from runner.record.file import write_record
from runner.record.lines import MatchRecord

GOOD = """tournament: cup
games:
  - {game: bomber, params: {max_ticks: 5}}
bots:
  - {name: a, bot: random}
  - {name: b, bot: bomber/wanderer}
execution: {isolation: none}
"""
PROCESSES = GOOD.replace("execution: {isolation: none}\n", "")


class Desk:
    """A folder in which somebody types commands."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def joust(self, *arguments: str) -> tuple[int, str]:
        """Exit code, and what was written for people to read."""
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(list(arguments))
        assert isinstance(left.value.code, int)
        return left.value.code, self._capsys.readouterr().err

    def run(self, text: str) -> tuple[int, str]:
        """`joust run` of a tournament file with this text."""
        (self.folder / "cup.yaml").write_text(text, encoding="utf-8")
        return self.joust("run", "cup.yaml")

    def write(self, name: str, text: str) -> None:
        """A file in the folder."""
        (self.folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path, capsys)


# ---- the tournament file ---------------------------------------------------------------------------------------------

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


# ---- the bots --------------------------------------------------------------------------------------------------------


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


# ---- broker and sandbox ----------------------------------------------------------------------------------------------


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


@pytest.mark.parametrize("use", ["auto", "embedded"])
def test_a_port_that_is_taken(desk: Desk, taken_port: int, use: str) -> None:
    code, line = desk.run(f"{PROCESSES}broker: {{use: {use}, listen: '127.0.0.1:{taken_port}'}}\n")
    assert code == 3
    assert "expected a broker that starts, got: " in line
    assert "ddress already in use" in line
    assert line.endswith("(log: results/cup/logs/broker.log)\n")


def test_mosquitto_is_missing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(desk.folder))
    line = "joust: mosquitto: expected it on PATH, got none (broker: {use: embedded} needs no installation)\n"
    assert desk.run(PROCESSES + "broker: {use: mosquitto}\n") == (3, line)


def test_nobody_listens_at_the_external_broker(desk: Desk) -> None:
    expected = "expected a broker that lets anybody in, got: [Errno 111] Connection refused"
    code, line = desk.run(PROCESSES + "broker: {use: external, url: 'mqtt://127.0.0.1:1'}\n")
    assert (code, line) == (3, f"joust: mqtt://127.0.0.1:1: {expected}\n")


def test_bubblewrap_is_missing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(desk.folder))
    line = "joust: execution.isolation: expected bwrap (bubblewrap) on PATH for 'sandbox', got none\n"
    assert desk.run(PROCESSES + "execution: {isolation: sandbox}\n") == (2, line)


# ---- results ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def played(desk: Desk) -> Desk:
    assert desk.run(GOOD)[0] == 0
    return desk


def test_a_second_run_into_the_same_folder(played: Desk) -> None:
    expected = "expected an empty folder, got results: continue with --resume, or choose another --out"
    assert played.run(GOOD) == (2, f"joust: results/cup: {expected}\n")


def test_results_of_another_tournament(played: Desk) -> None:
    (played.folder / "results" / "cup").rename(played.folder / "results" / "pup")
    played.write("pup.yaml", GOOD.replace("tournament: cup", "tournament: pup"))
    line = "joust: results/pup: expected results of pup, got results of cup\n"
    assert played.joust("run", "pup.yaml", "--resume") == (2, line)


def test_a_file_where_results_should_go(desk: Desk) -> None:
    desk.write("out", "")
    desk.write("cup.yaml", GOOD)
    assert desk.joust("run", "cup.yaml", "--out", "out") == (3, "joust: out/cup/records: not a directory\n")


def test_a_record_that_was_cut_short(played: Desk) -> None:
    record = next((played.folder / "results" / "cup" / "records").iterdir())
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join(lines[:-1]))
    where = record.relative_to(played.folder)
    code, line = played.joust("replay", str(where))
    detail = f"line {len(lines) - 1}: expected the end line, got a line of type 'usage' (record cut short)"
    assert (code, line) == (1, f"joust: {where}: {detail}\n")
    assert played.joust("verify", "results/cup")[1].startswith(f"{where}: {detail}\n")


def test_results_without_their_table(played: Desk) -> None:
    (played.folder / "results" / "cup" / "results.csv").unlink()
    line = "joust: results/cup: expected one results folder, got no results.csv\n"
    assert played.joust("leaderboard", "results/cup") == (2, line)


def test_a_table_that_somebody_has_edited(played: Desk) -> None:
    table = played.folder / "results" / "cup" / "results.csv"
    table.write_text(table.read_text().replace("bomber", "bommer", 1))
    code, line = played.joust("verify", "results/cup")
    assert (code, line.splitlines()[0]) == (1, "results.csv: row 1: game: expected 'bomber', got 'bommer'")


def test_a_table_with_a_column_less(played: Desk) -> None:
    table = played.folder / "results" / "cup" / "results.csv"
    table.write_text(table.read_text().replace("match_id", "match", 1))
    line = "joust: results/cup/results.csv: expected a column match_id, got none\n"
    assert played.joust("leaderboard", "results/cup") == (2, line)
    assert played.joust("verify", "results/cup") == (2, line)


def test_a_full_disk_keeps_what_was_played(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    written = count()

    def refuse_the_second(path: Path, record: MatchRecord) -> None:
        if next(written):
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        write_record(path, record)

    monkeypatch.setattr("runner.tournament.write_record", refuse_the_second)
    code, line = desk.run(GOOD)
    assert code == 3
    assert line.endswith(".jsonl: no space left on device\n")
    monkeypatch.undo()
    monkeypatch.chdir(desk.folder)
    assert desk.joust("run", "cup.yaml", "--resume")[0] == 0
    assert desk.joust("verify", "results/cup") == (0, "")


# ---- the command line ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("runn cup.yaml", "no such command 'runn'. Did you mean 'run'"),
        ("run", "run: missing argument 'file'; see joust run --help"),
        ("run cup.yaml --parallel many", "run: invalid value for '--parallel': "),
        ("run cup.yaml --parallel 0", "run: invalid value for '--parallel': "),
        ("run cup.yaml --fast", "run: no such option: --fast"),
        ("leaderboard results/cup more", "leaderboard: got unexpected extra argument"),
    ],
)
def test_a_slip_on_the_command_line_is_one_line(desk: Desk, typed: str, line: str) -> None:
    code, told = desk.joust(*typed.split())
    assert code == 2
    assert told.startswith(f"joust: {line}")
    assert told.count("\n") == 1
    assert "--help" in told


def test_a_column_that_nobody_groups_by(played: Desk) -> None:
    code, line = played.joust("leaderboard", "results/cup", "--by", "colour")
    assert code == 2
    assert line.startswith("joust: --by: expected one of game, variant, ")
    assert line.endswith(", got 'colour'\n")


def test_without_a_command_the_help_is_shown(desk: Desk) -> None:
    assert desk.joust() == (2, "")
