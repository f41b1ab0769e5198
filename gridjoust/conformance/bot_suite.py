"""The checks of a bot in seeded matches against random opponents; they do not measure time, as the referee does."""

from __future__ import annotations

import copy
import math
import statistics
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any, Unpack

import msgspec

from gridjoust.bots.api import AnytimeBot, Bot, Deadline
from gridjoust.bots.harness import start_bot
from gridjoust.bots.match import make_setup, observe
from gridjoust.conformance.bot_matches import (
    WATCHED_MATCHES,
    BotMatch,
    BotOptions,
    BotSubject,
    Decision,
    global_chance,
    parse_legal,
    places_and_seeds,
    play_bot,
)
from gridjoust.conformance.fresh import Job, digests_elsewhere
from gridjoust.conformance.subject import Case, Finding, Variant, find_class, spread, target_of
from gridjoust.conformance.suite import Asked, findings_of, make_tests
from gridjoust.runner.wire.protocol import is_planner

COMPARED_MATCHES = 12  # pairs of matches against the random baseline
QUESTIONS = 10  # questions of one match for checks that ask again
MARGIN_ERRORS = 2.0  # a bot is worse than random if its mean paired difference is this many standard errors below 0


def declarations_are_known(subject: BotSubject) -> Iterator[str]:
    """Check that `plays` names the game (or is empty for all games) and that `planner` is a valid name."""
    bot, name = subject.bot_class, subject.game.spec.name
    if bot.plays and name not in bot.plays:
        yield f"expected plays to name {name}, got {bot.plays!r}"
    if not is_planner(bot.planner):
        yield f"expected planner to have 1 to 30 letters, digits or _, got {bot.planner!r}"


def answers_are_legal(subject: BotSubject) -> Iterator[str]:
    """Check that every answer in seeded matches is the text of a legal action."""
    for match in subject.watched:
        for decision in match.decisions:
            if parse_legal(subject.game, decision.state, decision.seat, decision.text) is None:
                where = f"seed {match.seed}, turn {decision.turn_number}, seat {decision.seat}"
                yield f"{where}: expected a legal answer, got {decision.text!r:.80}"


def same_setup_gives_same_answers(subject: BotSubject) -> Iterator[str]:
    """Check that two bots with equal setup and observations give equal answers, for any global random state."""
    for match in subject.watched:
        with global_chance(2):
            again = play_bot(subject, match.seats, match.seed)
        if fault := _first_difference(match.answers, again.answers):
            yield f"seed {match.seed}: {fault}"


def fresh_interpreter_answers_the_same(subject: BotSubject) -> Iterator[str]:
    """Check that another interpreter with another PYTHONHASHSEED gives the same answers."""
    match = subject.watched[0]
    case = Case(subject.game_class, Variant(subject.params, subject.game.seats), (match.seed,))
    try:
        bot: dict[str, Any] = {"seats": match.seats, "options": subject.options, "bot": target_of(subject.bot_class)}
        elsewhere = digests_elsewhere([case], work=f"{__name__}:bot_digests", **bot)
    except ValueError as error:
        yield f"expected a fresh interpreter to play the match, got {error}"
        return
    if fault := _first_difference(match.answers, elsewhere[0]):
        yield f"seed {match.seed}: {fault}"


def instances_are_independent(subject: BotSubject) -> Iterator[str]:
    """Check that two matches played turn by turn in alternation give the same answers as one after the other."""
    alone = subject.watched[:2]
    together = [BotMatch(subject, match.seats, match.seed).sit_down() for match in alone]
    while not all(match.is_over() for match in together):
        for match in together:
            if not match.is_over():
                match.step()
    for expected, match in zip(alone, together, strict=True):
        if fault := _first_difference(expected.answers, match.answers):
            yield f"seed {match.seed}, beside another match: {fault}"


def observations_are_left_alone(subject: BotSubject) -> Iterator[str]:
    """Check that `start` and `act` leave the setup and the observations unchanged."""
    match, game = subject.watched[0], subject.game
    setup = make_setup(game, game.initial_state(match.seed), seats=match.seats, bot_seed=match.seed)
    kept = copy.deepcopy(setup)
    start_bot(subject.bot_class(**subject.options), setup)
    if setup != kept:
        yield "expected start to leave the setup as it was, got it changed"
    for decision in match.decisions:
        if decision.observation != observe(game, decision.state, decision.seat, turn=decision.turn_number):
            yield f"turn {decision.turn_number}: expected act to leave the observation as it was, got it changed"


def improve_answers_after_the_deadline(subject: BotSubject) -> Iterator[str]:
    """Check that an anytime bot gives a first legal answer even if the deadline is over before it starts."""
    for bot, decision in _questions(subject):
        if not isinstance(bot, AnytimeBot):
            return
        deadline = Deadline(0.0, lambda: 0.0)
        first = next((text for text in bot.improve(decision.observation, deadline) if text is not None), None)
        if parse_legal(subject.game, decision.state, decision.seat, first) is None:
            yield f"turn {decision.turn_number}: expected a legal first answer after the deadline, got {first!r}"


