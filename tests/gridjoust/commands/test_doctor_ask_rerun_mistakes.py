"""What `doctor`, `ask` and `rerun` say to a mistake on their command line: one line, exit code 2."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gridjoust.commands import main
from runner.record.file import list_records

SAMPLE = Path(__file__).parents[3] / "results" / "sample"
RECORD = str(list_records(SAMPLE)[0])
ID = Path(RECORD).stem


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "q.json").write_text("{}")
    shutil.copytree(SAMPLE, tmp_path / "sample")
    monkeypatch.chdir(tmp_path)


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line on standard error."""
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    assert left.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    return str(line)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["bomber/asta", "--game", "bomber"], "BOT: expected bomber/astar, got 'bomber/asta'"),
        (["none.py:Bot", "--game", "bomber"], "BOT: expected an existing file, got 'none.py'"),
        (["--game", "bomber"], "BOT: expected a bot or --command, got neither"),
        (["random", "--command", "ls", "--game", "bomber"], "BOT: expected a bot or --command, got both"),
        (["--command", "no-such-program x", "--game", "bomber"], "--command: expected a program and its arguments"),
        (["--command", "'", "--game", "bomber"], '--command: expected a command line, got "\'": no closing quotation'),
        (["random", "--game", "bomber", "--option", "skill"], "--option: expected name=value, got 'skill'"),
        (["random", "--game", "chess"], "doctor: expected"),
        (["random", "--game", "bomber", "--param", "max_tiks=3"], "doctor: max_tiks: expected 'max_ticks'"),
        (["random", "--game", "bomber", "--seats", "9"], "doctor: seats: expected 2 to 4 for bomber, got 9"),
        (["random", "--game", "bomber", "--role", "king"], "--role: expected none, as bomber has no roles, got 'king'"),
        (["random", "--game", "heroquest", "--role", "king"], "--role: expected one of heroes, zargon, got 'king'"),
        (["random", "--game", "bomber", "--against", "randm"], "--against: expected random, got 'randm'"),
    ],
)
def test_doctor(capsys: pytest.CaptureFixture[str], arguments: list[str], line: str) -> None:
    assert line in refusal(capsys, "doctor", *arguments)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["random"], "expected --record FILE --turn N, or --observation FILE, got neither"),
        (["--record", RECORD], "--turn: expected the turn to ask about, got none"),
        (["--record", RECORD, "--turn", "1", "--observation", "q.json"], "--observation: expected --record or"),
        (["--record", RECORD, "--turn", "3", "--seat", "4"], "--seat: expected 0 to 1, got 4"),
        (["--record", RECORD, "--turn", "3", "--game", "ricochet"], "--game: expected bomber, which was played"),
        (
            ["random", "--observation", "none.json", "--game", "bomber"],
            "none.json: expected a question (JSON), got: no",
        ),
        (["random", "--observation", "q.json"], "--game: expected a game, as q.json has no start, got none"),
        (["random", "--observation", "q.json", "--game", "bomber", "--seat", "2"], "--seat: expected 0 to 1, got 2"),
        (["random", "--observation", "q.json", "--game", "bomber", "--save", "x"], "--save: expected --record beside"),
    ],
)
def test_ask(capsys: pytest.CaptureFixture[str], arguments: list[str], line: str) -> None:
    assert line in refusal(capsys, "ask", *arguments)


def test_ask_for_a_bot_that_is_somewhere_else(capsys: pytest.CaptureFixture[str]) -> None:
    file = Path("sample/tournament.yaml")
    text = file.read_text()
    old = "- bot: random\n  path: null\n  command: null\n  remote: false"
    assert old in text
    file.write_text(text.replace(old, "- bot: null\n  path: null\n  command: null\n  remote: true"))
    expected = "BOT: expected a bot that can be started here, got a remote one"
    record = next(path for path in list_records(Path("sample")) if '"bot":"random"' in path.read_text())
    seat = "0" if '"seats":[{"bot":"random"' in record.read_text() else "1"
    assert expected in refusal(capsys, "ask", "--record", str(record), "--turn", "3", "--seat", seat)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["sample", "zzz"], "sample: expected a match id that begins with 'zzz', got none"),
        (["nowhere", "abc"], "nowhere: expected a results folder, got no records in it"),
        (["sample", ID, "--keep", "yours"], "--keep: expected one of "),
        (["sample", ID, "--keep", "random", "--recorded", "random"], "--keep: expected --keep or --recorded, got both"),
    ],
)
def test_rerun(capsys: pytest.CaptureFixture[str], arguments: list[str], line: str) -> None:
    assert line in refusal(capsys, "rerun", *arguments)
    assert not Path("sample/reruns").exists()
