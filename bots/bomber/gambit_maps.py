"""The Gambit bot's maps for one tick of a match, and their sum, for spectators."""

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
    """The maps by name, in the write-up's order, as rows from the top; maps that the tick does not need are absent."""

    maps: dict[str, Rows]
    weights: dict[str, float]  # of these maps
    total: Rows  # the weighted sum, on which the bot moves downhill


def gambit_maps(game: Bomber, states: Sequence[State], seat: Seat, *, faithful: bool = False) -> GambitMaps:
    """Compute the maps of the bot on a seat in the last of `states`, which run from the start position on.

    The bot follows the match by the seat's observations, so hidden facts are what it infers.
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
