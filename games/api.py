"""What every game provides to the referee: no clock, no I/O, no bots, no particular game.

A game is an immutable value (rules + parameters). States and actions are frozen and hashable; `apply` is the
only transition. Time is data: the referee stamps every turn, so a record replays exactly.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Literal, TypeVar

Seat = int
ParamValue = bool | int | float | str
Json = Any  # a JSON-able value: None, bool, int, float, str, list, dict with text keys

_KINDS: dict[type, str] = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}

S = TypeVar("S")  # the game's state
A = TypeVar("A")  # the game's action


class Dynamics(Enum):
    """How answers become turns."""

    SEQUENTIAL = "sequential"  # one seat is asked, its answer is the turn
    SIMULTANEOUS = "simultaneous"  # all seats to act are asked, their answers together are the turn
    REAL_TIME = "real_time"  # questions stay open, every accepted answer is a turn of its own
    # The newest answer of each seat waits for the rules' next tick and all are one turn then. Kept apart from
    # REAL_TIME: the turn count stays bounded and nobody learns from an event that a rival has just answered.
    TICKED = "ticked"


class Utility(Enum):
    """How the seats' returns relate."""

    ZERO_SUM = "zero_sum"  # returns over all seats sum to 0
    SHARED = "shared"  # all seats always have the same return
    INDIVIDUAL = "individual"  # no promise


class IllegalAction(ValueError):  # noqa: N818 - the design's name; a fault of a bot, not an error of ours
    """A turn that the rules refuse: action not legal now, wrong seat, match over."""


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of a game: its default decides its type; bounds are inclusive."""

    default: ParamValue
    help: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[ParamValue, ...] = ()


@dataclass(frozen=True, slots=True)
class Metric:
    """What one of a game's `metrics` means and which way is good; `is_goal`: 1 where a goal was reached, else 0."""

    help: str
    better: Literal["higher", "lower"] | None = None
    is_goal: bool = False


@dataclass(frozen=True, slots=True)
class GameSpec:
    """What a variant of a game promises. `max_turns` bounds the number of `apply` calls of a match."""

    name: str
    version: str  # of the rules: a change that alters any match raises it
    min_seats: int
    max_seats: int
    dynamics: Dynamics
    utility: Utility
    perfect_information: bool
    max_turns: int
    params: Mapping[str, Param] = field(default_factory=dict)
    summary: str = ""
    metrics: Mapping[str, Metric] = field(default_factory=dict)  # of every name that `metrics` gives

    @property
    def seats_text(self) -> str:
        """How many seats, in words: `2 to 4`, or `2`."""
        return f"{self.min_seats} to {self.max_seats}" if self.min_seats < self.max_seats else f"{self.min_seats}"


