"""Plays a match for learners, for any library: actions are indices, observations arrays.

The game's module `arrays` defines the actions of the indices (see `gridjoust.games.choices`); without it, they number
the legal actions.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Literal, TypedDict, TypeVar

import numpy as np
from numpy.typing import NDArray

try:
    from gymnasium import spaces
except ImportError as error:
    raise ImportError(f"{error}: pip install 'gridjoust[pettingzoo]'") from None

from gridjoust import games
from gridjoust.drawing.find import draw_state
from gridjoust.drawing.raster import Pixels, pixel_array
from gridjoust.games import find_room
from gridjoust.games.api import AnyGame, Dynamics, Json, ParamValue
from gridjoust.games.choices import Choice
from gridjoust.games.play import Match

T = TypeVar("T")
Observation = dict[str, Any]  # "observation" as encoded, "action_mask" of 0 and 1
Encode = Callable[[Json, Json], NDArray[Any]]  # (briefing, view) -> array

OBSERVATION_BYTES = 32_768
MAX_ACTIONS = 512
RENDER_MODES = ["ansi", "rgb_array"]
_SEED_BITS = 53  # seeds are exact in every language's numbers


class Options(TypedDict, total=False):
    """Options of an environment: see `gridjoust.adapters.pettingzoo.make_aec`."""

    seats: int | None
    max_turns: int | None
    encode: Encode | None
    observation_space: spaces.Space[Any] | None
    observe: Literal["json", "arrays"]
    render_mode: Literal["ansi", "rgb_array"]


class LearningMatch:
    """The match that a learning environment is playing now."""

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
            raise ValueError("encode and observation_space must be given together")
        self._encode: Callable[[Json, Json], Any] = encode or _encode_json
        self.view_space = observation_space or spaces.Box(0, 255, (OBSERVATION_BYTES,), np.uint8)
        self.action_count = MAX_ACTIONS
        self._list_choices: Callable[[Any, int, Any], Mapping[int, Choice[Any]]] = self._number_legal
        self._show_draft: Callable[[Any, int, Any], Json] | None = None
        if observe == "arrays":
            if encode is not None:
                raise ValueError("encode works only with observe='json'")
            self._observe_arrays()
        self._max_turns = max_turns
        self._rng = random.Random()
        self.reset(None)

    def _observe_arrays(self) -> None:
        """Use the game's fixed action set and its arrays; ValueError for a game without them."""
        name, room = self.game.spec.name, find_room(self.game.spec.name, "arrays")
        if room is None:
            raise ValueError(f"observe: expected json for {name}, which has no module arrays, got arrays")
        self._encode = partial(room.arrays, self.game)
        self.view_space = spaces.Dict({key: _box(*one) for key, one in room.shapes(self.game).items()})
        if hasattr(room, "choices"):
            self.action_count = room.action_count(self.game)
            self._list_choices = partial(room.choices, self.game)
            self._show_draft = partial(room.drafted, self.game) if hasattr(room, "drafted") else None
        else:
            self.action_count = len(room.ACTIONS)
            self._list_choices = partial(self._find_legal, {text: at for at, text in enumerate(room.ACTIONS)})

    def _number_legal(self, state: Any, seat: int, draft: Any) -> dict[int, Choice[Any]]:  # noqa: ARG002 - as of rooms
        """Return the legal actions, numbered from 0; `draft` is not used. ValueError if there are too many."""
        legal = self.game.legal_actions(state, seat)
        if len(legal) > MAX_ACTIONS:
            raise ValueError(f"{self.game.spec.name}: expected at most {MAX_ACTIONS} legal actions, got {len(legal)}")
        return {index: Choice(action) for index, action in enumerate(legal)}

    def _find_legal(self, places: Mapping[str, int], state: Any, seat: int, draft: Any) -> dict[int, Choice[Any]]:  # noqa: ARG002
        """Return the legal actions by index; `places`: action text -> index in the fixed set. `draft` is not used."""
        legal = {str(action): action for action in self.game.legal_actions(state, seat)}
        return {places[text]: Choice(action) for text, action in legal.items() if text in places}

    def reset(self, seed: int | None) -> None:
        """Start a match from `seed`; None: from a random seed, which follows from the last `seed` that was given."""
        if seed is not None:
            self._rng = random.Random(seed)
        match_seed = self._rng.getrandbits(_SEED_BITS) if seed is None else seed
        self.match = Match(self.game, self.game.initial_state(match_seed))
        self._briefings = [self.game.briefing(self.match.state, seat) for seat in range(self.game.seats)]
        self.illegal: set[int] = set()  # seats whose last answer was not legal
        self._open()

    def _open(self) -> None:
        """Start the next turn: list the choices of its seats, and clear their answers."""
        state = self.match.state
        self.is_over = self.game.is_terminal(state)
        self.is_cut = not self.is_over and self._max_turns is not None and self.match.turns >= self._max_turns
        self.to_act: tuple[int, ...] = () if self.is_over else self.game.seats_to_act(state)
        self.choices = {seat: self._list_choices(state, seat, None) for seat in self.to_act}
        self._drafts: dict[int, Any] = {}
        self._answers: dict[int, Any] = {}  # seat -> action; None = the default action

    def waiting(self) -> Iterator[int]:
        """Yield the seats that must still choose before the turn can be played."""
        return (seat for seat in self.to_act if seat not in self._answers)

    def answer(self, seat: int, index: int | None) -> None:
        """Take a waiting seat's choice, an action or a part of it; None or an illegal index is the default action."""
        choice = None if index is None else self.choices[seat].get(int(index))
        if choice is not None and not choice.is_whole:
            self._drafts[seat] = choice.action
            self.choices[seat] = self._list_choices(self.match.state, seat, choice.action)
            return
        self.take(seat, None if choice is None else choice.action)

    def take(self, seat: int, action: Any) -> None:
        """Take a waiting seat's complete action; None is the default action."""
        self._answers[seat] = action
        self.choices[seat] = {}

    def play(self) -> bool:
        """Play the turn if all seats have answered; return True if they have."""
        if any(True for _ in self.waiting()):
            return False
        self.illegal = {seat for seat, action in self._answers.items() if action is None}
        self.match.step(lambda _, seat: self._answers[seat])
        self._open()
        return True

    def view(self, seat: int) -> Json:
        """Return the seat's observation as JSON data, with its partial action applied."""
        if seat in self._drafts and self._show_draft is not None:
            return self._show_draft(self.match.state, seat, self._drafts[seat])
        return self.game.observation(self.match.state, seat)

    def mask(self, seat: int) -> NDArray[np.int8]:
        """Return an array with 1 at the legal indices of a seat."""
        mask = np.zeros(self.action_count, np.int8)
        mask[list(self.choices.get(seat, ()))] = 1
        return mask

    def encoded(self, seat: int) -> Any:
        """Return the seat's observation in the observation space."""
        return self._encode(self._briefings[seat], self.view(seat))

    def observe(self, seat: int) -> Observation:
        """Return the seat's encoded observation and its action mask."""
        return {"observation": self.encoded(seat), "action_mask": self.mask(seat)}

    def info(self, seat: int) -> dict[str, Any]:
        """Return the seat's info: the texts of its legal indices, and `illegal` after an illegal answer."""
        legal = [str(choice.action) for _, choice in sorted(self.choices.get(seat, {}).items())]
        return {"seat": seat, "legal": legal, "illegal": seat in self.illegal}

    def by_name(self, value: Callable[[int], T]) -> dict[str, T]:
        """Return `value(seat)` for every seat, by the seat's name."""
        return {name: value(seat) for seat, name in enumerate(self.names)}

    def rewards(self) -> list[float]:
        """Return the rewards by seat: the returns once the match is over by its rules, 0 before."""
        return [float(one) for one in self.game.returns(self.match.state)] if self.is_over else [0.0] * self.game.seats

    def outcome(self) -> tuple[dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Return four dicts by seat name: rewards, terminations, truncations and infos."""
        rewards = self.rewards()
        return (
            self.by_name(rewards.__getitem__),
            dict.fromkeys(self.names, self.is_over),
            dict.fromkeys(self.names, self.is_cut),
            self.by_name(self.info),
        )

    def render(self) -> str | Pixels:
        """Return the complete position, hidden things included: as text, or as an array (height, width, 3)."""
        game, state = self.game, self.match.state
        return game.render(state) if self.render_mode == "ansi" else pixel_array(draw_state(game, state, past=[]))


def _make_game(name: str, params: Mapping[str, ParamValue] | None, seats: int | None) -> AnyGame:
    preset: Mapping[str, ParamValue] = getattr(find_room(name, "params"), "IN_TURNS", {})
    game = games.make(name, {**preset, **(params or {})}, seats=seats)
    if game.spec.dynamics in (Dynamics.REAL_TIME, Dynamics.TICKED):
        raise ValueError(f"{name}: expected a game of turns, got dynamics {game.spec.dynamics.value}")
    return game


def _box(kind: type[np.generic], shape: tuple[int, ...]) -> spaces.Box:
    """Return the observation space of an array; bounds are those of uint8, or infinite for floats."""
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
