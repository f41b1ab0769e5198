"""`python -m gridjoust.conformance`: golden records and findings for authors without pytest."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from gridjoust.conformance.__main__ import main

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "add-a-game.md"
PILE = "tests.doubles.games.reference:Pile"


def test_golden_writes_a_header_one_line_a_turn_and_the_end(tmp_path: Path) -> None:
    path = tmp_path / "new" / "pile.jsonl"
    assert main(["golden", PILE, str(path), "--params", '{"pile": 1}']) == 0
    header, turn, end = path.read_text().splitlines()
    assert header.startswith('{"type":"header","game":"pile","version":"1","params":{"pile":1},"seats":2,"seed":')
    assert turn.startswith('{"type":"turn","stamp":1,"actions":{"0":"take 1"},"hash":"')
    assert end.startswith('{"type":"end","returns":[')


def test_golden_is_the_same_when_written_again_and_a_game_that_has_one_exits_with_zero(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a", "b"):
        main(["golden", PILE, str(tmp_path / name)])
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert main(["game", PILE, "--golden", str(tmp_path / "a")]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "0 findings"


@pytest.mark.gate
def test_findings_are_printed_and_exit_with_one_and_a_game_that_is_nowhere_with_two(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["game", PILE, "--golden", str(tmp_path / "none.jsonl")]) == 1
    assert capsys.readouterr().out.startswith("golden_record_exists_and_replays [all variants]: ")
    assert main(["bot", "tests.gridjoust.conformance.bot_doubles:AnswersNonsense", PILE]) == 1
    assert main(["game", "nowhere:Game"]) == 2
    assert "expected a module that can be imported, got nowhere" in capsys.readouterr().err


RACE = re.search(r"```python file=race.py\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]  # type: ignore[index]
WRONG_GAMES = {
    "a colon left out": ("class Race(joust.Game):", "class Race(joust.Game)",
        "SyntaxError: expected ':' (race.py line 6)"),
    "a module that is not there": ("import random\n", "import randomm\n",
        "ModuleNotFoundError: No module named 'randomm' (race.py line 1)"),
    "a name that is not there": ("joust.Utility.ZERO_SUM", "joust.Utility.ZEROSUM", "AttributeError: "),
    "no spec": ("    spec = joust", "    specs = joust",
        "race.py line 6: class Race has no `spec = joust.GameSpec(...)`"),
    "a text for the dynamics": ("joust.Dynamics.SIMULTANEOUS", "'simultaneous'",
        "ValueError: GameSpec: dynamics: expected one of joust.Dynamics.SEQUENTIAL, joust.Dynamics.SIMULTANEOUS, "),
    "a number for a parameter": ('joust.Param(10, "game rounds", minimum=1, maximum=10)', "10",
        "ValueError: GameSpec: params: length: expected joust.Param(default, help), got 10 (race.py line "),
    "a method left out": ("def returns(", "def result(",
        "race.py line 6: class Race has no method `def returns(self, state)`"),
    "an argument left out": ("def apply(self, state, turn):", "def apply(self, state):",
        "expected `def apply(self, state, turn)`, got `def apply(self, state)`"),
    "an error in a turn": ("turn.actions[0], turn", "turn.action[0], turn",
        "turn 1: AttributeError: 'Turn' object has no attribute 'action' (race.py line "),
    "an error at the start": ("return (0, 0, 0)", "return self.start",
        "the match did not end by its rules: AttributeError: 'Race' object has no attribute 'start' (race.py line "),
    "a match without an end": ("return state[0] >= self", "return state[0] > 2 * self",
        "the match did not end by its rules: "),
}  # fmt: skip


@pytest.mark.parametrize(("written", "wrong", "said"), WRONG_GAMES.values(), ids=WRONG_GAMES)
def test_a_wrong_game_in_one_file_is_one_line_with_file_line_and_mistake(
    written: str,
    wrong: str,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert written in RACE
    (tmp_path / "race.py").write_text(RACE.replace(written, wrong, 1), encoding="utf-8")
    assert main(["golden", f"{tmp_path / 'race.py'}:Race", str(tmp_path / "race.jsonl")]) == 2
    printed = capsys.readouterr().err
    assert said in printed
    assert printed.count("\n") == 1


def test_the_game_of_the_page_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "race.py").write_text(RACE, encoding="utf-8")
    assert main(["golden", f"{tmp_path / 'race.py'}:Race", str(tmp_path / "race.jsonl")]) == 0
