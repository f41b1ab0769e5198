"""Plays round robin and gauntlet with a stop rule: batches of pairings until a question is answered.

The k-th pairing of two bots is always on the seed of round k, as in a plain round robin. If a match does not count, the
other match of its pair does not count either.

`Better` tests a series of versions, oldest first: each plays the newest accepted one until it is accepted or rejected.
Accepting every version that scored better would be wrong in about a third of the steps. Here a version is accepted when
the evidence against "no better" exceeds 1 / level. The levels of all tests add up to `error`. So the chance that any
accepted version was no better than the one before stays below `error`, at any time and for any number of versions. A
version that is appended does not change the matches of those before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import assert_never

from gridjoust.runner.config.formats import Better, Gauntlet, Resolved, RoundRobin, Sprt, StopRule
from gridjoust.runner.schedule.adaptive.pairs import Goal, GoalKind, Guard, PairTally, Rule
from gridjoust.runner.schedule.adaptive.resolve import BATCH_PAIRS, TOO_FEW, is_played_enough, next_step
from gridjoust.runner.schedule.combinations import Group, groups
from gridjoust.runner.schedule.pairing import Decisions, Lineup, Meeting, Result, Verdict
from gridjoust.runner.statistics import Hypothesis, SprtResult, sprt
from gridjoust.runner.statistics.sequential import better_evidence, series_level

WORSE = 20.0  # evidence that a version is worse, above which it is rejected; a rejection does not count as error


@dataclass(frozen=True, slots=True)
class SeriesState:
    """Accepted versions of a series, the baseline first, and the one being tested; None if all have been tested."""

    accepted: tuple[int, ...]
    tested: int | None
    tests: int  # tests begun so far


def series_state(tally: PairTally, stop: Better, *, is_paired: bool) -> SeriesState:
    """Return the state that follows from the results alone, so that a resumed run decides the same."""
    accepted = [0]
    for version in range(1, len(tally.bots)):
        match _outcome(tally, stop, accepted[-1], version, is_paired=is_paired):
            case None:
                return SeriesState(tuple(accepted), version, version)
            case True:
                accepted.append(version)
    return SeriesState(tuple(accepted), None, len(tally.bots) - 1)


def first_duo(names: Sequence[str]) -> tuple[Group, str]:
    """Return the numbers of the baseline (0) and the first version (1), and the reason of their pairing as text."""
    return (0, 1), f"better: {names[1]} against {names[0]}"


def next_duo(state: SeriesState, names: Sequence[str]) -> tuple[Group, str] | None:
    """Return the numbers of the next two bots and the reason of their pairing; None if all versions are tested."""
    if state.tested is None:
        return None
    champion = state.accepted[-1]
    return (champion, state.tested), f"better: {names[state.tested]} against {names[champion]}"


def describe_series(state: SeriesState, stop: Better, names: Sequence[str]) -> str:
    """Return the result as a sentence: the accepted versions, the others, and the chance of an error."""
    accepted = [names[at] for at in state.accepted]
    last = len(names) if state.tested is None else state.tested
    refused = [names[at] for at in range(1, last) if at not in state.accepted]
    none = f"no version was shown to be better than {accepted[0]}"
    parts = [f"accepted: {' < '.join(accepted)}" if len(accepted) > 1 else none]
    if refused and len(accepted) > 1:
        parts.append(f"not shown to be better: {', '.join(refused)}")
    if state.tested is not None:
        parts.append(f"not decided yet: {', '.join(names[state.tested :])}")
    if len(accepted) > 1:
        spent = stop.error * state.tests / (state.tests + 1)
        parts.append(f"the chance that any accepted version was no better than the one before is at most {spent:.1%}")
    return "; ".join(parts)


def _outcome(tally: PairTally, stop: Better, champion: int, version: int, *, is_paired: bool) -> bool | None:
    """Return True if the version is shown to be better than the champion, False if rejected, None if undecided."""
    counts_of: Callable[[str, str], tuple[int, ...]] = tally.pair_counts if is_paired else tally.single_counts
    counts = counts_of(tally.bots[version], tally.bots[champion])
    if better_evidence(counts) >= 1 / series_level(version, alpha=stop.error):
        return True
    matches = sum(counts) * (2 if is_paired else 1)
    return False if matches >= stop.version_matches or better_evidence(counts[::-1]) >= WORSE else None


Duo = tuple[Group, str]  # two bots, and the reason of their pairing


@dataclass(frozen=True, slots=True)
class _Decision:
    """What a stop rule decides after a batch: whether to stop, why, and otherwise which pairings come next."""

    is_over: bool
    reason: str
    duos: Sequence[Duo] = ()  # the pairings to play next
    note: str = ""
    holds: bool | None = None  # whether what a test was asked is shown by now; None: no test


_Decide = Callable[[PairTally], _Decision]


def until_stopped(lineup: Lineup, form: RoundRobin | Gauntlet, stop: StopRule) -> Decisions:
    """Play the format's rounds, then batches until the rule stops, no match counts, or `max_matches` is reached."""
    one_round = [(group, form.type) for group in groups(form, lineup.names, 2)]
    book = _SeedBook(one_round, stop.max_matches, lineup.matches_each)
    matches_per_seed = 2 if form.swap_seats else 1
    match stop:
        case Resolved():
            decide = _resolving(stop, one_round)
        case Sprt():
            decide = _testing(stop, lineup, one_round, is_paired=form.swap_seats)
        case Better():
            decide = _following(stop, lineup, rounds=form.rounds, is_paired=form.swap_seats)
        case _:
            assert_never(stop)
    tally = PairTally(lineup.names, challengers=form.challengers if isinstance(form, Gauntlet) else ())
    first_round = [first_duo(lineup.names)] if isinstance(stop, Better) else one_round
    batch = book.book(first_round * form.rounds)
    notes: list[str] = []
    holds = None if isinstance(stop, Resolved) else False
    while True:
        results = yield batch
        if not _enter(tally, batch, results, matches_per_seed):
            return book.verdict(["no match of the last batch counts", *notes], holds)
        decision = decide(tally)
        holds = decision.holds
        notes += [decision.note] if decision.note else []
        if decision.is_over:
            return book.verdict([decision.reason, *notes], holds)
        repeats = -(-BATCH_PAIRS // max(1, len(decision.duos)))  # enough matches to keep all slots busy
        batch = book.book([*decision.duos] * repeats)
        if not batch:
            return book.verdict([f"no more fit into max_matches; {decision.reason}", *notes], holds)


def _resolving(stop: Resolved, one_round: Sequence[Duo]) -> _Decide:
    """Return a rule that stops when the question of `stop`, such as the best bot, is answered with its confidence."""
    goal = Goal(GoalKind(stop.goal), stop.top, stop.confidence, stop.indifference)
    guard = Guard.UNTESTED

    def decide(tally: PairTally) -> _Decision:
        nonlocal guard
        if not is_played_enough(tally):
            return _Decision(is_over=False, reason=TOO_FEW, duos=one_round)
        step = next_step(tally, goal, rule=Rule(stop.adaptive), guard=guard)
        guard = step.guard
        duos = [((tally.index(pair.first), tally.index(pair.second)), pair.reason) for pair in step.pairs]
        return _Decision(step.resolution.is_resolved, step.resolution.reason, duos, step.note)

    return decide


def _testing(stop: Sprt, lineup: Lineup, one_round: Sequence[Duo], *, is_paired: bool) -> _Decide:
    """Return a rule that stops when a sequential test of two bots decides between `elo0` and `elo1`."""
    first, second = lineup.names
    duos = [(group, f"sprt of {first} against {second}") for group, _ in one_round]

    def decide(tally: PairTally) -> _Decision:
        counts = tally.pair_counts(first, second) if is_paired else tally.single_counts(first, second)
        result = sprt(counts, stop.elo0, stop.elo1, stop.alpha, stop.beta)
        is_ahead = result.accepted is Hypothesis.H1
        return _Decision(result.accepted is not None, _test_reason(result, stop, first, second), duos, holds=is_ahead)

    return decide


def _following(stop: Better, lineup: Lineup, *, rounds: int, is_paired: bool) -> _Decide:
    """Return a rule that stops when every version of a series has been accepted or rejected."""

    def decide(tally: PairTally) -> _Decision:
        state = series_state(tally, stop, is_paired=is_paired)
        reason, following = describe_series(state, stop, lineup.names), next_duo(state, lineup.names)
        is_last_accepted = state.accepted[-1] == len(lineup.names) - 1
        if following is None:
            return _Decision(is_over=True, reason=reason, holds=is_last_accepted)
        (champion, version), _ = following
        is_new = not tally.units()[champion, version]
        return _Decision(is_over=False, reason=reason, duos=[following] * (rounds if is_new else 1), holds=False)

    return decide


def _test_reason(found: SprtResult, stop: Sprt, first: str, second: str) -> str:
    log_ratio = f"log likelihood ratio {found.llr:.2f}, bounds {found.lower:.2f} and {found.upper:.2f}"
    if found.accepted is None:
        between = f"{stop.elo0:g} and {stop.elo1:g}"
        return f"sprt does not tell yet between {between} normalized Elo of {first} over {second} ({log_ratio})"
    elo, other = (stop.elo1, stop.elo0) if found.accepted is Hypothesis.H1 else (stop.elo0, stop.elo1)
    return f"sprt takes {first} to be {elo:g} normalized Elo above {second} rather than {other:g} ({log_ratio})"


class _SeedBook:
    """Gives each pair of bots the seed of their next pairing, and counts the pairings so far."""

    def __init__(self, one_round: Sequence[Duo], max_matches: int, matches_each: int) -> None:
        self._matches_each = matches_each
        self._left = max_matches // matches_each
        self._booked = 0
        self._met: Counter[Group] = Counter()
        self._spread = {group: at for at, (group, _) in enumerate(one_round)}

    def book(self, duos: Iterable[Duo]) -> list[Meeting]:
        """Give these duels their seeds; return those that fit into `max_matches`, in the order of a round robin."""
        meetings = [self._meet(group, reason) for group, reason in duos]
        meetings.sort(key=lambda meeting: (meeting.round, self._spread[meeting.bots]))
        fitting = meetings[: self._left - self._booked]
        self._booked += len(fitting)
        return fitting

    def verdict(self, sentences: Sequence[str], holds: bool | None) -> Verdict:  # noqa: FBT001 - a result
        """Return the verdict `stopped after 412 matches: ...` with these sentences."""
        text = f"stopped after {self._booked * self._matches_each} matches: {'; '.join(sentences)}"
        return Verdict(text, holds=holds)

    def _meet(self, group: Group, reason: str) -> Meeting:
        own = group if group in self._spread else (group[1], group[0])
        self._met[own] += 1
        return Meeting(own, self._met[own], reason)


def _enter(tally: PairTally, batch: Sequence[Meeting], results: Sequence[Result], matches_per_seed: int) -> bool:
    """Add the results of a batch to `tally`; return True if any match counts.

    A swapped pair is left out if one of its matches does not count.
    """
    is_any = False
    for meeting, result in zip(batch, results, strict=True):
        first, second = (tally.bots[place] for place in meeting.bots)
        for points in result.points:
            if len(points) == matches_per_seed:
                tally.add(first, second, fmean(points), matches=matches_per_seed)
                is_any = True
    return is_any
