"""Games as PettingZoo environments, for training and for baselines.

`make_aec("bomber")` and `make_parallel("bomber")` give an environment of one game; the extra `pettingzoo` installs the
packages. An action is an index into the seat's legal actions, whose texts are in `infos[name]["legal"]`; `action_mask`
marks the legal indices. An illegal index becomes the game's default action, as an illegal answer does in a tournament,
and `infos[name]["illegal"]` is then True.

With `observe="arrays"`, in games that have a module `arrays`, both spaces are fixed: an action is an index into a set
that stays the same in a match, the mask marks the legal ones, and an observation is a `Dict` of arrays whose types and
shapes that module documents. If a game has too many actions, an index is a part of one: the same seat chooses again,
and sees its choices so far, until the action is complete.

A match is PettingZoo's episode, a seat its agent, returns its reward. Rewards are 0 until the end, when they are the
match's returns. Observations are the JSON of briefing and view as bytes, which `read_observation` decodes; pass
`encode` for your own features.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as error:
    raise ImportError(f"{error}: pip install 'gridjoust[pettingzoo]'") from None

from gridjoust.adapters.table import RENDER_MODES, LearningMatch, Observation, Options
from gridjoust.drawing.raster import Pixels
from gridjoust.games.api import Json, ParamValue


def make_aec(game: str, params: Mapping[str, ParamValue] | None = None, **options: Unpack[Options]) -> AecMatch:
    """Make an environment in which one seat acts at a time; simultaneous seats choose in turn, unseen by each other.

    Ricochet is played in mode `solve`; other real-time games are refused. ValueError for arguments that do not fit the
    game.

    Args:
        game: name of the game
        params: the game's parameters; those left out have their defaults
        seats: number of seats; by default the game's minimum
        max_turns: turns after which the match is truncated; by default it is played to its end
        encode: returns your features for (briefing, view); by default JSON as bytes
        observation_space: space of the arrays that `encode` returns
        observe: `json`, or `arrays` in games that have them
        render_mode: `ansi` for the game's text, `rgb_array` for its drawing
    """
    return AecMatch(LearningMatch(game, params, **options))


def make_parallel(
    game: str, params: Mapping[str, ParamValue] | None = None, **options: Unpack[Options]
) -> ParallelMatch:
    """Make an environment in which all seats answer at once.

    Seats that are not to act have no legal action, and their answers are ignored.

    Args:
        game: name of the game
        params: the game's parameters; those left out have their defaults
        seats: number of seats; by default the game's minimum
        max_turns: turns after which the match is truncated; by default it is played to its end
        encode: returns your features for (briefing, view); by default JSON as bytes
        observation_space: space of the arrays that `encode` returns
        observe: `json`, or `arrays` in games that have them
        render_mode: `ansi` for the game's text, `rgb_array` for its drawing
    """
    return ParallelMatch(LearningMatch(game, params, **options))


def read_observation(observation: NDArray[np.uint8]) -> dict[str, Json]:
    """Return `briefing` and `view` of an observation in the default encoding.

    Args:
        observation: the array that the environment gave
    """
    found = json.loads(observation.tobytes().rstrip(b"\0"))
    assert isinstance(found, dict)
    return found


class _Seats:
    """Spaces and metadata of a game, which both kinds of environment share."""

    def __init__(self, learning: LearningMatch) -> None:
        super().__init__()
        self._learning = learning
        spec = learning.game.spec
        name = f"joust_{spec.name}_v{spec.version}"
        self.metadata: dict[str, Any] = {"name": name, "render_modes": RENDER_MODES, "is_parallelizable": True}
        self.render_mode = learning.render_mode
        self.possible_agents = list(learning.names)
        self.agents = list(learning.names)
        self.action_spaces: dict[str, spaces.Space[Any]] = learning.by_name(
            lambda _: spaces.Discrete(learning.action_count)
        )
        self.observation_spaces: dict[str, spaces.Space[Any]] = learning.by_name(
            lambda _: spaces.Dict(
                {"observation": learning.view_space, "action_mask": spaces.MultiBinary(learning.action_count)}
            )
        )

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of a seat, the same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the action space of a seat, the same object at every call."""
        return self.action_spaces[agent]

    def render(self) -> str | Pixels:
        """Return the complete position, hidden things included: as text, or as an array (height, width, 3)."""
        return self._learning.render()

    def close(self) -> None:
        """Do nothing, as the environment holds no resources."""


class AecMatch(_Seats, AECEnv[str, Observation, int | None]):
    """An environment in which one seat acts at a time; see `make_aec`."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - PettingZoo's
        """Start a new match; `options` is ignored."""
        learning = self._learning
        learning.reset(seed)
        self.agents = list(learning.names)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._publish()
        self.agent_selection = self._next_name()

    def observe(self, agent: str) -> Observation:
        """Return the observation of a seat and its action mask."""
        return self._learning.observe(self._learning.names.index(agent))

    def step(self, action: int | None) -> None:
        """Play the action of the selected seat; None only after the end."""
        name = self.agent_selection
        if self.terminations[name] or self.truncations[name]:
            self._was_dead_step(action)
            return
        learning = self._learning
        seat = learning.names.index(name)
        learning.answer(seat, action)
        self._cumulative_rewards[name] = 0.0
        self._clear_rewards()
        if learning.play():
            self._publish()
        else:
            self.infos[name] = learning.info(seat)
        self.agent_selection = self._next_name()
        self._accumulate_rewards()

    def _publish(self) -> None:
        """Set rewards, terminations, truncations and infos after a turn."""
        self.rewards, self.terminations, self.truncations, self.infos = self._learning.outcome()

    def _next_name(self) -> str:
        return self._learning.names[next(self._learning.waiting(), 0)]


class ParallelMatch(_Seats, ParallelEnv[str, Observation, int | None]):
    """An environment in which all seats act at once; see `make_parallel`."""

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - PettingZoo's
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start a new match; return observations and infos by name. `options` is ignored."""
        self._learning.reset(seed)
        self.agents = list(self._learning.names)
        return self._learning.by_name(self._learning.observe), self._learning.by_name(self._learning.info)

    def step(
        self, actions: Mapping[str, int | None]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play a turn, or a part of it; return observations, rewards, terminations, truncations and infos by name."""
        learning = self._learning
        for seat in list(learning.waiting()):
            learning.answer(seat, actions.get(learning.names[seat]))
        learning.play()
        if learning.is_over or learning.is_cut:
            self.agents = []
        return learning.by_name(learning.observe), *learning.outcome()
