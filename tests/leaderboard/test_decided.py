"""The course of a decided tournament, drawn."""

from __future__ import annotations

from leaderboard.decided import bracket
from runner.tables.schedule_file import Encounter, Round

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

match for place 3: d 0.625–0.375 f
"""


def test_a_knockout_is_a_tree_with_a_line_for_who_rests_and_other_matches_below() -> None:
    assert "\n".join(bracket(COURSE)) + "\n" == DRAWN
