"""The reference games with one thing gone wrong each; `BROKEN` says which named checks must notice, and no others."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from games.api import AnyGame, GameSpec, IllegalAction, Json, Param, ParamValue, Seat, Turn
from tests.doubles.games.reference import (
    Bids,
    BidsState,
    March,
    MarchState,
    Numbers,
    NumbersState,
    Pile,
    PileState,
    Say,
)


class DrawsGlobally(Pile):
    def bonus(self, state: PileState) -> int:
        return random.getrandbits(40)


class ReseedsGlobally(Pile):
    def bonus(self, state: PileState) -> int:
        random.seed(state.seed + state.turn)
        return random.randrange(3)


class RemembersMatches(Numbers):
    """Deals differently every time it is asked."""

    def initial_state(self, seed: int) -> NumbersState:
        self.deals = getattr(self, "deals", 0) + 1
        return NumbersState(((10 + self.deals,) * self.seats,))


class ListsSetOrder(Bids):
    """The order of its actions depends on PYTHONHASHSEED."""

    def legal_actions(self, state: BidsState, seat: Seat) -> tuple[Say, ...]:
        texts = {str(action) for action in super().legal_actions(state, seat)}
        return tuple(self.parse_action(text) for text in texts)


class EncodesSetOrder(Numbers):
    def encode(self, state: NumbersState) -> bytes:
        words = {f"{number} {word}" for number, row in enumerate(state.named) for word in (*row, "end")}
        return repr((state.named, list(words))).encode()


class EncodesLengthOnly(Numbers):
    def encode(self, state: NumbersState) -> bytes:
        return bytes([len(state.named)])


class EncodesText(Numbers):
    def encode(self, state: NumbersState) -> bytes:
        return repr(state.named)  # type: ignore[return-value]


class ChangesOldState(Numbers):
    def apply(self, state: NumbersState, turn: Turn[Say]) -> NumbersState:
        new = super().apply(state, turn)
        object.__setattr__(state, "named", new.named)
        return new


class ChangesStateWhenDrawn(March):
    def render(self, state: MarchState) -> str:
        object.__setattr__(state, "tick", state.tick + 1)
        return "drawn"


class UnhashableState(NumbersState):
    __hash__ = None  # type: ignore[assignment]


class CannotHash(Numbers):
    def initial_state(self, seed: int) -> NumbersState:
        return UnhashableState(())

    def apply(self, state: NumbersState, turn: Turn[Say]) -> NumbersState:
        return UnhashableState(super().apply(state, turn).named)


class AsksByIdentity(Bids):
    def ask_key(self, state: BidsState, seat: Seat) -> object:
        return id(state)


class ShowsAllCards(Pile):
    def observation(self, state: PileState, seat: Seat) -> dict[str, Json]:
        return super().observation(state, seat) | {"cards": list(state.cards)}


class BriefsAboutRival(Pile):
    def briefing(self, state: PileState, seat: Seat) -> Json:
        return {"rival": state.cards[1 - seat]}


class ActsOnHiddenCard(Pile):
    def legal_actions(self, state: PileState, seat: Seat) -> tuple[Say, ...]:
        legal = super().legal_actions(state, seat)
        return legal[:1] if state.cards[1 - seat] % 2 else legal


class RedealsOwnCard(Pile):
    def redeal(self, state: PileState, seat: Seat, rng: random.Random) -> PileState:
        return super().redeal(state, 1 - seat, rng)


class RedealsNothing(Pile):
    def redeal(self, state: PileState, seat: Seat, rng: random.Random) -> PileState:
        return state


class RedealsGlobally(Pile):
    def redeal(self, state: PileState, seat: Seat, rng: random.Random) -> PileState:
        return super().redeal(state, seat, random.Random())


class RedealsToDeadEnd(Pile):
    def redeal(self, state: PileState, seat: Seat, rng: random.Random) -> PileState:
        return replace(super().redeal(state, seat, rng), seed=-1)

    def bonus(self, state: PileState) -> int:
        if state.seed < 0:
            raise IndexError("no card left")
        return super().bonus(state)


class ShowsSeed(Pile):
    def public_view(self, state: PileState) -> dict[str, Json]:
        return super().public_view(state) | {"deal": f"deal number {state.seed}"}


class ViewsTuple(March):
    def public_view(self, state: MarchState) -> dict[str, Json]:
        return {"steps": state.steps}


class ViewsKept(March):
    views_are_fresh = True
    kept: ClassVar[dict[str, Json]] = {"steps": []}

    def observation(self, state: MarchState, seat: Seat) -> dict[str, Json]:
        return dict(self.kept)


class ViewsNumberKeys(March):
    def observation(self, state: MarchState, seat: Seat) -> dict[str, Json]:
        return {"steps": dict(enumerate(state.steps))}


class ViewsNan(March):
    def briefing(self, state: MarchState, seat: Seat) -> Json:
        return {"length": math.nan}


class ViewsTooMuch(March):
    def public_view(self, state: MarchState) -> dict[str, Json]:
        return {"padding": "." * 1_100_000}


class ViewsList(March):
    def observation(self, state: MarchState, seat: Seat) -> dict[str, Json]:
        return list(state.steps)  # type: ignore[return-value]


class AcceptsIllegal(Numbers):
    def apply(self, state: NumbersState, turn: Turn[Say]) -> NumbersState:
        if tuple(sorted(turn.actions)) != self.seats_to_act(state) or self.is_terminal(state):
            raise IllegalAction("expected an answer of every seat before the end")
        return NumbersState((*state.named, tuple(turn.actions[seat].number for seat in range(self.seats))))


class AcceptsIllegalBid(Bids):
    def apply(self, state: BidsState, turn: Turn[Say]) -> BidsState:
        acting = self.seats_to_act(state)
        below = {seat: Say("bid", state.bids[seat] - 1) for seat in acting}
        lowered = {s: min(a, below[s], key=_number) if s in acting else a for s, a in turn.actions.items()}
        return super().apply(state, Turn(lowered, turn.stamp))


class AcceptsWrongSeat(Pile):
    def apply(self, state: PileState, turn: Turn[Say]) -> PileState:
        seats = self.seats_to_act(state)
        return super().apply(state, Turn({s: a for s, a in turn.actions.items() if s in seats}, turn.stamp))


class StumblesOverWrongSeat(March):
    def apply(self, state: MarchState, turn: Turn[Say]) -> MarchState:
        if any(seat not in range(self.seats) for seat in turn.actions):
            raise KeyError("seat")
        return super().apply(state, turn)


class FillsMissingSeats(Numbers):
    def apply(self, state: NumbersState, turn: Turn[Say]) -> NumbersState:
        seats = self.seats_to_act(state)
        if not set(turn.actions) < set(seats):
            return super().apply(state, turn)
        filled = {seat: turn.actions.get(seat, self.default_action(state, seat)) for seat in seats}
        return super().apply(state, Turn(filled, turn.stamp))


class GoesOnAfterTheEnd(Bids):
    def apply(self, state: BidsState, turn: Turn[Say]) -> BidsState:
        return state if state.is_over else super().apply(state, turn)


class RefusesLegal(Numbers):
    def apply(self, state: NumbersState, turn: Turn[Say]) -> NumbersState:
        if len(state.named) == 2:
            raise IllegalAction("no third round today")
        return super().apply(state, turn)


class CrashesInPlay(March):
    def apply(self, state: MarchState, turn: Turn[Say]) -> MarchState:
        if state.tick == 3:
            raise ZeroDivisionError("tick 3")
        return super().apply(state, turn)


class RunsTooLong(Pile):
    def variant_spec(self) -> GameSpec:
        return replace(type(self).spec, max_turns=3)


class RunsForEverIfSilent(Numbers):
    """Ends only when somebody names something else than the default."""

    def seats_to_act(self, state: NumbersState) -> tuple[Seat, ...]:
        return tuple(range(self.seats)) if not self.is_terminal(state) else ()

    def is_terminal(self, state: NumbersState) -> bool:
        return any(3 in row for row in state.named)

    def variant_spec(self) -> GameSpec:
        return replace(type(self).spec, max_turns=60)


class WaitsForEver(Bids):
    def wake_at(self, state: BidsState) -> int | None:
        return None


class ListsSeatsBackwards(Numbers):
    def seats_to_act(self, state: NumbersState) -> tuple[Seat, ...]:
        return super().seats_to_act(state)[::-1]

    def apply(self, state: NumbersState, turn: Turn[Say]) -> NumbersState:
        if set(turn.actions) != set(self.seats_to_act(state)) or self.is_terminal(state):
            raise IllegalAction("expected an answer of every seat before the end")
        if not all(self.is_legal(state, seat, action) for seat, action in turn.actions.items()):
            raise IllegalAction("expected legal actions")
        return NumbersState((*state.named, tuple(turn.actions[seat].number for seat in range(self.seats))))


class TimerGoesBack(March):
    def wake_at(self, state: MarchState) -> int | None:
        return None if self.is_terminal(state) else (7 - state.tick) * self.tick_ms


class OffersToIdleSeats(Pile):
    def legal_actions(self, state: PileState, seat: Seat) -> tuple[Say, ...]:
        return super().legal_actions(state, state.turn % 2)


class DefaultsToIllegal(Pile):
    def default_action(self, state: PileState, seat: Seat) -> Say:
        return Say("take", 9)


class DefaultsToUnlisted(March):
    def default_action(self, state: MarchState, seat: Seat) -> Say:
        return Say("walk", 2)


class JudgesTooMildly(Numbers):
    def is_legal(self, state: NumbersState, seat: Seat, action: Say) -> bool:
        return seat in self.seats_to_act(state)


class JudgesTooHarshly(March):
    def is_legal(self, state: MarchState, seat: Seat, action: Any) -> bool:
        return super().is_legal(state, seat, action) and action.number == 1

    def apply(self, state: MarchState, turn: Turn[Say]) -> MarchState:
        if any(action.number not in (1, 5) for action in turn.actions.values()):
            raise IllegalAction("expected 1 or 5 steps")
        ones = {seat: Say("walk", 1) for seat in turn.actions}
        return super().apply(state, Turn(ones, turn.stamp))


@dataclass(frozen=True, slots=True)
class Mumble(Say):
    """Says only the verb."""

    def __str__(self) -> str:
        return self.verb


@dataclass(frozen=True, slots=True)
class Stanza(Say):
    """Takes two lines."""

    def __str__(self) -> str:
        return f"{self.verb}\n{self.number}"


class GivesDuplicateTexts(March):
    def legal_actions(self, state: MarchState, seat: Seat) -> tuple[Say, ...]:
        return tuple(Mumble(action.verb, action.number) for action in super().legal_actions(state, seat))

    def default_action(self, state: MarchState, seat: Seat) -> Say:
        return Mumble("walk", 1)

    def parse_action(self, text: str) -> Say:
        if text != "walk":
            raise ValueError(f"expected walk, got {text!r}")
        return Mumble("walk", 1)


class WritesTwoLines(March):
    def legal_actions(self, state: MarchState, seat: Seat) -> tuple[Say, ...]:
        return tuple(Stanza(action.verb, action.number) for action in super().legal_actions(state, seat))

    def default_action(self, state: MarchState, seat: Seat) -> Say:
        return Stanza("walk", 1)

    def parse_action(self, text: str) -> Say:
        said = super().parse_action(text.replace("\n", " ", 1))
        return Stanza(said.verb, said.number)


class ReadsOneLess(March):
    def parse_action(self, text: str) -> Say:
        said = super().parse_action(text)
        return Say(said.verb, max(1, said.number - 1))


class StumblesOverText(Pile):
    def parse_action(self, text: str) -> Say:
        return {"take 1": Say("take", 1), "take 2": Say("take", 2)}[text]


class ReadsAnyVerb(Pile):
    """What it reads cannot always be shown to people."""

    def parse_action(self, text: str) -> Say:
        verb, number = text.split(" ")
        return Say(verb, int(number))


class LiesAboutZeroSum(Pile):
    def returns(self, state: PileState) -> tuple[float, ...]:
        return tuple(max(0.0, value) for value in super().returns(state))


class LiesAboutSharing(March):
    def returns(self, state: MarchState) -> tuple[float, ...]:
        return tuple(map(float, state.steps))


class ForgetsSeat(Numbers):
    def metrics(self, state: NumbersState) -> tuple[Mapping[str, float], ...]:
        return ({"named": 1.0},)


class MeasuresInfinity(Numbers):
    def metrics(self, state: NumbersState) -> tuple[Mapping[str, float], ...]:
        return ({"ratio": math.inf},) * self.seats


class RenamesMetrics(Pile):
    def metrics(self, state: PileState) -> tuple[Mapping[str, float], ...]:
        return ({f"turn_{state.turn}": 1.0},) * self.seats


class SkipsTeamNumber(Pile):
    @property
    def teams(self) -> tuple[int, ...]:
        return (0, 2)


class EndsWithFullStop(Numbers):
    def reason(self, state: NumbersState) -> str:
        return "all rounds are over."


class TakesAnyParameter(Pile):
    def __init__(self, params: Mapping[str, ParamValue] | None = None, *, seats: int | None = None) -> None:
        spec = type(self).spec
        known = {name: value for name, value in (params or {}).items() if name in spec.params}
        super().__init__(known, seats=seats)


class DefaultOutOfRange(Pile):
    spec = replace(Pile.spec, params={"pile": Param(9, "how many lie there", minimum=1, maximum=5)})


class RenamesItself(March):
    def variant_spec(self) -> GameSpec:
        return replace(type(self).spec, version=f"1-{self.seats}")


def _number(action: Say) -> int:
    return action.number


_EVERY_RUN_DIFFERS = {"fresh_interpreter_plays_the_same", "golden_record_exists_and_replays"}
_CANNOT_END = {"redealt_match_plays_on", "golden_record_exists_and_replays"}

BROKEN: dict[type[AnyGame], set[str]] = {
    DrawsGlobally: _EVERY_RUN_DIFFERS | {"global_chance_is_left_alone", "replay_gives_equal_states_and_hashes"},
    ReseedsGlobally: {"global_chance_is_left_alone"},
    RemembersMatches: {"replay_gives_equal_states_and_hashes"},
    ListsSetOrder: {"fresh_interpreter_plays_the_same"},
    EncodesSetOrder: {"fresh_interpreter_plays_the_same"},
    EncodesLengthOnly: {"encode_tells_states_apart"},
    EncodesText: _EVERY_RUN_DIFFERS | {"encode_tells_states_apart"},
    ChangesOldState: {
        "old_state_is_untouched",
        "replay_gives_equal_states_and_hashes",
        "redeal_repeats_and_spares_the_state",
        "global_chance_is_left_alone",
        "encode_tells_states_apart",
    },
    ChangesStateWhenDrawn: {
        "old_state_is_untouched",
        "redeal_repeats_and_spares_the_state",
        "global_chance_is_left_alone",
    },
    CannotHash: {"states_and_actions_are_hashable"},
    AsksByIdentity: {"equal_states_ask_equal_questions"},
    ShowsAllCards: {"hidden_twin_looks_the_same"},
    BriefsAboutRival: {"hidden_twin_looks_the_same"},
    ActsOnHiddenCard: {"hidden_twin_looks_the_same"},
    RedealsOwnCard: {"hidden_twin_looks_the_same"},
    RedealsNothing: {"redeal_draws_anew"},
    RedealsGlobally: {"redeal_repeats_and_spares_the_state"},
    RedealsToDeadEnd: {"redealt_match_plays_on"},
    ShowsSeed: {"views_hide_the_seed", "hidden_twin_looks_the_same"},
    ViewsTuple: {"views_are_json"},
    ViewsKept: {"fresh_views_share_nothing"},
    ViewsNumberKeys: {"views_are_json"},
    ViewsNan: {"views_are_json"},
    ViewsTooMuch: {"views_fit_a_message"},
    ViewsList: {"views_answer_any_time"},
    AcceptsIllegal: {"illegal_actions_are_refused"},
    AcceptsIllegalBid: {"illegal_actions_are_refused"},
    AcceptsWrongSeat: {"wrong_seats_are_refused"},
    StumblesOverWrongSeat: {"wrong_seats_are_refused"},
    FillsMissingSeats: {"missing_seats_are_refused"},
    GoesOnAfterTheEnd: {"turns_after_the_end_are_refused"},
    RefusesLegal: _CANNOT_END | {"matches_play_to_the_end"},
    CrashesInPlay: _CANNOT_END | {"matches_play_to_the_end", "wrong_seats_are_refused"},
    RunsTooLong: {"matches_end_within_max_turns"},
    RunsForEverIfSilent: {"matches_end_within_max_turns"},
    WaitsForEver: {"somebody_acts_until_the_end"},
    ListsSeatsBackwards: {"somebody_acts_until_the_end"},
    TimerGoesBack: {"timers_lie_ahead"},
    OffersToIdleSeats: {"legal_actions_agree_with_seats_to_act"},
    DefaultsToIllegal: {"default_action_is_legal"},
    DefaultsToUnlisted: {"default_action_is_legal"},
    JudgesTooMildly: {"is_legal_agrees_with_legal_actions"},
    JudgesTooHarshly: {"is_legal_agrees_with_legal_actions", "illegal_actions_are_refused"},
    GivesDuplicateTexts: {"action_texts_are_unique", "golden_record_exists_and_replays"},
    WritesTwoLines: {"action_texts_round_trip", "fuzzed_texts_give_value_error_only"},
    ReadsOneLess: {
        "action_texts_round_trip",
        "fuzzed_texts_give_value_error_only",
        "golden_record_exists_and_replays",
    },
    StumblesOverText: {"fuzzed_texts_give_value_error_only"},
    ReadsAnyVerb: {"fuzzed_texts_give_value_error_only"},
    LiesAboutZeroSum: {"declared_utility_holds"},
    LiesAboutSharing: {"declared_utility_holds"},
    ForgetsSeat: {"returns_and_metrics_have_one_entry_per_seat"},
    MeasuresInfinity: {"returns_and_metrics_have_one_entry_per_seat"},
    RenamesMetrics: {"metric_names_stay_the_same"},
    SkipsTeamNumber: {"teams_and_roles_fit_the_seats"},
    EndsWithFullStop: {"reason_is_a_sentence"},
    TakesAnyParameter: {"bad_parameters_are_refused"},
    DefaultOutOfRange: {"spec_is_sound", "every_variant_can_be_made", "golden_record_exists_and_replays"},
    RenamesItself: {"spec_is_sound"},
}
"""Broken game -> exactly the checks that report it."""
