"""Games as PettingZoo environments, for training and for baselines. Starts no bots, keeps no records, ranks nobody.

`make_aec("bomber")` and `make_parallel("bomber")` give an environment of one game; the extra `pettingzoo` installs
what they need. An action is an index into the seat's legal actions, whose texts are in `infos[name]["legal"]`;
`action_mask` marks the indices that are legal. An index that is not becomes the game's default action, as an illegal
answer does in a tournament, and `infos[name]["illegal"]` says so.

With `observe="arrays"` both spaces are fixed, in games that have a module `arrays` (bomber, navigation): an action is
an index into the game's whole action set, the mask marks the legal ones, and an observation is a `Dict` of arrays whose
types and shapes that module documents.

Here a match is PettingZoo's episode, a seat its agent, returns its reward. Rewards are 0 until the end and the match's
returns then. Observations are the JSON of briefing and view as bytes, `read_observation` turns them back; pass `encode`
for features of your own.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, TypedDict, TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as error:
    raise ImportError(f"{error}: pip install 'gridjoust[pettingzoo]'") from None

import games
from games.api import AnyGame, Dynamics, Json, ParamValue
from games.play import Match
from games.registry import find_room
from gridjoust.drawn import draw_state
from gridjoust.raster import Pixels, pixels

T = TypeVar("T")
Observation = dict[str, Any]  # "observation" as encoded, "action_mask" of 0 and 1
Encode = Callable[[Json, Json], NDArray[Any]]  # (briefing, view) -> array

OBSERVATION_BYTES = 32_768
MAX_ACTIONS = 512
_SEED_BITS = 53  # seeds are exact in every language's numbers


class Options(TypedDict, total=False):
    """How an environment differs from the game: see `make_aec`."""

    seats: int | None
    max_turns: int | None
    encode: Encode | None
    observation_space: spaces.Space[Any] | None
    observe: Literal["json", "arrays"]
    render_mode: Literal["ansi", "rgb_array"]


def make_aec(game: str, params: Mapping[str, ParamValue] | None = None, **options: Unpack[Options]) -> AecMatch:
    """A game in which one seat acts at a time; seats that act at once are asked one after another, unseen.

    `params` and `seats` as in a tournament file; ricochet is played in mode `solve`, others in real time are refused.
    After `max_turns` the match is truncated. `encode` needs the `observation_space` of its arrays. `render_mode` says
    whether `render` gives the game's text or its drawing as pixels. ValueError names what does not fit.
    """
    return AecMatch(_Table(game, params, **options))


def make_parallel(
    game: str, params: Mapping[str, ParamValue] | None = None, **options: Unpack[Options]
) -> ParallelMatch:
    """A game in which all seats answer at once; those whose turn it is not have no legal action and are not heard.

    Options as of `make_aec`.
    """
    return ParallelMatch(_Table(game, params, **options))


def read_observation(observation: NDArray[np.uint8]) -> dict[str, Json]:
    """`briefing` and `view` of an observation that was not encoded otherwise."""
    found = json.loads(observation.tobytes().rstrip(b"\0"))
    assert isinstance(found, dict)
    return found


class _Table:
    """The match under way: what both environments share."""

    def __init__(
        self,
        game: str,
        params: Mapping[str, ParamValue] | None,
        *,
        seats: int | None = None,
        max_turns: int | None = None,
        encode: Encode | None = None,
        observation_space: spaces.Space[Any] | None = None,
        observe: Literal["json", "arrays"] = "json",
        render_mode: Literal["ansi", "rgb_array"] = "ansi",
    ) -> None:
        self.game = _make_game(game, params, seats)
        self.render_mode = render_mode
        if render_mode == "rgb_array" and find_room(game, "drawing") is None:
            raise ValueError(f"render_mode: expected ansi for {game}, which has no drawing, got rgb_array")
        self.names = [f"seat_{seat}" for seat in range(self.game.seats)]
        if (encode is None) != (observation_space is None):
            raise ValueError("encode: expected an observation_space with it, got one without the other")
        self._encode: Callable[[Json, Json], Any] = encode or _encode_json
        self.view_space = observation_space or spaces.Box(0, 255, (OBSERVATION_BYTES,), np.uint8)
        self.actions: tuple[str, ...] | None = None  # all of them, where there is a fixed set
        if observe == "arrays":
            if encode is not None:
                raise ValueError("encode: expected observe='json' with it, got arrays")
            self._observe_arrays()
        whole: tuple[str, ...] = self.actions or ()
        self._place = {text: at for at, text in enumerate(whole)}
        self.action_count = MAX_ACTIONS if self.actions is None else len(self.actions)
        self._max_turns = max_turns
        self._rng = random.Random()
        self.reset(None)

    def _observe_arrays(self) -> None:
        """The game's fixed action set and its arrays; ValueError for a game without."""
        name, room = self.game.spec.name, find_room(self.game.spec.name, "arrays")
        if room is None:
            raise ValueError(f"observe: expected json for {name}, whose rules give no fixed arrays, got arrays")
        self.actions, self._encode = room.ACTIONS, partial(room.arrays, self.game)
        self.view_space = spaces.Dict({key: _box(*one) for key, one in room.shapes(self.game).items()})

    def reset(self, seed: int | None) -> None:
        """Deal: from `seed`, or from the next of the stream that the last one began."""
        if seed is not None:
            self._rng = random.Random(seed)
        match_seed = self._rng.getrandbits(_SEED_BITS) if seed is None else seed
        self.match = Match(self.game, self.game.initial_state(match_seed))
        self._briefings = [self.game.briefing(self.match.state, seat) for seat in range(self.game.seats)]
        self.illegal: set[int] = set()  # seats whose last answer was not legal
        self._open()

    def play(self, indices: Mapping[int, int | None]) -> None:
        """One turn: an index of each seat to act; None or one that is not legal stands for the default action."""
        self.illegal = set()

        def choose(state: Any, seat: int) -> Any:  # noqa: ARG001 - the shape that a match calls
            index = indices.get(seat)
            chosen = None if index is None else self.indexed[seat].get(index)
            if chosen is None:
                self.illegal.add(seat)
            return chosen

        self.match.step(choose)
        self._open()

    def _index(self, legal: tuple[Any, ...]) -> dict[int, Any]:
        """Index -> legal action: its place among the legal ones, or in the game's whole set."""
        if self.actions is None:
            return dict(enumerate(legal))
        return {self._place[str(action)]: action for action in legal if str(action) in self._place}

    def _open(self) -> None:
        self.is_over = self.game.is_terminal(self.match.state)
        self.is_cut = not self.is_over and self._max_turns is not None and self.match.turns >= self._max_turns
        self.to_act: tuple[int, ...] = () if self.is_over else self.game.seats_to_act(self.match.state)
        self.legal = {seat: self.game.legal_actions(self.match.state, seat) for seat in self.to_act}
        self.indexed = {seat: self._index(legal) for seat, legal in self.legal.items()}
        longest = max(map(len, self.legal.values()), default=0)
        if longest > MAX_ACTIONS and self.actions is None:
            raise ValueError(f"{self.game.spec.name}: expected at most {MAX_ACTIONS} legal actions, got {longest}")

    def observe(self, seat: int) -> Observation:
        """What the seat may know now, and which indices it may answer."""
        view = self.game.observation(self.match.state, seat)
        mask = np.zeros(self.action_count, np.int8)
        mask[list(self.indexed.get(seat, ()))] = 1
        return {"observation": self._encode(self._briefings[seat], view), "action_mask": mask}

    def info(self, seat: int) -> dict[str, Any]:
        """What is not part of an observation: legal actions as texts, whether the last one was not legal."""
        legal = [str(action) for action in self.legal.get(seat, ())]
        return {"seat": seat, "legal": legal, "illegal": seat in self.illegal}

    def by_name(self, value: Callable[[int], T]) -> dict[str, T]:
        """A value of every seat under the seat's name."""
        return {name: value(seat) for seat, name in enumerate(self.names)}

    def outcome(self) -> tuple[dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Rewards, terminations, truncations and infos by name; rewards are 0 until the match is over by its rules."""
        returns = self.game.returns(self.match.state) if self.is_over else [0.0] * self.game.seats
        return (
            self.by_name(lambda seat: float(returns[seat])),
            dict.fromkeys(self.names, self.is_over),
            dict.fromkeys(self.names, self.is_cut),
            self.by_name(self.info),
        )


def _make_game(name: str, params: Mapping[str, ParamValue] | None, seats: int | None) -> AnyGame:
    preset: Mapping[str, ParamValue] = getattr(find_room(name, "params"), "IN_TURNS", {})
    game = games.make(name, {**preset, **(params or {})}, seats=seats)
    if game.spec.dynamics in (Dynamics.REAL_TIME, Dynamics.TICKED):
        raise ValueError(f"{name}: expected a game of turns, got dynamics {game.spec.dynamics.value}")
    return game


def _box(kind: type[np.generic], shape: tuple[int, ...]) -> spaces.Box:
    """All values of a type; counts and shares have no end that all games share."""
    if kind is np.uint8:
        return spaces.Box(0, 255, shape, np.uint8)
    return spaces.Box(-np.inf, np.inf, shape, np.float32)


def _encode_json(briefing: Json, view: Json) -> NDArray[np.uint8]:
    text = json.dumps({"briefing": briefing, "view": view}, separators=(",", ":"), sort_keys=True).encode()
    if len(text) > OBSERVATION_BYTES:
        raise ValueError(
            f"observation: expected at most {OBSERVATION_BYTES} bytes of JSON, got {len(text)}: use encode"
        )
    encoded = np.zeros(OBSERVATION_BYTES, np.uint8)
    encoded[: len(text)] = np.frombuffer(text, np.uint8)
    return encoded


class _Seats:
    """What both environments say of their game, whoever is asked when."""

    def __init__(self, table: _Table) -> None:
        super().__init__()
        self._table = table
        spec = table.game.spec
        name = f"joust_{spec.name}_v{spec.version}"
        self.metadata: dict[str, Any] = {"name": name, "render_modes": ["ansi", "rgb_array"], "is_parallelizable": True}
        self.render_mode = table.render_mode
        self.possible_agents = list(table.names)
        self.agents = list(table.names)
        self.action_spaces: dict[str, spaces.Space[Any]] = table.by_name(lambda _: spaces.Discrete(table.action_count))
        self.observation_spaces: dict[str, spaces.Space[Any]] = table.by_name(
            lambda _: spaces.Dict(
                {"observation": table.view_space, "action_mask": spaces.MultiBinary(table.action_count)}
            )
        )

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same object every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same object every time."""
        return self.action_spaces[agent]

    def render(self) -> str | Pixels:
        """The whole situation, hidden things included: as text, or as an array (height, width, 3)."""
        game, state = self._table.game, self._table.match.state
        return game.render(state) if self.render_mode == "ansi" else pixels(draw_state(game, state, past=[]))

    def close(self) -> None:
        """Nothing is held open."""


class AecMatch(_Seats, AECEnv[str, Observation, int | None]):
    """One seat at a time; see `make_aec`."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - PettingZoo's
        """A new match; `options` has no meaning here."""
        table = self._table
        table.reset(seed)
        self.agents = list(table.names)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._collected: dict[int, int | None] = {}
        self._publish()
        self.agent_selection = self._next_name()

    def observe(self, agent: str) -> Observation:
        """What the seat may know now."""
        return self._table.observe(self._table.names.index(agent))

    def step(self, action: int | None) -> None:
        """The action of the selected seat; None only after the end."""
        name = self.agent_selection
        if self.terminations[name] or self.truncations[name]:
            self._was_dead_step(action)
            return
        table = self._table
        seat = table.names.index(name)
        self._collected[seat] = None if action is None else int(action)
        self._cumulative_rewards[name] = 0.0
        self._clear_rewards()
        if len(self._collected) == len(table.to_act):
            table.play(self._collected)
            self._publish()
            self._collected = {}
        self.agent_selection = self._next_name()
        self._accumulate_rewards()

    def _publish(self) -> None:
        """What PettingZoo keeps per name, after a turn."""
        self.rewards, self.terminations, self.truncations, self.infos = self._table.outcome()

    def _next_name(self) -> str:
        waiting = [seat for seat in self._table.to_act if seat not in self._collected]
        return self._table.names[waiting[0] if waiting else 0]


class ParallelMatch(_Seats, ParallelEnv[str, Observation, int | None]):
    """All seats at once; see `make_parallel`."""

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - PettingZoo's
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """A new match; `options` has no meaning here."""
        self._table.reset(seed)
        self.agents = list(self._table.names)
        return self._table.by_name(self._table.observe), self._table.by_name(self._table.info)

    def step(
        self, actions: Mapping[str, int | None]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """One turn: observations, rewards, terminations, truncations, infos by name."""
        table = self._table
        seats = {seat: actions.get(name) for seat, name in enumerate(table.names)}
        table.play({seat: None if index is None else int(index) for seat, index in seats.items()})
        if table.is_over or table.is_cut:
            self.agents = []
        return table.by_name(table.observe), *table.outcome()
