"""The named checks of a game. Each yields one sentence for every violation it meets, and nothing if all is well."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gridjoust.conformance.checks import hidden, promises, replay, rules, texts, turns, views
from gridjoust.conformance.subject import Case

CaseCheck = Callable[[Case], Iterator[str]]

CASE_CHECKS: tuple[CaseCheck, ...] = (
    rules.matches_play_to_the_end,
    rules.matches_end_within_max_turns,
    rules.somebody_acts_until_the_end,
    rules.timers_lie_ahead,
    rules.legal_actions_agree_with_seats_to_act,
    rules.default_action_is_legal,
    rules.is_legal_agrees_with_legal_actions,
    turns.illegal_actions_are_refused,
    turns.wrong_seats_are_refused,
    turns.missing_seats_are_refused,
    turns.turns_after_the_end_are_refused,
    texts.action_texts_round_trip,
    texts.action_texts_are_unique,
    texts.fuzzed_texts_give_value_error_only,
    replay.replay_gives_equal_states_and_hashes,
    replay.states_and_actions_are_hashable,
    replay.encode_tells_states_apart,
    replay.equal_states_ask_equal_questions,
    replay.global_chance_is_left_alone,
    replay.old_state_is_untouched,
    views.views_answer_any_time,
    views.views_are_json,
    views.views_fit_a_message,
    views.views_hide_the_seed,
    views.fresh_views_share_nothing,
    hidden.hidden_twin_looks_the_same,
    hidden.redeal_draws_anew,
    hidden.redeal_repeats_and_spares_the_state,
    hidden.redealt_match_plays_on,
    promises.declared_utility_holds,
    promises.returns_and_metrics_have_one_entry_per_seat,
    promises.metric_names_stay_the_same,
    promises.teams_and_roles_fit_the_seats,
    promises.reason_is_a_sentence,
)
"""Asked of every variant."""
