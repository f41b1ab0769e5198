"""The interface between a game and the referee; it knows no clock, no I/O and no bots.

A game is an immutable value (rules + parameters). States and actions are frozen and hashable; `apply` is the only
function that makes a new state. The referee puts the time into every turn, so a record replays exactly.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Literal, TypeVar

Seat = int  # number of a seat, from 0
ParamValue = bool | int | float | str  # value of a game's parameter
Json = Any  # a JSON-able value: None, bool, int, float, str, list, dict with text keys

_KINDS: dict[type, str] = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}

S = TypeVar("S")  # the game's state
A = TypeVar("A")  # the game's action


class Dynamics(Enum):
    """The rule for which seats are asked together and which answers form a turn."""

    SEQUENTIAL = "sequential"  # one seat is asked; its answer is the turn
    SIMULTANEOUS = "simultaneous"  # all seats to act are asked; their answers together are the turn
    REAL_TIME = "real_time"  # several questions are open at once; each accepted answer is a turn of its own
    TICKED = "ticked"  # the newest answer of each seat waits for the next tick; together they are one turn


class Utility(Enum):
    """The relation between the returns of the seats: zero-sum, shared or none."""

    ZERO_SUM = "zero_sum"  # returns over all seats sum to 0
    SHARED = "shared"  # all seats always have the same return
    INDIVIDUAL = "individual"  # no relation


class IllegalAction(ValueError):  # noqa: N818 - a bot commits this fault; it is not an error of the program
    """The rules refuse a turn: the action is not legal now, the seat may not act, or the match is over."""


class EndlessMatchError(RuntimeError):
    """A match goes on after `max_turns` of the game's spec: an error of its rules."""

    def __init__(self, spec: GameSpec) -> None:
        turns = "1 turn" if spec.max_turns == 1 else f"{spec.max_turns} turns"
        super().__init__(f"{spec.name}: the match goes on after {turns}, the most that its spec allows (max_turns)")


class MatchStuckError(RuntimeError):
    """No seat may act and no timer runs, but the match is not over: an error of its rules."""

    def __init__(self, spec: GameSpec) -> None:
        super().__init__(f"{spec.name}: the match is not over, but no seat may act and no timer runs")


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of a game; the default decides the type, and both bounds are inclusive."""

    default: ParamValue  # its type is the parameter's type
    help: str  # meaning, for the reference page
    minimum: float | None = None  # the smallest number allowed
    maximum: float | None = None  # the largest number allowed
    choices: tuple[ParamValue, ...] = ()  # all values allowed; () = no such list


@dataclass(frozen=True, slots=True)
class Metric:
    """The meaning of one number in a game's `metrics`, and which values are better."""

    help: str  # meaning, for tables and report
    better: Literal["higher", "lower"] | None = None  # None for a plain count
    is_goal: bool = False  # True if the value is 0 or 1: the report shows the share of matches


@dataclass(frozen=True, slots=True)
class GameSpec:
    """The fixed properties of a game variant; `max_turns` bounds the number of `apply` calls in a match."""

    name: str  # in tournament files and tables
    version: str  # version of the rules: raise it with any change that alters a match
    min_seats: int  # the fewest seats
    max_seats: int  # the most seats
    dynamics: Dynamics  # which seats are asked together
    utility: Utility  # how the returns of the seats relate
    perfect_information: bool  # True if every seat knows the complete state
    max_turns: int  # the most turns of a match
    params: Mapping[str, Param] = field(default_factory=dict)  # parameters by name
    summary: str = ""  # the game in one sentence
    metrics: Mapping[str, Metric] = field(default_factory=dict)  # one entry for each name in the game's `metrics`

    def __post_init__(self) -> None:
        """Raise ValueError for the first value of a wrong kind."""
        kinds = {"name": str, "version": str, "min_seats": int, "max_seats": int, "max_turns": int}
        kinds |= {"dynamics": Dynamics, "utility": Utility, "params": Mapping, "metrics": Mapping}
        for name, kind in kinds.items():
            if not isinstance(value := getattr(self, name), kind):
                raise ValueError(f"GameSpec: {name}: expected {_kind_text(kind)}, got {value!r:.60}")
        for part, values, kind in (("params", self.params, Param), ("metrics", self.metrics, Metric)):
            for name, value in values.items():
                if not isinstance(value, kind):
                    raise ValueError(f"GameSpec: {part}: {name}: expected {_kind_text(kind)}, got {value!r:.60}")

    @property
    def seats_text(self) -> str:
        """Number of seats in words: `2 to 4`, or `2`."""
        return f"{self.min_seats} to {self.max_seats}" if self.min_seats < self.max_seats else f"{self.min_seats}"


