"""Bots of bomber at a drawn board: seated and asked as a harness would. Holds no expectations."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import TypeVar

from gridjoust.bots.api import Bot, Observation
from gridjoust.bots.bomber.situation import Situation
from gridjoust.bots.match import PlayedMatch, observe, play_match
from gridjoust.games.api import ParamValue
from gridjoust.games.bomber import Bomber
from gridjoust.games.bomber.actions import ACTIONS, Action
from gridjoust.games.bomber.state import State
from gridjoust.games.play import play
from tests.bots import seats as seats_of
from tests.games.bomber.scenes import Scene

B = TypeVar("B", bound=Bot)
MakeBot = Callable[[], Bot]


def seated(bot: B, shown: Scene, *, seed: int = 0, seats: tuple[int, ...] = (0,)) -> B:
    """The bot, started."""
    return seats_of.seated(bot, shown.game, shown.state, seats=seats, seed=seed)


def situation(shown: Scene, *, seat: int = 0) -> Situation:
    """The scene as a seat sees it that knows everything."""
    return Situation(shown.game.rules, shown.state, seat)


def question(shown: Scene, *, seat: int = 0) -> Observation:
    """What the seat sees."""
    return observe(shown.game, shown.state, seat)


def asked(bot: Bot, shown: Scene, *, seat: int = 0) -> str:
    """One answer."""
    return bot.act(question(shown, seat=seat))


def answer(shown: Scene, bot: Bot, *, seed: int = 0) -> str:
    """The first answer of a bot that has just sat down."""
    return asked(seated(bot, shown, seed=seed), shown)


def followed(bot: Bot, shown: Scene, ticks: int) -> Scene:
    """The scene after the bot has played seat 0 while the other seat waits."""
    seated(bot, shown)
    for _ in range(ticks):
        shown = shown.play(f"{asked(bot, shown)} wait")
    return shown


def played(*bots: Bot, seed: int, **params: ParamValue) -> PlayedMatch[State, Action]:
    """A lockstep match."""
    return play_match(Bomber(params, seats=len(bots)), bots, seed=seed)


def duel(make: MakeBot, opponent: MakeBot, number: int) -> tuple[float, Mapping[str, float]]:
    """Return and metrics of the first bot; seats swap with every match of a seed."""
    seed, seat = divmod(number, 2)
    bots = [make(), opponent()]
    match = played(*(bots if seat == 0 else bots[::-1]), seed=seed, preset="coderone", max_ticks=160)
    return match.returns[seat], match.metrics[seat]


def played_with_gaps(bot: Bot, *, seed: int) -> Scene:
    """A match against the clock in which the bot misses every seventh tick, against random moves."""
    game = Bomber({"preset": "coderone", "max_ticks": 150, "pace": "realtime"})
    shown = Scene(game, game.initial_state(seed))
    seated(bot, shown, seed=seed)
    walker = random.Random(seed)

    def choose(state: State, seat: int) -> Action | None:
        if seat == 1:
            return walker.choice(ACTIONS)
        return game.parse_action(asked(bot, Scene(game, state))) if state.tick % 7 else None

    return Scene(game, play(game, choose, state=shown.state))