def a_sample_of_legal_actions_is_enough(subject: BotSubject) -> Iterator[str]:
    """Check that the answer is legal even if `legal` lists only the default action and `legal_complete` is false."""
    for bot, decision in _questions(subject):
        default = str(subject.game.default_action(decision.state, decision.seat))
        question = msgspec.structs.replace(decision.observation, legal=[default], legal_complete=False)
        text = bot.act(question)
        if parse_legal(subject.game, decision.state, decision.seat, text) is None:
            yield f"turn {decision.turn_number}: expected a legal answer to a sample of actions, got {text!r}"


def not_worse_than_random(subject: BotSubject) -> Iterator[str]:
    """Check that the mean return is not below that of random answers by more than two standard errors.

    Matches are paired: both have the same seed, seats and opponents' generators.
    """
    differences = []
    for number, (seats, seed) in enumerate(places_and_seeds(subject, max(COMPARED_MATCHES, len(subject.places)))):
        match = subject.watched[number] if number < WATCHED_MATCHES else play_bot(subject, seats, seed)
        baseline = BotMatch(subject, seats, seed).play()
        own, theirs = (subject.game.returns(played.match.state) for played in (match, baseline))
        differences.append(statistics.fmean(own[seat] - theirs[seat] for seat in seats))
    mean = statistics.fmean(differences)
    error = statistics.stdev(differences) / math.sqrt(len(differences))
    if mean < -MARGIN_ERRORS * error:
        told = f"{mean:+.3g} per match, with a standard error of {error:.2g} in {len(differences)} pairs"
        yield f"expected returns not below random play, got {told}"


BOT_CHECKS: tuple[Callable[[BotSubject], Iterator[str]], ...] = (
    declarations_are_known,
    answers_are_legal,
    same_setup_gives_same_answers,
    fresh_interpreter_answers_the_same,
    instances_are_independent,
    observations_are_left_alone,
    improve_answers_after_the_deadline,
    a_sample_of_legal_actions_is_enough,
    not_worse_than_random,
)


def check_bot(bot: type[Any] | str, **options: Unpack[BotOptions]) -> list[Finding]:
    """Run all checks of a bot and return their violations; an empty list is a pass.

    The bot holds all seats of a team, or those with one of `roles`.

    Args:
        bot: a class, `module:Class` or `file.py:Class`
        game: the game that it plays: a class, a name, `module:Class` or `file.py:Class`
        params: the game's parameters; those left out have their defaults
        seats: number of seats; by default the game's minimum
        roles: roles that the bot holds; by default all of its team
        seeds: seeds of the matches that are played; by default 1 to 8
        options: passed to the bot's `__init__`, like those of a tournament file
    """
    return findings_of(_all_asked(BotSubject(bot, **options)))


def bot_tests(bot: type[Any] | str, **options: Unpack[BotOptions]) -> type:
    """Make a pytest class with one test for each check of a bot.

    A test file needs one line, `TestMine = joust.bot_tests(Mine, game="bomber")`.

    Args:
        bot: a class, `module:Class` or `file.py:Class`
        game: the game that it plays: a class, a name, `module:Class` or `file.py:Class`
        params: the game's parameters; those left out have their defaults
        seats: number of seats; by default the game's minimum
        roles: roles that the bot holds; by default all of its team
        seeds: seeds of the matches that are played; by default 1 to 8
        options: passed to the bot's `__init__`, like those of a tournament file
    """
    subject = BotSubject(bot, **options)
    return make_tests(subject.bot_class, subject.label, _all_asked(subject))


def _all_asked(subject: BotSubject) -> list[Asked]:
    return [Asked(check, subject, subject.label) for check in BOT_CHECKS]


def bot_digests(job: Job) -> list[list[str]]:
    """Return the bot's answers in one match of each variant; this runs in a fresh Python process."""
    assert job.bot is not None
    digests = []
    for case in job.cases():
        subject = BotSubject(
            find_class(job.bot), game=case.game_class, params=dict(case.variant.params), seats=case.variant.seats,
            options=job.options,
        )  # fmt: skip
        digests.append(play_bot(subject, job.seats, job.seed).answers)
    return digests


def _questions(subject: BotSubject) -> Iterator[tuple[Bot, Decision]]:
    """Yield (new bot, decision) for decisions of a seeded match."""
    match = subject.watched[0]
    start = subject.game.initial_state(match.seed)
    for decision in spread(match.decisions, QUESTIONS):
        yield subject.make_bot(start, seats=match.seats, seed=match.seed), decision


def _first_difference(expected: list[str], got: list[str]) -> str:
    """Return the first difference of two lists of answers; "" if they are equal."""
    for one, other in zip_longest(expected, got, fillvalue="no answer"):
        if one != other:
            return f"expected {one}, got {other}"
    return ""
