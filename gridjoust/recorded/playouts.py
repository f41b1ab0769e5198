"""Playouts: quick bots play a match on from one of its turns, in this process and by the rules.

Each playout draws future chance anew, and everything that no seat can know. What only one side knows stays as it is.
All randomness comes from the seed, the match, the turn and the playout's number, so an analysis repeats exactly.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gridjoust.bots import load_bot_spec
from gridjoust.bots.answers import NoAnswerError, act_text, answer_text
from gridjoust.bots.api import AnytimeBot, Bot, Deadline, Observation
from gridjoust.bots.match import SeatedBots, observe
from gridjoust.games.api import AnyGame, Dynamics, IllegalAction, Seat
from gridjoust.games.play import Match
from gridjoust.runner.results.scoring import rank_seats, share_points
from gridjoust.runner.wire.errors import ConfigError

QUICK_BOTS = {
    "bomber": "bomber/dijkstra_map",
    "eidolon": "eidolon/dijkstra_map",
    "heroquest": "heroquest/dijkstra_map",
    "navigation": "navigation/astar",
    "placement": "placement/astar",
    "ricochet": "ricochet/beam",
}
ANY_GAME = "random"
WORK = 100_000  # limit of successors per answer
_SEED_BITS = 53


def choose_bots(game: AnyGame, named: Sequence[str]) -> list[str]:
    """Choose a bot for every seat: that of `role=bot` for its role, else that of `bot`, else the game's quick bot."""
    by_role: dict[str | None, str] = {None: QUICK_BOTS.get(game.spec.name, ANY_GAME)}
    for text in named:
        role, equals, bot = text.partition("=")
        if equals and role not in game.roles:
            roles = ", ".join(dict.fromkeys(filter(None, game.roles))) or "none"
            raise ConfigError(f"--bot: expected a role of {game.spec.name} before '=' ({roles}), got {text!r}")
        by_role[role if equals else None] = bot if equals else text
    chosen = [by_role.get(role, by_role[None]) for role in game.roles]
    for bot in dict.fromkeys(chosen):
        _check_bot(bot, game.spec.name)
    return chosen


def _check_bot(spec: str, game: str) -> None:
    try:
        found = load_bot_spec(spec)
    except ValueError as error:
        raise ConfigError(f"--bot: {error}") from None
    if found.plays and game not in found.plays:
        raise ConfigError(f"--bot: expected a bot that plays {game}, got {spec}")


@dataclass(frozen=True, slots=True)
class Situation:
    """Start of playouts: a state of the match with its turn and match time (ms in real-time games)."""

    game: AnyGame
    match_id: str
    turn: int
    state: Any
    stamp: int

    def play_on(self, bots: Sequence[str], *, number: int, seed: int) -> Any:
        """Play one playout with new bots and return its final state."""
        chance = random.Random(f"analyse/{seed}/{self.match_id}/{self.turn}/{number}")
        game = self.game
        start = game.redeal_unknown(self.state, chance)
        match = Match(game, start, stamp=self.stamp)
        makers = {spec: load_bot_spec(spec) for spec in dict.fromkeys(bots)}
        seated = SeatedBots(game, start, [makers[spec]() for spec in bots], seed=chance.getrandbits(_SEED_BITS))
        seated.turn = self.turn + 1
        is_real_time = game.spec.dynamics is Dynamics.REAL_TIME
        while not match.is_over:
            match.step(lambda state, seat: _choose(seated, state, seat))
            seated.turn += 1
            if is_real_time:
                seated.hear(match)
        return match.state


def _choose(seated: SeatedBots[Any, Any], state: Any, seat: Seat) -> Any | None:
    """Return the action of the seat's bot; None (the default action) if it gives none or an illegal one."""
    game, bot = seated.game, seated.by_seat[seat]
    try:
        action = game.parse_action(_answer(bot, observe(game, state, seat, turn=seated.turn)))
    except (NoAnswerError, IllegalAction, ValueError):
        return None
    return action if game.is_legal(state, seat, action) else None


def _answer(bot: Bot, question: Observation) -> str:
    """Ask the bot with a limit on work, so that its answer does not depend on the machine."""
    bot.stats = None
    bot.work.refill(WORK)
    if not isinstance(bot, AnytimeBot):
        return act_text(bot, question)
    deadline, best = Deadline(None, lambda: 0.0, bot.work), None
    for better in bot.improve(question, deadline):
        best = best if better is None else better
        if deadline.is_over():
            break
    return answer_text(best, bot, question, method="improve")


@dataclass(frozen=True, slots=True)
class Winning:
    """What counts as a win: to beat the other teams, or to reach the game's goal if there is only one team."""

    game: AnyGame
    goal: str

    @classmethod
    def of(cls, game: AnyGame) -> Winning:
        """Return what counts as a win in a game; ConfigError if it has neither several teams nor a goal."""
        if len(set(game.teams)) > 1:
            return cls(game, "")
        goals = (name for name, metric in game.spec.metrics.items() if metric.is_goal and metric.better == "higher")
        goal = next(goals, None)
        if goal is None:
            why = f"{game.spec.name} has one side and no goal among its metrics"
            raise ConfigError(f"this match has no win to estimate: {why}")
        return cls(game, goal)

    @property
    def sides(self) -> list[int]:
        """Numbers of the teams, sorted."""
        return sorted(set(self.game.teams))

    def shares(self, state: Any) -> list[float]:
        """Return each team's share of the others that it beats (ties: half); of a single team, its mean goal metric."""
        game = self.game
        if self.goal:
            reached: Sequence[Mapping[str, float]] = game.metrics(state)
            return [sum(own[self.goal] for own in reached) / len(reached)]
        return self.by_side(share_points(game.teams, rank_seats(game.teams, game.returns(state), {})))

    def by_side(self, points: Sequence[float | None]) -> list[float]:
        """Return each team's points, those of its first seat; 0 if they are None. `points`: by seat."""
        return [points[self.game.teams.index(side)] or 0.0 for side in self.sides]