@dataclass(frozen=True, slots=True)
class Turn(Generic[A]):
    """One application of the rules: the actions of the seats that answered, and its time or number.

    In real-time games a turn without actions means that a timer of the rules has run out.
    """

    actions: Mapping[Seat, A]  # action of each seat that answered
    stamp: int  # match time in ms; in turn-based games the turn number from 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a match so far."""

    returns: tuple[float, ...]  # utility of each seat, higher is better
    metrics: tuple[Mapping[str, float], ...]  # named numbers of each seat
    reason: str  # why the match ended, as a sentence


class Game(ABC, Generic[S, A]):
    """Rules with their parameters, as an immutable value.

    A subclass sets `spec` and implements the abstract methods. On the class, `spec` describes the default variant; on
    an instance it is exact for the given parameters and seats (see `variant_spec`).
    """

    spec: GameSpec  # fixed properties
    views_are_fresh: ClassVar[bool] = False  # True if the caller may keep and change the lists of an observation

    def __init__(self, params: Mapping[str, ParamValue] | None = None, *, seats: int | None = None) -> None:
        spec = type(self).spec
        self.params: Mapping[str, ParamValue] = resolve_params(spec, params or {})
        self.seats: int = spec.min_seats if seats is None else seats
        if not spec.min_seats <= self.seats <= spec.max_seats:
            expected = f"{spec.min_seats} to {spec.max_seats}"
            raise ValueError(f"seats: expected {expected} for {spec.name}, got {self.seats}")
        self.spec = self.variant_spec()

    def variant_spec(self) -> GameSpec:
        """Return the spec for these parameters; they may change the dynamics, the utility and `max_turns`."""
        return type(self).spec

    @property
    def public_params(self) -> Mapping[str, ParamValue]:
        """The parameters that bots receive; leave out one that reveals hidden facts, such as the text of a map."""
        return self.params

    @property
    def teams(self) -> tuple[int, ...]:
        """Team number of each seat, from 0 without gaps; by default a team per seat, or one team for shared utility."""
        if self.spec.utility is Utility.SHARED:
            return (0,) * self.seats
        return tuple(range(self.seats))

    @property
    def roles(self) -> tuple[str, ...]:
        """Role of each seat; "" if the game has no roles."""
        return ("",) * self.seats

    @abstractmethod
    def initial_state(self, seed: int) -> S:
        """Return the start position of this seed; ValueError names a parameter that makes the match impossible."""

    @abstractmethod
    def seats_to_act(self, state: S) -> tuple[Seat, ...]:
        """Return the seats that may act now, sorted.

        One seat: sequential play. Several seats: simultaneous or real-time play. None: the match is over, or a timer
        runs.
        """

    @abstractmethod
    def legal_actions(self, state: S, seat: Seat) -> tuple[A, ...]:
        """Return the legal actions in a stable order; empty if and only if the seat may not act.

        The result must not depend on anything that the seat cannot see. If the full set is too large, return a useful
        sample that contains the default action, and let `legal_complete` return False.
        """

    def legal_complete(self, state: S, seat: Seat) -> bool:  # noqa: ARG002 - part of the interface
        """Return True if `legal_actions` lists every legal action, False if it is a sample."""
        return True

    def is_legal(self, state: S, seat: Seat, action: A) -> bool:
        """Return True if the action is legal now; override it if `legal_actions` is only a sample."""
        return action in self.legal_actions(state, seat)

    @abstractmethod
    def default_action(self, state: S, seat: Seat) -> A:
        """Return the action that replaces a missing answer; it must be legal."""

    @abstractmethod
    def apply(self, state: S, turn: Turn[A]) -> S:
        """Return the state after the turn and leave the old one unchanged; IllegalAction if the rules refuse it."""

    def ask_key(self, state: S, seat: Seat) -> object:  # noqa: ARG002 - part of the interface
        """Return a value that stays equal while an open question stays valid; turn-based games keep this default."""
        return state

    def wake_at(self, state: S) -> int | None:  # noqa: ARG002 - part of the interface
        """Return the match time in ms of the next timer of the rules, or None; for real-time and ticked games only."""
        return None

    @abstractmethod
    def is_terminal(self, state: S) -> bool:
        """Return True if the match is over by the rules."""

    @abstractmethod
    def returns(self, state: S) -> tuple[float, ...]:
        """Return the utility of each seat if the match stopped now; exact in a terminal state; higher is better."""

    def metrics(self, state: S) -> tuple[Mapping[str, float], ...]:  # noqa: ARG002 - part of the interface
        """Return numbers by name for each seat, for `metrics.csv`; every seat has the same names."""
        return ({},) * self.seats

    def reason(self, state: S) -> str:  # noqa: ARG002 - part of the interface
        """Return why the match ended, as a sentence without a full stop; called with terminal states only."""
        return "over by the rules"

    def outcome(self, state: S) -> Outcome:
        """Return the result so far: returns, metrics and reason."""
        return Outcome(self.returns(state), self.metrics(state), self.reason(state))

    def briefing(self, state: S, seat: Seat) -> Json:  # noqa: ARG002 - part of the interface
        """Return what the seat may know and what stays true for the whole match; sent once. Default: the parameters."""
        return {"params": dict(self.public_params)}

    @abstractmethod
    def observation(self, state: S, seat: Seat) -> dict[str, Json]:
        """Return what the seat may know now beyond the briefing; never the seed.

        It must work for every seat at any time, also for seats that may not act.
        """

    @abstractmethod
    def public_view(self, state: S) -> dict[str, Json]:
        """Return what everyone may know now."""

    @abstractmethod
    def redeal(self, state: S, seat: Seat, rng: random.Random) -> S:
        """Resample all that the seat cannot see and all future chance; return the resulting state."""

    def redeal_unknown(self, state: S, rng: random.Random) -> S:
        """Resample what no seat can know and all future chance; return the resulting state.

        Facts that a single seat knows about itself stay, even if no other seat can see them. By default, return the
        first redeal for a seat that leaves the observations of all seats unchanged, or `state` if there is no such
        redeal. Override it if each seat knows something that the others do not.
        """
        seen = [self.observation(state, seat) for seat in range(self.seats)]
        for seat in range(self.seats):
            dealt = self.redeal(state, seat, rng)
            if all(self.observation(dealt, other) == seen[other] for other in range(self.seats)):
                return dealt
        return state

    @abstractmethod
    def encode(self, state: S) -> bytes:
        """Return canonical bytes for the hash chain: equal if and only if the states are equal, in every process."""

    @abstractmethod
    def parse_action(self, text: str) -> A:
        """Parse the canonical one-line text of an action; ValueError for any other text. `str` makes the text."""

    @abstractmethod
    def render(self, state: S) -> str:
        """Draw the complete situation as ASCII, for people who may see everything."""