@dataclass(frozen=True, slots=True)
class Turn(Generic[A]):
    """One application of the rules: answers by seat and the match time in ms (turn number if turn-based).

    In real-time games an empty turn is the rules' own timer going off.
    """

    actions: Mapping[Seat, A]
    stamp: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match stands by the rules: returns and metrics per seat, and the reason as a sentence."""

    returns: tuple[float, ...]
    metrics: tuple[Mapping[str, float], ...]
    reason: str


class Game(ABC, Generic[S, A]):
    """Rules + parameters; immutable. Subclasses set `spec` and implement the abstract members.

    On the class `spec` describes the default variant; on an instance it is exact for its parameters and seats
    (see `variant_spec`).
    """

    spec: GameSpec
    views_are_fresh: ClassVar[bool] = False
    """Whether every `observation` is made anew down to its last list: who gets it may keep and change it."""

    def __init__(self, params: Mapping[str, ParamValue] | None = None, *, seats: int | None = None) -> None:
        spec = type(self).spec
        self.params: Mapping[str, ParamValue] = resolve_params(spec, params or {})
        self.seats: int = spec.min_seats if seats is None else seats
        if not spec.min_seats <= self.seats <= spec.max_seats:
            expected = f"{spec.min_seats} to {spec.max_seats}"
            raise ValueError(f"seats: expected {expected} for {spec.name}, got {self.seats}")
        self.spec = self.variant_spec()

    def variant_spec(self) -> GameSpec:
        """The spec for these parameters (dynamics, utility, `max_turns` may depend on them)."""
        return type(self).spec

    @property
    def public_params(self) -> Mapping[str, ParamValue]:
        """The parameters that bots receive; leave out one that gives away what is hidden, such as a map's text."""
        return self.params

    @property
    def teams(self) -> tuple[int, ...]:
        """Team number of each seat, from 0 without gaps; default: everyone alone, or all together if shared."""
        if self.spec.utility is Utility.SHARED:
            return (0,) * self.seats
        return tuple(range(self.seats))

    @property
    def roles(self) -> tuple[str, ...]:
        """Role of each seat ("" where the game has none)."""
        return ("",) * self.seats

    @abstractmethod
    def initial_state(self, seed: int) -> S:
        """Generation and deals. ValueError names a parameter that makes the match impossible."""

    @abstractmethod
    def seats_to_act(self, state: S) -> tuple[Seat, ...]:
        """Sorted seats; one = sequential, several = simultaneous or real-time, none = over or a timer runs."""

    @abstractmethod
    def legal_actions(self, state: S, seat: Seat) -> tuple[A, ...]:
        """Legal actions in a stable order; empty iff the seat may not act.

        Depends on nothing the seat cannot see. A useful sample that contains the default action where the
        full set is too large; `legal_complete` says which.
        """

    def legal_complete(self, state: S, seat: Seat) -> bool:  # noqa: ARG002 - part of the interface
        """Whether `legal_actions` is the full set."""
        return True

    def is_legal(self, state: S, seat: Seat, action: A) -> bool:
        """The judge; override where `legal_actions` is a sample."""
        return action in self.legal_actions(state, seat)

    @abstractmethod
    def default_action(self, state: S, seat: Seat) -> A:
        """What stands in for a missing answer; always legal."""

    @abstractmethod
    def apply(self, state: S, turn: Turn[A]) -> S:
        """The only transition. A new state, or IllegalAction; the old state stays as it was."""

    def ask_key(self, state: S, seat: Seat) -> object:  # noqa: ARG002 - part of the interface
        """An open question stays open while this is unchanged; turn-based games need not override it."""
        return state

    def wake_at(self, state: S) -> int | None:  # noqa: ARG002 - part of the interface
        """Match time in ms of the rules' own next timer, or None. Real-time and ticked games only."""
        return None

    @abstractmethod
    def is_terminal(self, state: S) -> bool:
        """Whether the match is over by its rules."""

    @abstractmethod
    def returns(self, state: S) -> tuple[float, ...]:
        """Utility per seat if the match stopped now; exact once terminal. Higher is better."""

    def metrics(self, state: S) -> tuple[Mapping[str, float], ...]:  # noqa: ARG002 - part of the interface
        """Named numbers per seat for `metrics.csv`; every seat has the same names."""
        return ({},) * self.seats

    def reason(self, state: S) -> str:  # noqa: ARG002 - part of the interface
        """Why it is over, as a sentence without a full stop; asked of terminal states only."""
        return "over by the rules"

    def outcome(self, state: S) -> Outcome:
        """Returns, metrics and reason in one value."""
        return Outcome(self.returns(state), self.metrics(state), self.reason(state))

    def briefing(self, state: S, seat: Seat) -> Json:  # noqa: ARG002 - part of the interface
        """What stays true all match and this seat may know; sent once. Default: the parameters."""
        return {"params": dict(self.public_params)}

    @abstractmethod
    def observation(self, state: S, seat: Seat) -> dict[str, Json]:
        """What the seat may know now beyond the briefing; never the seed. May be asked of any seat any time."""

    @abstractmethod
    def public_view(self, state: S) -> dict[str, Json]:
        """What everyone may know now."""

    @abstractmethod
    def redeal(self, state: S, seat: Seat, rng: random.Random) -> S:
        """The same situation with all that the seat cannot see, and all chance to come, drawn anew."""

    def redeal_unknown(self, state: S, rng: random.Random) -> S:
        """Return the same situation with what no seat can know, and all chance to come, drawn anew.

        What one seat knows of itself stays, even if no other can see it. Default: the redeal of the first seat that
        leaves every seat's observation as it is, as of a seat that sees everything; the state itself without one.
        Override it if each seat knows what the others do not.
        """
        seen = [self.observation(state, seat) for seat in range(self.seats)]
        for seat in range(self.seats):
            dealt = self.redeal(state, seat, rng)
            if all(self.observation(dealt, other) == seen[other] for other in range(self.seats)):
                return dealt
        return state

    @abstractmethod
    def encode(self, state: S) -> bytes:
        """Canonical bytes for the hash chain: equal iff the states are equal, in every process."""

    @abstractmethod
    def parse_action(self, text: str) -> A:
        """The action a canonical one-line text stands for; ValueError for any other text. `str` inverts it."""

    @abstractmethod
    def render(self, state: S) -> str:
        """The whole situation as ASCII, for people who may see everything."""


AnyGame = Game[Any, Any]


def resolve_params(spec: GameSpec, params: Mapping[str, ParamValue]) -> Mapping[str, ParamValue]:
    """All parameters of the spec, the given ones checked; ValueError `name: expected ..., got ...`."""
    for name in params:
        if name not in spec.params:
            import difflib  # noqa: PLC0415 - a bot need not wait for it

            near = difflib.get_close_matches(name, spec.params, n=1)
            hint = f"{near[0]!r}" if near else "one of " + ", ".join(spec.params)
            raise ValueError(f"{name}: expected {hint}, got an unknown parameter of {spec.name}")
    chosen = {name: params.get(name, param.default) for name, param in spec.params.items()}
    return MappingProxyType({name: check_param(name, spec.params[name], v) for name, v in chosen.items()})


def check_param(name: str, param: Param, value: object) -> ParamValue:
    """The value in the parameter's type, or ValueError `name: expected ..., got ...`.

    A number that is one of the choices of a text, such as `connectivity: 4` in a YAML file, is that text.
    """
    kind = type(param.default)
    if type(value) is int and str(value) in param.choices:
        value = str(value)
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        raise ValueError(f"{name}: expected {_KINDS[kind]}, got {value!r}")
    assert isinstance(value, bool | int | float | str)
    if param.choices and value not in param.choices:
        raise ValueError(f"{name}: expected one of {', '.join(map(str, param.choices))}, got {value!r}")
    if not isinstance(value, str) and not _is_between(value, param.minimum, param.maximum):
        raise ValueError(f"{name}: expected {_range_text(param.minimum, param.maximum)}, got {value!r}")
    return value


def _is_between(value: float, minimum: float | None, maximum: float | None) -> bool:
    return (minimum is None or value >= minimum) and (maximum is None or value <= maximum)


def _range_text(minimum: float | None, maximum: float | None) -> str:
    if minimum is not None and maximum is not None:
        return f"{minimum:g} to {maximum:g}"
    return f"at least {minimum:g}" if minimum is not None else f"at most {maximum:g}"
