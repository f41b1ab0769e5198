"""The Gambit bot's maps for one tick of a match, and their sum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from gridjoust.bots.bomber.gambit import Gambit, MapName, choose_weights
from gridjoust.bots.harness import start_bot
from gridjoust.bots.match import make_setup, observe
from gridjoust.games.bomber import Bomber
from gridjoust.games.bomber.state import Seat, State
from tests.games.bomber.scenes import scene

Rows = list[list[float]]


@dataclass(frozen=True, slots=True)
class GambitMaps:
    """The maps by name, in the write-up's order, as rows from the top; maps that the tick does not need are absent."""

    maps: dict[str, Rows]
    weights: dict[str, float]  # of these maps
    total: Rows  # the weighted sum, on which the bot moves downhill


def gambit_maps(game: Bomber, states: Sequence[State], seat: Seat) -> GambitMaps:
    """Compute the maps of the bot on a seat in the last of `states`, which run from the start position on.

    The bot follows the match by the seat's observations, so hidden facts are what it infers.
    """
    bot = Gambit()
    start_bot(bot, make_setup(game, states[0], seats=[seat]))
    *before, last = states
    for state in before:
        bot.act(observe(game, state, seat))
    survey = bot.survey(observe(game, last, seat))
    weights = choose_weights(ammo=survey.now.own.ammo, hp=survey.now.own.hp, has_blocks=bool(survey.now.breakable))
    shown = [name for name in MapName if name in survey.maps and weights[name]]
    width, size = game.rules.width, len(last.blocks)

    def rows(values: Sequence[float]) -> Rows:
        return [list(values[start : start + width]) for start in range(0, size, width)]

    return GambitMaps(
        maps={name.value: rows(survey.maps[name].values) for name in shown},
        weights={name.value: weights[name] for name in shown},
        total=rows([survey.height(cell) for cell in range(size)]),
    )


def test_the_maps_of_the_write_up_add_up_to_the_total() -> None:
    shown = scene("0.s.a", ".....", "..t..", ".....", "o...1", bombs=[(1, 0, 1, 3)])
    found = gambit_maps(shown.game, [shown.state, shown.wait().state], 0)
    assert list(found.maps) == ["reward", "bomb flee", "safe", "safe from old bombs", "ammo"]
    for y in range(5):
        for x in range(5):
            parts = [found.weights[name] * rows[y][x] for name, rows in found.maps.items()]
            assert found.total[y][x] == pytest.approx(sum(parts))
    assert found.weights["safe from old bombs"] == 25


def test_without_blocks_the_other_maps_count() -> None:
    shown = scene("0....", "..t..", "....1")
    assert set(gambit_maps(shown.game, [shown.state], 0).maps) == {"ammo", "treasure", "centre", "run"}


def test_a_recorded_match_can_be_looked_at_from_either_seat() -> None:
    game = Bomber()
    state = game.initial_state(3)
    totals = [gambit_maps(game, [state], seat).total for seat in (0, 1)]
    assert totals[0] != totals[1]
    assert [len(totals[0]), len(totals[0][0])] == [9, 9]
