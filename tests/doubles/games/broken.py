"""The reference games with one thing gone wrong each; `BROKEN` says which named checks must notice, and no others."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from gridjoust.games.api import AnyGame, IllegalAction, Metric, Param, Turn
from tests.doubles.games.reference import Bids, March, MarchState, Numbers, NumbersState, Pile, PileState, Say

EVERY_RUN_DIFFERS = ("fresh_interpreter_plays_the_same", "golden_record_exists_and_replays")
CANNOT_END = ("redealt_match_plays_on", "golden_record_exists_and_replays")
NOT_REPEATED = ("redeal_repeats_and_spares_the_state", "global_chance_is_left_alone")


class Broken(NamedTuple):
    """What is broken, its wrong members, and exactly the checks that report it."""

    base: type[AnyGame]
    members: dict[str, Any]
    checks: set[str]


def broken(base: type[AnyGame], *checks: str, **members: Any) -> Broken:
    return Broken(base, members, set(checks))


def fail(error: Exception) -> Any:
    raise error


def reseed(self: Pile, state: PileState) -> int:
    random.seed(state.seed + state.turn)
    return random.randrange(3)


def deal_anew(self: Any, seed: int) -> NumbersState:
    """Another deal every time it is asked."""
    self.deals = getattr(self, "deals", 0) + 1
    return NumbersState(((10 + self.deals,) * self.seats,))


def legal_in_set_order(self: Bids, state: Any, seat: int) -> tuple[Say, ...]:
    """In an order that depends on PYTHONHASHSEED."""
    return tuple(self.parse_action(text) for text in {str(action) for action in Bids.legal_actions(self, state, seat)})


def encode_set_order(self: Numbers, state: NumbersState) -> bytes:
    words = {f"{number} {word}" for number, row in enumerate(state.named) for word in (*row, "end")}
    return repr((state.named, list(words))).encode()


def change_old_state(self: Numbers, state: NumbersState, turn: Turn[Say]) -> NumbersState:
    new = Numbers.apply(self, state, turn)
    object.__setattr__(state, "named", new.named)
    return new


def change_drawn_state(self: March, state: MarchState) -> str:
    object.__setattr__(state, "tick", state.tick + 1)
    return "drawn"


class UnhashableState(NumbersState):
    __hash__ = None  # type: ignore[assignment]


def legal_by_hidden_card(self: Pile, state: PileState, seat: int) -> tuple[Say, ...]:
    legal = Pile.legal_actions(self, state, seat)
    return legal[:1] if state.cards[1 - seat] % 2 else legal


def name_anything(self: Numbers, state: NumbersState, turn: Turn[Say]) -> NumbersState:
    """Every seat has to answer, but no answer is judged."""
    if set(turn.actions) != set(self.seats_to_act(state)) or self.is_terminal(state):
        raise IllegalAction("expected an answer of every seat before the end")
    return NumbersState((*state.named, tuple(turn.actions[seat].number for seat in range(self.seats))))


def name_backwards(self: Numbers, state: NumbersState, turn: Turn[Say]) -> NumbersState:
    after = name_anything(self, state, turn)
    if not all(self.is_legal(state, seat, action) for seat, action in turn.actions.items()):
        raise IllegalAction("expected legal actions")
    return after


def lower_bids(self: Bids, state: Any, turn: Turn[Say]) -> Any:
    """A bid that is too high counts as one below the last."""
    below = {seat: state.bids[seat] - 1 for seat in self.seats_to_act(state)}
    lowered = {s: Say("bid", min(a.number, below[s])) if s in below else a for s, a in turn.actions.items()}
    return Bids.apply(self, state, Turn(lowered, turn.stamp))


def hear_acting_seats(self: Pile, state: PileState, turn: Turn[Say]) -> PileState:
    heard = {seat: action for seat, action in turn.actions.items() if seat in self.seats_to_act(state)}
    return Pile.apply(self, state, Turn(heard, turn.stamp))


def fill_missing_seats(self: Numbers, state: NumbersState, turn: Turn[Say]) -> NumbersState:
    seats = self.seats_to_act(state)
    if not set(turn.actions) < set(seats):
        return Numbers.apply(self, state, turn)
    filled = {seat: turn.actions.get(seat, self.default_action(state, seat)) for seat in seats}
    return Numbers.apply(self, state, Turn(filled, turn.stamp))


def walk_one_or_five(self: March, state: MarchState, turn: Turn[Say]) -> MarchState:
    if any(action.number not in (1, 5) for action in turn.actions.values()):
        raise IllegalAction("expected 1 or 5 steps")
    return March.apply(self, state, Turn({seat: Say("walk", 1) for seat in turn.actions}, turn.stamp))


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


def said(kind: type[Say]) -> dict[str, Any]:
    """Members of a march whose legal actions are of that kind."""
    return {
        "legal_actions": lambda self, state, seat: tuple(
            kind(action.verb, action.number) for action in March.legal_actions(self, state, seat)
        ),
        "default_action": lambda self, state, seat: kind("walk", 1),
    }


def read_verb(self: March, text: str) -> Say:
    return Mumble("walk", 1) if text == "walk" else fail(ValueError(f"expected walk, got {text!r}"))


def read_two_lines(self: March, text: str) -> Say:
    action = March.parse_action(self, text.replace("\n", " ", 1))
    return Stanza(action.verb, action.number)


def read_one_less(self: March, text: str) -> Say:
    return Say("walk", max(1, March.parse_action(self, text).number - 1))


def read_any_verb(self: Pile, text: str) -> Say:
    """What is read cannot always be shown to people."""
    verb, number = text.split(" ")
    return Say(verb, int(number))


def take_known_parameters(self: Pile, params: Any = None, *, seats: int | None = None) -> None:
    known = {name: value for name, value in (params or {}).items() if name in Pile.spec.params}
    Pile.__init__(self, known, seats=seats)


GAMES: dict[str, Broken] = {
    "DrawsGlobally": broken(
        Pile,
        *EVERY_RUN_DIFFERS,
        "global_chance_is_left_alone",
        "replay_gives_equal_states_and_hashes",
        bonus=lambda self, state: random.getrandbits(40),
    ),
    "ReseedsGlobally": broken(Pile, "global_chance_is_left_alone", bonus=reseed),
    "RemembersMatches": broken(Numbers, "replay_gives_equal_states_and_hashes", initial_state=deal_anew),
    "ListsSetOrder": broken(Bids, "fresh_interpreter_plays_the_same", legal_actions=legal_in_set_order),
    "EncodesSetOrder": broken(Numbers, "fresh_interpreter_plays_the_same", encode=encode_set_order),
    "EncodesLengthOnly": broken(
        Numbers, "encode_tells_states_apart", encode=lambda self, state: bytes([len(state.named)])
    ),
    "EncodesText": broken(
        Numbers, *EVERY_RUN_DIFFERS, "encode_tells_states_apart", encode=lambda self, state: repr(state.named)
    ),
    "ChangesOldState": broken(
        Numbers,
        *NOT_REPEATED,
        "old_state_is_untouched",
        "replay_gives_equal_states_and_hashes",
        "encode_tells_states_apart",
        apply=change_old_state,
    ),
    "ChangesStateWhenDrawn": broken(March, *NOT_REPEATED, "old_state_is_untouched", render=change_drawn_state),
    "CannotHash": broken(
        Numbers,
        "states_and_actions_are_hashable",
        initial_state=lambda self, seed: UnhashableState(()),
        apply=lambda self, state, turn: UnhashableState(Numbers.apply(self, state, turn).named),
    ),
    "AsksByIdentity": broken(Bids, "equal_states_ask_equal_questions", ask_key=lambda self, state, seat: id(state)),
    "ShowsAllCards": broken(
        Pile,
        "hidden_twin_looks_the_same",
        observation=lambda self, state, seat: Pile.observation(self, state, seat) | {"cards": list(state.cards)},
    ),
    "BriefsAboutRival": broken(
        Pile, "hidden_twin_looks_the_same", briefing=lambda self, state, seat: {"rival": state.cards[1 - seat]}
    ),
    "ActsOnHiddenCard": broken(Pile, "hidden_twin_looks_the_same", legal_actions=legal_by_hidden_card),
    "RedealsOwnCard": broken(
        Pile,
        "hidden_twin_looks_the_same",
        redeal=lambda self, state, seat, rng: Pile.redeal(self, state, 1 - seat, rng),
    ),
    "RedealsNothing": broken(Pile, "redeal_draws_anew", redeal=lambda self, state, seat, rng: state),
    "RedealsGlobally": broken(
        Pile,
        "redeal_repeats_and_spares_the_state",
        redeal=lambda self, state, seat, rng: Pile.redeal(self, state, seat, random.Random()),
    ),
    "RedealsToDeadEnd": broken(
        Pile,
        "redealt_match_plays_on",
        redeal=lambda self, state, seat, rng: replace(Pile.redeal(self, state, seat, rng), seed=-1),
        bonus=lambda self, state: fail(IndexError("no card left")) if state.seed < 0 else Pile.bonus(self, state),
    ),
    "ShowsSeed": broken(
        Pile,
        "views_hide_the_seed",
        "hidden_twin_looks_the_same",
        public_view=lambda self, state: Pile.public_view(self, state) | {"deal": f"deal number {state.seed}"},
    ),
    "ViewsTuple": broken(March, "views_are_json", public_view=lambda self, state: {"steps": state.steps}),
    "ViewsKept": broken(
        March,
        "fresh_views_share_nothing",
        views_are_fresh=True,
        kept={"steps": []},
        observation=lambda self, state, seat: dict(self.kept),
    ),
    "ViewsNumberKeys": broken(
        March, "views_are_json", observation=lambda self, state, seat: {"steps": dict(enumerate(state.steps))}
    ),
    "ViewsNan": broken(March, "views_are_json", briefing=lambda self, state, seat: {"length": math.nan}),
    "ViewsTooMuch": broken(March, "views_fit_a_message", public_view=lambda self, state: {"padding": "." * 1_100_000}),
    "ViewsList": broken(March, "views_answer_any_time", observation=lambda self, state, seat: list(state.steps)),
    "AcceptsIllegal": broken(Numbers, "illegal_actions_are_refused", apply=name_anything),
    "AcceptsIllegalBid": broken(Bids, "illegal_actions_are_refused", apply=lower_bids),
    "AcceptsWrongSeat": broken(Pile, "wrong_seats_are_refused", apply=hear_acting_seats),
    "StumblesOverWrongSeat": broken(
        March,
        "wrong_seats_are_refused",
        apply=lambda self, state, turn: (
            March.apply(self, state, turn) if set(turn.actions) <= set(range(self.seats)) else fail(KeyError("seat"))
        ),
    ),
    "FillsMissingSeats": broken(Numbers, "missing_seats_are_refused", apply=fill_missing_seats),
    "GoesOnAfterTheEnd": broken(
        Bids,
        "turns_after_the_end_are_refused",
        apply=lambda self, state, turn: state if state.is_over else Bids.apply(self, state, turn),
    ),
    "RefusesLegal": broken(
        Numbers,
        *CANNOT_END,
        "matches_play_to_the_end",
        apply=lambda self, state, turn: (
            fail(IllegalAction("no third round today")) if len(state.named) == 2 else Numbers.apply(self, state, turn)
        ),
    ),
    "CrashesInPlay": broken(
        March,
        *CANNOT_END,
        "matches_play_to_the_end",
        "wrong_seats_are_refused",
        apply=lambda self, state, turn: (
            fail(ZeroDivisionError("tick 3")) if state.tick == 3 else March.apply(self, state, turn)
        ),
    ),
    "RunsTooLong": broken(
        Pile, "matches_end_within_max_turns", variant_spec=lambda self: replace(Pile.spec, max_turns=3)
    ),
    "RunsForEverIfSilent": broken(  # ends only when somebody names something else than the default
        Numbers,
        "matches_end_within_max_turns",
        is_terminal=lambda self, state: any(3 in row for row in state.named),
        variant_spec=lambda self: replace(Numbers.spec, max_turns=60),
    ),
    "WaitsForEver": broken(Bids, "somebody_acts_until_the_end", wake_at=lambda self, state: None),
    "ListsSeatsBackwards": broken(
        Numbers,
        "somebody_acts_until_the_end",
        seats_to_act=lambda self, state: Numbers.seats_to_act(self, state)[::-1],
        apply=name_backwards,
    ),
    "TimerGoesBack": broken(
        March,
        "timers_lie_ahead",
        wake_at=lambda self, state: None if self.is_terminal(state) else (7 - state.tick) * self.tick_ms,
    ),
    "OffersToIdleSeats": broken(
        Pile,
        "legal_actions_agree_with_seats_to_act",
        legal_actions=lambda self, state, seat: Pile.legal_actions(self, state, state.turn % 2),
    ),
    "DefaultsToIllegal": broken(
        Pile, "default_action_is_legal", default_action=lambda self, state, seat: Say("take", 9)
    ),
    "DefaultsToUnlisted": broken(
        March, "default_action_is_legal", default_action=lambda self, state, seat: Say("walk", 2)
    ),
    "JudgesTooMildly": broken(
        Numbers,
        "is_legal_agrees_with_legal_actions",
        is_legal=lambda self, state, seat, action: seat in self.seats_to_act(state),
    ),
    "JudgesTooHarshly": broken(
        March,
        "is_legal_agrees_with_legal_actions",
        "illegal_actions_are_refused",
        is_legal=lambda self, state, seat, action: March.is_legal(self, state, seat, action) and action.number == 1,
        apply=walk_one_or_five,
    ),
    "GivesDuplicateTexts": broken(
        March,
        "action_texts_are_unique",
        "golden_record_exists_and_replays",
        **said(Mumble),
        parse_action=read_verb,
    ),
    "WritesTwoLines": broken(
        March,
        "action_texts_round_trip",
        "fuzzed_texts_give_value_error_only",
        **said(Stanza),
        parse_action=read_two_lines,
    ),
    "ReadsOneLess": broken(
        March,
        "action_texts_round_trip",
        "fuzzed_texts_give_value_error_only",
        "golden_record_exists_and_replays",
        parse_action=read_one_less,
    ),
    "StumblesOverText": broken(
        Pile,
        "fuzzed_texts_give_value_error_only",
        parse_action=lambda self, text: {"take 1": Say("take", 1), "take 2": Say("take", 2)}[text],
    ),
    "ReadsAnyVerb": broken(Pile, "fuzzed_texts_give_value_error_only", parse_action=read_any_verb),
    "LiesAboutZeroSum": broken(
        Pile,
        "declared_utility_holds",
        returns=lambda self, state: tuple(max(0.0, value) for value in Pile.returns(self, state)),
    ),
    "LiesAboutSharing": broken(
        March, "declared_utility_holds", returns=lambda self, state: tuple(map(float, state.steps))
    ),
    "ForgetsSeat": broken(
        Numbers, "returns_and_metrics_have_one_entry_per_seat", metrics=lambda self, state: ({"named": 1.0},)
    ),
    "MeasuresInfinity": broken(
        Numbers,
        "returns_and_metrics_have_one_entry_per_seat",
        metrics=lambda self, state: ({"ratio": math.inf},) * self.seats,
    ),
    "RenamesMetrics": broken(
        Pile, "metric_names_stay_the_same", metrics=lambda self, state: ({f"turn_{state.turn}": 1.0},) * self.seats
    ),
    "KeepsMetricsBack": broken(
        Pile, "declared_metrics_are_kept", spec=replace(Pile.spec, metrics={"laid": Metric("pieces laid", "higher")})
    ),
    "ReachesGoalsTwice": broken(
        Pile,
        "declared_metrics_are_kept",
        spec=replace(Pile.spec, metrics={"taken": Metric("it is empty", "higher", is_goal=True)}),
    ),
    "SkipsTeamNumber": broken(Pile, "teams_and_roles_fit_the_seats", teams=(0, 2)),
    "EndsWithFullStop": broken(Numbers, "reason_is_a_sentence", reason=lambda self, state: "all rounds are over."),
    "DealsOneCardInEverySeed": broken(
        Pile,
        "another_seed_hides_something_else",
        initial_state=lambda self, seed: replace(Pile.initial_state(self, seed), cards=(seed % 97, 50)),
    ),
    "TakesAnyParameter": broken(Pile, "bad_parameters_are_refused", __init__=take_known_parameters),
    "DefaultOutOfRange": broken(
        Pile,
        "spec_is_sound",
        "every_variant_can_be_made",
        "golden_record_exists_and_replays",
        spec=replace(Pile.spec, params={"pile": Param(9, "how many lie there", minimum=1, maximum=5)}),
    ),
    "RenamesItself": broken(
        March, "spec_is_sound", variant_spec=lambda self: replace(March.spec, version=f"1-{self.seats}")
    ),
}
"""Name of a broken game -> what is wrong with it."""

BROKEN: dict[type[AnyGame], set[str]] = {
    type(name, (base,), {"__module__": __name__, **members}): checks for name, (base, members, checks) in GAMES.items()
}
"""Broken game -> exactly the checks that report it."""

CrashesInPlay: type[AnyGame]
RunsTooLong: type[AnyGame]
ViewsTuple: type[AnyGame]
WaitsForEver: type[AnyGame]
globals().update({game.__name__: game for game in BROKEN})  # another interpreter finds each by its name in this module
