"""`python -m gridjoust.conformance`: golden records and findings for authors without pytest."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridjoust.conformance.__main__ import main

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
