"""The list of a results folder's matches, and the newest of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gridjoust.commands.matches import newest
from gridjoust.runner.results.records.file import list_ids
from gridjoust.runner.wire.errors import ConfigError
from tests.gridjoust.commands.desk import Desk

SAMPLE = Path(__file__).parents[3] / "results" / "sample"


def test_every_match_is_a_line_with_points_and_its_end(desk: Desk) -> None:
    lines = desk.read("matches", str(SAMPLE))[1].splitlines()
    assert {line[:8] for line in lines[:-2]} == {match[:8] for match in list_ids(SAMPLE)}
    assert lines[-3] == "bcc45f89  bomber, round 1: wanderer 0 : 1 gambit; completed: gambit is the last survivor"
    assert lines[-1] == f"show one: joust replay {SAMPLE} bcc45f89"


def test_the_matches_of_a_bot_and_those_that_it_lost_can_be_picked(desk: Desk) -> None:
    def ids(*options: str) -> list[str]:
        return [
            line[:8] for line in desk.read("matches", str(SAMPLE), *options)[1].splitlines() if ": joust" not in line
        ]

    assert ids("--bot", "random") == ["d47a8c3b", "57de28c3", "12770f4a", "0efefdaa", ""]
    assert ids("--bot", "random", "--lost") == ["57de28c3", "12770f4a", "0efefdaa", ""]


def test_programs_get_every_match_with_its_seats(desk: Desk) -> None:
    found = json.loads(desk.read("matches", str(SAMPLE), "--json")[1])
    assert [match["id"] for match in found][-1] == "bcc45f892b255f9a"
    assert found[-1]["result"] == "wanderer 0 : 1 gambit"
    assert [(seat["bot"], seat["rank"], seat["points"]) for seat in found[-1]["seats"]] == [
        ("wanderer", 2, 0.0),
        ("gambit", 1, 1.0),
    ]
    assert json.loads(desk.read("matches", str(SAMPLE), "--bot", "gambit", "--lost", "--json")[1]) == []


@pytest.mark.parametrize(
    ("options", "mistake"),
    [
        (("--lost",), "--lost works only with --bot"),
        (("--bot", "wandere"), "--bot: expected wanderer, got 'wandere'"),
    ],
)
def test_a_mistake_is_one_line(desk: Desk, options: tuple[str, ...], mistake: str) -> None:
    code, said = desk.joust("matches", str(SAMPLE), *options)
    assert (code, said.count("\n")) == (2, 1)
    assert mistake in said


def test_replay_of_a_folder_shows_the_newest_match_and_how_to_pick_another(desk: Desk, tmp_path: Path) -> None:
    assert newest(SAMPLE) == "bcc45f892b255f9a"
    said = desk.joust("replay", str(SAMPLE), "--turn", "0")[1]
    assert said == f"the newest match, bcc45f892b255f9a; to pick another: joust matches {SAMPLE}\n"
    (tmp_path / "results.csv").write_text((SAMPLE / "results.csv").read_text().splitlines()[0] + "\n")
    with pytest.raises(ConfigError, match="no match in"):
        newest(tmp_path)
