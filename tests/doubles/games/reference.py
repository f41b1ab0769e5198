"""Tiny correct games, one for each dynamics. The broken ones are these with one method gone wrong."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

from gridjoust.games.api import Dynamics, Game, GameSpec, IllegalAction, Json, Param, Seat, Turn, Utility
from gridjoust.games.chance import rng_for

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Say:
    """The only kind of action here: a number, in words `take 2`."""

    verb: str
    number: int

    def __str__(self) -> str:
        return f"{self.verb} {self.number}"


def parse_say(text: str, verb: str) -> Say:
    """`take 2` -> Say("take", 2); ValueError for anything else."""
    found = re.fullmatch(r"([a-z]+) ([1-9])", text, flags=re.ASCII)
    if found is None or found[1] != verb:
        raise ValueError(f"expected {verb} and a number 1 to 9, got {text[:40]!r}")
    return Say(verb, int(found[2]))


def _spec(name: str, seats: tuple[int, int], dynamics: Dynamics, utility: Utility, **others: Any) -> GameSpec:
    others = {"perfect_information": True, **others}
    return GameSpec(name, "1", *seats, dynamics, utility, **others)


class Reference(Game[S, Say]):
    """What most of them share: nothing is hidden, the first legal action stands in, actions begin with one verb."""

    verb: ClassVar[str]

    def default_action(self, state: S, seat: Seat) -> Say:
        return self.legal_actions(state, seat)[0]

    def observation(self, state: S, seat: Seat) -> dict[str, Json]:
        return self.public_view(state)

    def redeal(self, state: S, seat: Seat, rng: random.Random) -> S:
        return state

    def encode(self, state: S) -> bytes:
        return repr(state).encode()

    def parse_action(self, text: str) -> Say:
        return parse_say(text, self.verb)


@dataclass(frozen=True, slots=True)
class PileState:
    """Cards are hidden from the other seat; `seed` from everybody."""

    seed: int
    turn: int
    pile: int
    cards: tuple[int, ...]
    taken: tuple[int, ...]


class Pile(Reference[PileState]):
    """Two seats take 1 or 2 from a pile in turn; chance adds a bonus; the larger card + taken wins."""

    verb = "take"
    spec = _spec(
        "pile",
        (2, 2),
        Dynamics.SEQUENTIAL,
        Utility.ZERO_SUM,
        max_turns=9,
        perfect_information=False,
        params={"pile": Param(9, "how many lie there", minimum=1, maximum=9)},
    )

    def initial_state(self, seed: int) -> PileState:
        rng = rng_for(seed, 0, "deal")
        return PileState(seed, 0, int(self.params["pile"]), (rng.randint(1, 99), rng.randint(1, 99)), (0, 0))

    def seats_to_act(self, state: PileState) -> tuple[Seat, ...]:
        return () if state.pile == 0 else (state.turn % 2,)

    def legal_actions(self, state: PileState, seat: Seat) -> tuple[Say, ...]:
        numbers = range(1, min(2, state.pile) + 1) if seat in self.seats_to_act(state) else ()
        return tuple(Say("take", number) for number in numbers)

    def default_action(self, state: PileState, seat: Seat) -> Say:
        return Say("take", 1)

    def apply(self, state: PileState, turn: Turn[Say]) -> PileState:
        seats = self.seats_to_act(state)
        if not seats or tuple(turn.actions) != seats:
            raise IllegalAction(f"expected answers of seats {seats}, got {tuple(turn.actions)}")
        action = turn.actions[seats[0]]
        if not self.is_legal(state, seats[0], action):
            raise IllegalAction(f"expected to take 1 or 2 of {state.pile}, got {action}")
        gain = action.number + self.bonus(state)
        taken = tuple(held + gain * (seat in seats) for seat, held in enumerate(state.taken))
        return replace(state, turn=state.turn + 1, pile=state.pile - action.number, taken=taken)

    def bonus(self, state: PileState) -> int:
        """Chance, drawn when it is needed."""
        return rng_for(state.seed, state.turn, "bonus").randrange(3)

    def is_terminal(self, state: PileState) -> bool:
        return state.pile == 0

    def returns(self, state: PileState) -> tuple[float, ...]:
        first, second = (card + taken for card, taken in zip(state.cards, state.taken, strict=True))
        sign = (first > second) - (first < second)
        return (float(sign), float(-sign))

    def metrics(self, state: PileState) -> tuple[Mapping[str, float], ...]:
        return tuple({"taken": float(taken)} for taken in state.taken)

    def observation(self, state: PileState, seat: Seat) -> dict[str, Json]:
        return {"pile": state.pile, "taken": list(state.taken), "card": state.cards[seat]}

    def public_view(self, state: PileState) -> dict[str, Json]:
        return {"pile": state.pile, "taken": list(state.taken)}

    def redeal(self, state: PileState, seat: Seat, rng: random.Random) -> PileState:
        cards = tuple(card if holder == seat else rng.randint(1, 99) for holder, card in enumerate(state.cards))
        return replace(state, seed=rng.getrandbits(53), cards=cards)

    def encode(self, state: PileState) -> bytes:
        return repr((state.seed, state.turn, state.pile, state.cards, state.taken)).encode()

    def render(self, state: PileState) -> str:
        return "o" * state.pile


@dataclass(frozen=True, slots=True)
class NumbersState:
    """Numbers named so far, by game round."""

    named: tuple[tuple[int, ...], ...]


class Numbers(Reference[NumbersState]):
    """All name a number at once; the largest that nobody else named scores a point."""

    verb = "name"
    spec = _spec("numbers", (2, 3), Dynamics.SIMULTANEOUS, Utility.INDIVIDUAL, max_turns=4)

    def initial_state(self, seed: int) -> NumbersState:
        return NumbersState(())

    def seats_to_act(self, state: NumbersState) -> tuple[Seat, ...]:
        return () if self.is_terminal(state) else tuple(range(self.seats))

    def legal_actions(self, state: NumbersState, seat: Seat) -> tuple[Say, ...]:
        last = state.named[-1][seat] if state.named else 0
        numbers = [number for number in (1, 2, 3) if number != last]  # never the same twice running
        return tuple(Say("name", number) for number in numbers if seat in self.seats_to_act(state))

    def apply(self, state: NumbersState, turn: Turn[Say]) -> NumbersState:
        seats = self.seats_to_act(state)
        if not seats or tuple(sorted(turn.actions)) != seats:
            raise IllegalAction(f"expected answers of seats {seats}, got {sorted(turn.actions)}")
        for seat, action in turn.actions.items():
            if not self.is_legal(state, seat, action):
                raise IllegalAction(f"expected another number than last time, got {action}")
        return NumbersState((*state.named, tuple(turn.actions[seat].number for seat in seats)))

    def is_terminal(self, state: NumbersState) -> bool:
        return len(state.named) == 4

    def returns(self, state: NumbersState) -> tuple[float, ...]:
        points = [0.0] * self.seats
        for row in state.named:
            alone = [number for number in row if row.count(number) == 1]
            if alone:
                points[row.index(max(alone))] += 1.0
        return tuple(points)

    def public_view(self, state: NumbersState) -> dict[str, Json]:
        return {"named": [list(row) for row in state.named]}

    def render(self, state: NumbersState) -> str:
        return "\n".join(" ".join(map(str, row)) for row in state.named)


@dataclass(frozen=True, slots=True)
class BidsState:
    """Lowest bids so far (9 = none) and when the sand, or the match, runs out."""

    now_ms: int
    bids: tuple[int, ...]
    end_ms: int
    is_over: bool


class Bids(Reference[BidsState]):
    """Seats bid lower and lower; the first bid starts a sand-glass, and without one the match ends by itself."""

    verb = "bid"
    spec = _spec("bids", (1, 3), Dynamics.REAL_TIME, Utility.INDIVIDUAL, max_turns=25)

    def initial_state(self, seed: int) -> BidsState:
        return BidsState(0, (9,) * self.seats, 10_000, False)

    def seats_to_act(self, state: BidsState) -> tuple[Seat, ...]:
        return () if state.is_over else tuple(seat for seat, bid in enumerate(state.bids) if bid > 1)

    def legal_actions(self, state: BidsState, seat: Seat) -> tuple[Say, ...]:
        lower = range(state.bids[seat] - 1, 0, -1) if seat in self.seats_to_act(state) else ()
        return tuple(Say("bid", number) for number in lower)

    def apply(self, state: BidsState, turn: Turn[Say]) -> BidsState:
        if state.is_over or turn.stamp < state.now_ms:
            raise IllegalAction(f"expected a turn at {state.now_ms} ms or later before the end, got {turn.stamp}")
        if not turn.actions:
            return replace(state, now_ms=turn.stamp, is_over=turn.stamp >= state.end_ms)
        bids = list(state.bids)
        for seat, action in turn.actions.items():
            if seat not in self.seats_to_act(state) or not self.is_legal(state, seat, action):
                raise IllegalAction(f"seat {seat}: expected a lower bid, got {action}")
            bids[seat] = action.number
        is_first = set(state.bids) == {9}
        end_ms = turn.stamp + 1_000 if is_first else state.end_ms
        return replace(state, now_ms=turn.stamp, bids=tuple(bids), end_ms=end_ms)

    def ask_key(self, state: BidsState, seat: Seat) -> object:
        return state.bids[seat]

    def wake_at(self, state: BidsState) -> int | None:
        return None if state.is_over else state.end_ms

    def is_terminal(self, state: BidsState) -> bool:
        return state.is_over

    def returns(self, state: BidsState) -> tuple[float, ...]:
        return tuple(float(9 - bid) for bid in state.bids)

    def public_view(self, state: BidsState) -> dict[str, Json]:
        return {"bids": list(state.bids), "end_ms": state.end_ms}

    def render(self, state: BidsState) -> str:
        return " ".join(map(str, state.bids))


@dataclass(frozen=True, slots=True)
class MarchState:
    """How far each seat has come, and how many ticks are over."""

    tick: int
    steps: tuple[int, ...]


class March(Reference[MarchState]):
    """Seats walk together, up to nine steps a tick; only a few step counts are listed as legal actions."""

    verb = "walk"
    spec = _spec("march", (1, 2), Dynamics.TICKED, Utility.SHARED, max_turns=6)
    tick_ms = 100

    def initial_state(self, seed: int) -> MarchState:
        return MarchState(0, (0,) * self.seats)

    def seats_to_act(self, state: MarchState) -> tuple[Seat, ...]:
        return () if self.is_terminal(state) else tuple(range(self.seats))

    def legal_actions(self, state: MarchState, seat: Seat) -> tuple[Say, ...]:
        return (Say("walk", 1), Say("walk", 5)) if seat in self.seats_to_act(state) else ()

    def legal_complete(self, state: MarchState, seat: Seat) -> bool:
        return False

    def is_legal(self, state: MarchState, seat: Seat, action: Any) -> bool:
        return seat in self.seats_to_act(state) and isinstance(action, Say) and action.number <= 7

    def default_action(self, state: MarchState, seat: Seat) -> Say:
        return Say("walk", 1)

    def apply(self, state: MarchState, turn: Turn[Say]) -> MarchState:
        if self.is_terminal(state) or turn.stamp != self.wake_at(state):
            raise IllegalAction(f"expected the tick at {self.wake_at(state)} ms, got {turn.stamp}")
        steps = list(state.steps)
        for seat, action in turn.actions.items():
            if not self.is_legal(state, seat, action):
                raise IllegalAction(f"seat {seat}: expected at most 7 steps, got {action}")
            steps[seat] += action.number
        return MarchState(state.tick + 1, tuple(steps))

    def wake_at(self, state: MarchState) -> int | None:
        return None if self.is_terminal(state) else (state.tick + 1) * self.tick_ms

    def is_terminal(self, state: MarchState) -> bool:
        return state.tick == 6

    def returns(self, state: MarchState) -> tuple[float, ...]:
        return (float(min(state.steps)),) * self.seats

    def observation(self, state: MarchState, seat: Seat) -> dict[str, Json]:
        return {"steps": list(state.steps), "you": state.steps[seat]}

    def public_view(self, state: MarchState) -> dict[str, Json]:
        return {"steps": list(state.steps)}

    def render(self, state: MarchState) -> str:
        return "\n".join("." * steps + "@" for steps in state.steps)
