"""One seat of a game as a Gymnasium environment, with bots on all other seats.

`make_env("bomber", opponents=["random"])` is what libraries for one learner train on: Stable-Baselines3, CleanRL and
others. `action_masks()` marks the legal actions, under the name that `sb3_contrib.MaskablePPO` asks for.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from gridjoust.adapters.table import RENDER_MODES, LearningMatch, Options

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise ImportError(f"{error}: pip install 'gridjoust[pettingzoo]'") from None

from gridjoust.bots import load_bot_spec
from gridjoust.bots.answers import answer_text
from gridjoust.bots.api import Bot
from gridjoust.bots.harness import start_bot
from gridjoust.bots.match import make_setup, observe
from gridjoust.drawing.raster import Pixels
from gridjoust.games.api import IllegalAction, Json, ParamValue

BotSpec = str | type[Bot]
"""`"bomber/astar"`, `"my_bot.py:Mine"`, or a subclass of Bot."""


def make_env(
    game: str,
    params: Mapping[str, ParamValue] | None = None,
    *,
    opponents: Sequence[BotSpec] = ("random",),
    seat: int | None = None,
    **options: Unpack[Options],
) -> SeatEnv:
    """Make an environment for one learner; built-in or own bots play the other seats.

    An illegal answer of an opponent becomes the game's default action. ValueError for arguments that do not fit the
    game.

    Args:
        game: name of the game
        params: the game's parameters; those left out have their defaults
        opponents: bots for the other seats in order, or one for all: a name, `my_bot.py:Mine` or a class
        seat: the learner's seat; by default drawn for every match
        seats: number of seats; by default the game's minimum
        max_turns: turns after which the match is truncated; by default it is played to its end
        encode: returns your features for (briefing, view); by default JSON as bytes
        observation_space: space of the arrays that `encode` returns
        observe: `json`, or `arrays` in games that have them
        render_mode: `ansi` for the game's text, `rgb_array` for its drawing
    """
    return SeatEnv(LearningMatch(game, params, **options), opponents, seat)


class SeatEnv(gymnasium.Env[Any, Any]):
    """An environment of the learner's seat, match after match; see `make_env`."""

    def __init__(self, learning: LearningMatch, opponents: Sequence[BotSpec], seat: int | None) -> None:
        others = learning.game.seats - 1
        if len(opponents) not in {1, others}:
            raise ValueError(f"opponents: expected {others}, one a seat, or one for all, got {len(opponents)}")
        if seat is not None and not 0 <= seat < learning.game.seats:
            raise ValueError(f"seat: expected 0 to {others}, got {seat}")
        classes = [load_bot_spec(one) if isinstance(one, str) else one for one in opponents]
        self._learning = learning
        self._classes = classes * others if len(classes) == 1 else classes
        self._wanted_seat = seat
        self.metadata = {"render_modes": RENDER_MODES}
        self.render_mode = learning.render_mode
        self.action_space = spaces.Discrete(learning.action_count)
        self.observation_space = learning.view_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a new match; `options` is ignored. Return observation and info."""
        super().reset(seed=seed, options=options)
        learning = self._learning
        learning.reset(seed)
        wanted = self._wanted_seat
        self.seat = int(self.np_random.integers(learning.game.seats)) if wanted is None else wanted
        self._bots = self._start_bots()
        self._let_others_play()
        return learning.encoded(self.seat), learning.info(self.seat)

    def step(self, action: int | np.integer[Any]) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, and the others' until the learner's next choice or the end of the match.

        Return observation, reward, terminated, truncated and info.
        """
        learning, seat = self._learning, self.seat
        if seat in learning.waiting():  # else the match was cut before its turn came
            learning.answer(seat, int(action))
        self._let_others_play()
        return learning.encoded(seat), learning.rewards()[seat], learning.is_over, learning.is_cut, learning.info(seat)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return a mask of the action indices, True for legal ones."""
        return self._learning.mask(self.seat).astype(np.bool_)

    def view(self) -> dict[str, Json]:
        """Return the learner's observation as a bot gets it."""
        seen: dict[str, Json] = self._learning.view(self.seat)
        return seen

    def render(self) -> str | Pixels:
        """Return the complete position, hidden things included, as text or as pixels."""
        return self._learning.render()

    def _start_bots(self) -> dict[int, Bot]:
        game, state = self._learning.game, self._learning.match.state
        seats = [seat for seat in range(game.seats) if seat != self.seat]
        bots = {seat: make() for seat, make in zip(seats, self._classes, strict=True)}
        chance = random.Random(int(self.np_random.integers(2**53)))
        for seat, bot in bots.items():
            start_bot(bot, make_setup(game, state, seats=[seat], bot_seed=chance.getrandbits(53)))
        return bots

    def _let_others_play(self) -> None:
        """Play the other seats' turns until the learner has to choose or the match is over."""
        learning = self._learning
        while not (learning.is_over or learning.is_cut):
            waiting = list(learning.waiting())
            for seat in waiting:
                if seat != self.seat:
                    self._ask(seat)
            if self.seat in waiting or not learning.play():
                return

    def _ask(self, seat: int) -> None:
        learning, bot = self._learning, self._bots[seat]
        question = observe(learning.game, learning.match.state, seat, turn=learning.match.turns + 1)
        try:
            action = learning.game.parse_action(answer_text(bot.act(question), bot, question))
        except (ValueError, IllegalAction):
            action = None
        is_legal = action is not None and learning.game.is_legal(learning.match.state, seat, action)
        learning.take(seat, action if is_legal else None)
