"""The Gambit bot's maps for a tick of a match, for those who look on: what it adds up, and the sum. Plays nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gridjoust.bots.bomber.gambit import Gambit
from gridjoust.bots.bomber.survey import MapName, choose_weights
from gridjoust.bots.harness import start_bot
from gridjoust.bots.match import make_setup, observe
from gridjoust.games.bomber.rules import Bomber
from gridjoust.games.bomber.state import Seat, State

Rows = list[list[float]]


@dataclass(frozen=True, slots=True)
class GambitMaps:
    """By name in the write-up's order; rows of the board from the top. Maps the tick does not need are left out."""

    maps: dict[str, Rows]
    weights: dict[str, float]  # of the same maps
    total: Rows  # the weighted sum, which the bot rolls down


def gambit_maps(game: Bomber, states: Sequence[State], seat: Seat, *, faithful: bool = False) -> GambitMaps:
    """What the bot on a seat adds up in the last of a match's states, which are all from the deal on.

    It follows the match with the seat's eyes, so what is hidden from the seat is what it makes of it.
    """
    bot = Gambit(faithful=faithful)
    start_bot(bot, make_setup(game, states[0], seats=[seat]))
    *before, last = states
    for state in before:
        bot.look_on(observe(game, state, seat))
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
