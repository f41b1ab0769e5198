"""Runs the checks of a game on its variants, as a list of findings or as a pytest class with a test per check.

pytest is imported only if such a test fails.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from gridjoust.conformance.checks import promises, replay, rules, texts, views
from gridjoust.conformance.fresh import fresh_interpreter_plays_the_same
from gridjoust.conformance.golden import golden_command, golden_record_exists_and_replays
from gridjoust.conformance.matches import describe
from gridjoust.conformance.subject import Case, Finding, GameOptions, Subject
from gridjoust.games.api import AnyGame

DETAIL_LIMIT = 3  # different violations reported per check and variant
REPETITION_LIMIT = 100  # violations examined in search of different ones

SUBJECT_CHECKS: tuple[Callable[[Subject], Iterator[str]], ...] = (
    promises.every_variant_can_be_made,
    promises.spec_is_sound,
    promises.bad_parameters_are_refused,
    fresh_interpreter_plays_the_same,
    golden_record_exists_and_replays,
)
"""Checks that run once per game."""

CASE_CHECKS: tuple[Callable[[Case], Iterator[str]], ...] = (
    rules.matches_play_to_the_end,
    rules.matches_end_within_max_turns,
    rules.somebody_acts_until_the_end,
    rules.timers_lie_ahead,
    rules.legal_actions_agree_with_seats_to_act,
    rules.default_action_is_legal,
    rules.is_legal_agrees_with_legal_actions,
    rules.illegal_actions_are_refused,
    rules.wrong_seats_are_refused,
    rules.missing_seats_are_refused,
    rules.turns_after_the_end_are_refused,
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
    views.hidden_twin_looks_the_same,
    views.redeal_draws_anew,
    views.another_seed_hides_something_else,
    views.redeal_repeats_and_spares_the_state,
    views.redealt_match_plays_on,
    promises.declared_utility_holds,
    promises.returns_and_metrics_have_one_entry_per_seat,
    promises.metric_names_stay_the_same,
    promises.declared_metrics_are_kept,
    promises.teams_and_roles_fit_the_seats,
    promises.reason_is_a_sentence,
)
"""Checks that run for every variant."""


class Asked(NamedTuple):
    """One check of one game or bot; `label` names the game or bot in findings."""

    check: Callable[[Any], Iterator[str]]
    subject: Any
    label: str


def check_game(game: type[AnyGame] | str, **options: Unpack[GameOptions]) -> list[Finding]:
    """Run all checks of a game and return their violations; an empty list is a pass.

    The checks play the default parameters and each of `params` with every number of `seats`. What the game refuses
    with a ValueError is left out.

    Args:
        game: a class, a name, `module:Class` or `file.py:Class`
        params: further sets of parameters
        seats: numbers of seats; by default the minimum and the maximum
        seeds: seeds of the matches that are played; by default two
        golden: the golden record; by default `tests/golden/GAME.jsonl`
    """
    return findings_of(_all_asked(Subject(game, **options)))


def game_tests(game: type[AnyGame] | str, **options: Unpack[GameOptions]) -> type:
    """Make a pytest class with one test for each check of a game.

    A test file needs one line, `TestRace = joust.game_tests(Race)`.

    Args:
        game: a class, a name, `module:Class` or `file.py:Class`
        params: further sets of parameters; the defaults are always played
        seats: numbers of seats; by default the minimum and the maximum
        seeds: seeds of the matches that are played; by default two
        golden: path of the golden record, relative to pytest's root folder; by default `tests/golden/GAME.jsonl`, whose
            test is skipped while it does not exist
    """
    subject = Subject(game, **options)
    is_named = options.get("golden") is not None
    made = make_tests(subject.game_class, subject.game_class.__name__, _all_asked(subject))
    replays: Callable[[object], None] = vars(made)["test_golden_record_exists_and_replays"]

    def test(self: object, pytestconfig: Any) -> None:
        subject.golden = Path(pytestconfig.rootpath, subject.golden)  # an absolute one stays as it is
        if not is_named and not subject.golden.is_file():
            importlib.import_module("pytest").skip(f"no golden record yet: write it with {golden_command(subject)}")
        replays(self)

    test.__doc__ = replays.__doc__
    setattr(made, replays.__name__, test)
    return made


def _all_asked(subject: Subject) -> list[Asked]:
    return [
        *(Asked(check, subject, "all variants") for check in SUBJECT_CHECKS),
        *(Asked(check, case, case.variant.label) for case in subject.cases for check in CASE_CHECKS),
    ]


def make_tests(examined: type, label: str, asked: Sequence[Asked]) -> type:
    """Make a pytest class with one test per check, for the game or bot `label`, which failures name."""
    methods: dict[str, Any] = {"__doc__": f"Conformance of {label}."}
    for check in dict.fromkeys(one.check for one in asked):
        methods[f"test_{check_name(check)}"] = _test(check, [one for one in asked if one.check is check])
    return type(f"Test{examined.__name__}", (), methods)


def _test(check: Callable[[Any], Iterator[str]], asked: Sequence[Asked]) -> Callable[..., None]:
    def test(self: object) -> None:  # noqa: ARG001 - a method
        if not (findings := findings_of(asked)):
            return
        try:
            pytest = importlib.import_module("pytest")
        except ImportError:
            raise ImportError("a test class needs pytest: install gridjoust[test], or use check_game") from None
        pytest.fail("\n".join(map(str, findings)), pytrace=False)

    test.__doc__, test.__name__ = check.__doc__, f"test_{check_name(check)}"
    return test


def findings_of(asked: Iterable[Asked]) -> list[Finding]:
    """Return the first few violations of each check; an exception of the tested code counts as one."""
    return [Finding(check_name(one.check), one.label, detail) for one in asked for detail in _details(one)]


def _details(asked: Asked) -> Iterable[str]:
    found: dict[str, None] = {}  # keeps the order, drops repetitions
    try:
        for detail in islice(asked.check(asked.subject), REPETITION_LIMIT):
            found[detail] = None
            if len(found) == DETAIL_LIMIT:
                break
    except Exception as error:
        found[f"expected an answer, got {describe(error)}"] = None
    return found


def check_name(check: Callable[..., object]) -> str:
    """Return the name by which findings call a check."""
    return str(getattr(check, "__name__", check))
