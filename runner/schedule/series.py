"""Tests a series of versions, oldest first: each plays the newest accepted one until it is accepted or rejected.

Accepting every version that scored better would be wrong in about a third of the steps. Here a version is accepted when
the evidence against "no better" exceeds 1 / level. The levels of all tests add up to `error`. So the chance that any
accepted version was no better than the one before stays below `error`, at any time and for any number of versions. A
version that is appended does not change the matches of those before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gridjoust.runner.config.formats import Better
from gridjoust.runner.schedule.adaptive.pairs import PairTally
from gridjoust.runner.schedule.combinations import Group
from gridjoust.runner.statistics.sequential import better_evidence, series_level

WORSE = 20.0  # evidence that a version is worse, above which it is rejected; a rejection does not count as error


@dataclass(frozen=True, slots=True)
class SeriesState:
    """The accepted bots, the baseline first, and the version being tested, or None if all have been tested."""

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
    """Return the baseline and the first version, and the reason of their pairing."""
    return (0, 1), f"better: {names[1]} against {names[0]}"


def next_duo(state: SeriesState, names: Sequence[str]) -> tuple[Group, str] | None:
    """Return the next two bots and the reason of their pairing; None if all versions have been tested."""
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
    """Return True if the version was shown to be better, False if it is rejected, None while that is open."""
    counts_of: Callable[[str, str], tuple[int, ...]] = tally.pair_counts if is_paired else tally.single_counts
    counts = counts_of(tally.bots[version], tally.bots[champion])
    if better_evidence(counts) >= 1 / series_level(version, alpha=stop.error):
        return True
    matches = sum(counts) * (2 if is_paired else 1)
    return False if matches >= stop.version_matches or better_evidence(counts[::-1]) >= WORSE else None
