"""Plays bots on the rules of eidolon in this process. Judges nothing."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bots.api import Bot, MatchSetup, Observation
from games.api import ParamValue, Turn
from games.eidolon import Eidolon
from games.eidolon.state import State
from tests.games.eidolon.scenes import Scene

MakeBots = Sequence[Bot]


def setup_for(game: Eidolon, state: State, seats: Sequence[int], *, bot_seed: int = 1) -> MatchSetup:
    return MatchSetup(
        match="test",
        game="eidolon",
        game_version=game.spec.version,
        variant="test",
        params=dict(game.params),
        seats=list(seats),
        seat_count=game.seats,
        teams=list(game.teams),
        roles=list(game.roles),
        briefing={str(seat): game.briefing(state, seat) for seat in seats},
        bot_seed=bot_seed,
        dynamics=game.spec.dynamics.value,
        turn_ms=None,
    )


@dataclass(frozen=True)
class Answer:
    """One question and what the bot made of it."""

    before: State
    seat: int
    text: str
    bot: Bot


def answers(game: Eidolon, seed: int, bots: Sequence[Bot]) -> Iterator[Answer]:
    """A match, answer by answer: one bot holds all seats, or there is one a seat."""
    state = game.initial_state(seed)
    holders = list(bots) * game.seats if len(bots) == 1 else list(bots)
    for bot in bots:
        bot.rng = random.Random(seed)
        bot.start(setup_for(game, state, [seat for seat, holder in enumerate(holders) if holder is bot]))
    while not game.is_terminal(state):
        (seat,) = game.seats_to_act(state)
        yield Answer(state, seat, text := ask(game, state, seat, holders[seat]), holders[seat])
        state = game.apply(state, Turn({seat: game.parse_action(text)}, state.turns + 1))
    yield Answer(state, -1, "", holders[0])


def ask(game: Eidolon, state: State, seat: int, bot: Bot) -> str:
    legal = [str(game.default_action(state, seat))]
    view = game.observation(state, seat)
    return bot.act(Observation(seat=seat, turn=state.turns + 1, view=view, legal=legal, legal_complete=False))


def first_answer(bot: Bot, here: Scene, seat: int = 0) -> str:
    """What a bot that holds all seats answers in this situation, without the words."""
    bot.start(setup_for(here.game, here.state, range(here.game.seats)))
    return re.sub(r' say ".*"', "", ask(here.game, here.state, seat, bot))


def play(
    *bots: Bot, preset: str, seats: int, seed: int, params: Mapping[str, ParamValue] | None = None
) -> tuple[Eidolon, State]:
    """A whole match; the game and its last state."""
    game = Eidolon({"preset": preset, **(params or {})}, seats=seats)
    *_, last = answers(game, seed, bots)
    return game, last.before


def ap_spent(state: State) -> int:
    return sum(hero.ap_spent for hero in state.heroes)
