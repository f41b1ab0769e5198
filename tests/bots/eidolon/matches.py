"""Plays bots on the rules of eidolon in this process. Judges nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gridjoust.bots.api import Bot
from gridjoust.bots.eidolon.astar import AStarHero
from gridjoust.bots.eidolon.beam import BeamHero
from gridjoust.bots.eidolon.dijkstra_map import DijkstraMapHero
from gridjoust.bots.eidolon.dstar_lite import DStarLiteHero
from gridjoust.bots.eidolon.hero import HeroBot
from gridjoust.bots.match import watch_match
from gridjoust.games.api import ParamValue
from gridjoust.games.eidolon import Eidolon
from gridjoust.games.eidolon.state import State
from tests.bots.seats import asked, seated
from tests.games.eidolon.scenes import Scene

MEASURE = AStarHero().measure
HEROES: tuple[type[HeroBot], ...] = (AStarHero, DStarLiteHero, DijkstraMapHero, BeamHero)


@dataclass(frozen=True)
class Answer:
    """One question and what the bot made of it."""

    before: State
    seat: int
    text: str
    bot: Bot


def answers(game: Eidolon, seed: int, bots: Sequence[Bot]) -> Iterator[Answer]:
    """A match, answer by answer: one bot holds all seats, or there is one a seat."""
    holders = list(bots) * game.seats if len(bots) == 1 else list(bots)
    for state, turn in watch_match(game, holders, seed=seed):
        if turn is None:
            yield Answer(state, -1, "", holders[0])
        else:
            ((seat, action),) = turn.actions.items()
            yield Answer(state, seat, str(action), holders[seat])


def first_answer(bot: Bot, here: Scene, seat: int = 0) -> str:
    """What a bot that holds all seats answers in this situation, without the words."""
    seated(bot, here.game, here.state, seats=range(here.game.seats))
    return re.sub(r' say ".*"', "", asked(bot, here.game, here.state, seat=seat))


def play(
    *bots: Bot, preset: str, seats: int, seed: int, params: Mapping[str, ParamValue] | None = None
) -> tuple[Eidolon, State]:
    """A whole match; the game and its last state."""
    game = Eidolon({"preset": preset, **(params or {})}, seats=seats)
    *_, last = answers(game, seed, bots)
    return game, last.before
