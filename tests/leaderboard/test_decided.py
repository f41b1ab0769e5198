"""The course of a decided tournament, drawn."""

from __future__ import annotations

import pytest

from gridjoust.leaderboard.decided import bracket, how_decided, in_bracket_order, outcome_of, round_texts
from gridjoust.runner.results.tables.schedule_file import Decision, Encounter, Place, Round

COURSE = (
    Round(
        "quarter-final",
        (
            Encounter(("ada", "bob"), (0.75, 0.25), "ada"),
            Encounter(("c", "d"), (0.5, 0.5), "d", "drawn by lot"),
            Encounter(("e", "f"), (0, 1), "f"),
        ),
        ("g",),
    ),
    Round("semi-final", (Encounter(("ada", "d"), (1, 0), "ada"), Encounter(("f", "g"), (0.25, 0.75), "g"))),
    Round("match for place 3", (Encounter(("d", "f"), (0.625, 0.375), "d"),)),
    Round("final", (Encounter(("ada", "g"), (0.5, 0.5), "g", "more wins"),)),
)
DRAWN = """\
ada 0.75 ┐
         ├ ada 1.00 ┐
bob 0.25 ┘          │
                    ├ ada 0.50 ┐
c 0.50 ──┐          │          │
         ├ d 0.00 ──┘          │
d 0.50 ──┘                     ├ g
                               │
e 0.00 ──┐                     │
         ├ f 0.25 ──┐          │
f 1.00 ──┘          ├ g 0.50 ──┘
                    │
g ──────── 0.75 ────┘

quarter-final: c 0.50–0.50 d (drawn by lot)
final: ada 0.50–0.50 g (more wins)
match for place 3: d 0.62–0.38 f
"""


def test_a_knockout_is_a_tree_with_a_line_for_who_rests_and_other_matches_below() -> None:
    assert "\n".join(bracket(COURSE)) + "\n" == DRAWN


UPSET = (
    Round("semi-final", (Encounter(("one", "four"), (0.0, 1.0), "four"), Encounter(("two", "three"), (0, 1), "three"))),
    Round("small final", (Encounter(("one", "two"), (1.0, 0.0), "one"),)),
    Round("final", (Encounter(("three", "four"), (1.0, 0.0), "three"),)),
)


def test_rounds_are_listed_from_the_top_of_the_tree_down_and_the_match_for_third_place_last() -> None:
    decision = Decision("knockout", "reached", (), UPSET)
    drawn = [line.split()[0] for line in bracket(UPSET) if line and line[0] != " " and ":" not in line]
    assert drawn == ["two", "three", "one", "four"]
    assert [bot for met in in_bracket_order(decision)[0].encounters for bot in met.bots] == drawn
    assert [name for name, _ in round_texts(decision)] == ["semi-final", "final", "small final"]


def _swiss(*results: tuple[int, str, str, str]) -> Decision:
    return Decision("swiss", "score", tuple(Place(*own) for own in results), tie_break="Buchholz")


OUTCOMES = {
    "gambit (G) and astar are level in the Swiss system with 2.5 (Buchholz 6); gambit is listed first": _swiss(
        (1, "gambit", "2.5", "6"), (1, "astar", "2.5", "6"), (3, "random", "1", "7")
    ),
    "gambit (G) wins the Swiss system with a score of 2.5 (Buchholz 7), ahead of astar with 2.5 (Buchholz 6)": _swiss(
        (1, "gambit", "2.5", "7"), (2, "astar", "2.5", "6")
    ),
    "gambit (G) wins the Swiss system with a score of 3, ahead of astar with 2.5": _swiss(
        (1, "gambit", "3", "5"), (2, "astar", "2.5", "6")
    ),
    "": _swiss(),
}


@pytest.mark.parametrize(("sentence", "decision"), OUTCOMES.items())
def test_who_is_level_by_score_and_tie_break_is_said_to_be_so(sentence: str, decision: Decision) -> None:
    assert outcome_of(decision, {"gambit": "G"}) == sentence


def test_the_tie_break_is_named() -> None:
    assert "equal scores ordered by Buchholz" in how_decided(_swiss((1, "a", "1", "0")))
    assert "equal" not in how_decided(Decision("ladder", "", (Place(1, "a"),)))
