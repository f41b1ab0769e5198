"""The clairvoyant planner of eidolon keeps the best line it has seen, and its bounds on turns are the rules' own."""

from __future__ import annotations

import random

from gridjoust import ParamValue
from gridjoust.games.eidolon import Eidolon
from study.eidolon_bound import Found, after, foresee, least_turns, most_turns, played_on, row, worth

SHORT: dict[str, ParamValue] = {"preset": "published", "max_game_rounds": 3}


def test_a_line_played_on_ends_as_the_match_does() -> None:
    game = Eidolon(SHORT, seats=2)
    line = played_on(game, game.initial_state(5), "astar")
    assert game.is_terminal(line[-1])
    assert played_on(game, line[4], "astar")[0] is line[4]
    assert [state.turns for state in line] == list(range(len(line)))


def test_the_clairvoyant_keeps_what_it_begins_with_until_it_finds_better() -> None:
    game = Eidolon(SHORT, seats=2)
    idle = [game.initial_state(5)]
    while not game.is_terminal(idle[-1]):
        idle.append(after(game, idle[-1], game.default_action(idle[-1], 0)))
    found = [worth(foresee(game, [tuple(idle)], tries=tries, rng=random.Random(1))) for tries in (0, 12)]
    assert found[0] == worth(tuple(idle)) == (False, False, 0, 6)
    assert found[1].tokens > 0


def test_bounds_on_turns() -> None:
    three, alone = (Eidolon({"preset": "published"}, seats=seats).rules for seats in (3, 1))
    assert least_turns(three) == 8  # 18 tokens at 1 AP, three seals, the Fire: 22 AP
    assert least_turns(alone) == 14  # 6 × (1 + 2 + 3) + 4 = 40 AP
    assert most_turns(three) == 21 + 11 + 21 + 11 + 11 + 7 + 7 + 7 + 6
    assert most_turns(Eidolon({"preset": "sim4"}, seats=3).rules) == 3 * most_turns(three)


def test_a_row_names_shares_with_intervals_and_the_strict_ceiling() -> None:
    rules = Eidolon({"preset": "published"}, seats=3).rules
    found = [Found((True, False, False, False), clairvoyant=True), Found((False,) * 4, clairvoyant=True)]
    cells = row(3, rules, found)
    assert cells[:3] == ["3", "2", "50% [9%, 91%]"]
    assert cells[6:] == ["100% [34%, 100%]", "100 %", "8 of 102"]