AnyGame = Game[Any, Any]


def resolve_params(spec: GameSpec, params: Mapping[str, ParamValue]) -> Mapping[str, ParamValue]:
    """Return all parameters of the spec, with the given ones checked; ValueError `name: expected ..., got ...`."""
    for name in params:
        if name not in spec.params:
            import difflib  # noqa: PLC0415 - saves a bot the import

            near = difflib.get_close_matches(name, spec.params, n=1)
            hint = f"{near[0]!r}" if near else "one of " + ", ".join(spec.params)
            raise ValueError(f"{name}: expected {hint}, got an unknown parameter of {spec.name}")
    chosen = {name: params.get(name, param.default) for name, param in spec.params.items()}
    return MappingProxyType({name: check_param(name, spec.params[name], v) for name, v in chosen.items()})


def check_param(name: str, param: Param, value: object) -> ParamValue:
    """Return the value in the type of the parameter; ValueError `name: expected ..., got ...` if it does not fit.

    A whole number that matches a text choice becomes that text, such as `connectivity: 4` in a YAML file.
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


def _kind_text(kind: type) -> str:
    if issubclass(kind, Enum):
        return f"one of {', '.join(f'joust.{kind.__name__}.{one.name}' for one in kind)}"
    names = {Param: "joust.Param(default, help)", Metric: "joust.Metric(help)", Mapping: "a dict"}
    return names.get(kind) or _KINDS[kind]


def _is_between(value: float, minimum: float | None, maximum: float | None) -> bool:
    return (minimum is None or value >= minimum) and (maximum is None or value <= maximum)


def _range_text(minimum: float | None, maximum: float | None) -> str:
    if minimum is not None and maximum is not None:
        return f"{minimum:g} to {maximum:g}"
    return f"at least {minimum:g}" if minimum is not None else f"at most {maximum:g}"
