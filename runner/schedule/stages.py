"""Stages: groups play round robin, then the best of each group play a knockout or a double elimination.

The bots are dealt to the groups in snake order: with two groups, seeds 1, 4, 5, 8 and 2, 3, 6, 7. A group is ordered by
the sum of its bots' shares of points; if equal, the better seed stands first. The group winners are the best seeds
of the final, in the order of the groups, then come the second ones, and so on. With an even number of groups no two
bots of one group play each other in the first round of the final.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from fractions import Fraction

from gridjoust.runner.config.formats import Knockout, Stages
from gridjoust.runner.results.tables.schedule_file import Decision, Place, Round
from gridjoust.runner.schedule.combinations import spread_combinations
from gridjoust.runner.schedule.double_elimination import double_elimination
from gridjoust.runner.schedule.duels import encounter_of, format_score, knockout
from gridjoust.runner.schedule.pairing import Decisions, Lineup, Meeting, Result, Verdict
from gridjoust.runner.schedule.swiss_round import Duo


def stages(lineup: Lineup, form: Stages) -> Decisions:
    """Play the groups, then the final; yield duels, receive their results, and return the verdict.

    The rounds of the final follow those of the groups, so no pairing is on a seed that was played before.
    """
    groups = deal(lineup.order, form.groups)
    shares = yield from _play_groups(groups, form)
    ranked = [_ranked(group, shares) for group in groups]
    finalists = tuple(group[place] for place in range(form.advance) for group in ranked)
    field, last, first = replace(lineup, order=finalists), form.final_format, form.rounds + 1
    final = knockout(field, last, first) if isinstance(last, Knockout) else double_elimination(field, last, first)
    verdict = yield from final
    assert verdict.decision is not None, "a final decides an order"
    decision = Decision(
        "stages",
        "reached",
        (*verdict.decision.places, *_places_of_others(lineup, ranked, form.advance)),
        (*_rounds_of(lineup, ranked, shares), *verdict.decision.rounds),
    )
    head = "1 group" if form.groups == 1 else f"{form.groups} groups"
    return Verdict(f"{head}, then {verdict.sentence}", decision)


def deal(order: Sequence[int], count: int) -> list[list[int]]:
    """Deal bots, best seed first, to so many groups in snake order.

    >>> deal([1, 2, 3, 4, 5], 2)
    [[1, 4, 5], [2, 3]]
    """
    groups: list[list[int]] = [[] for _ in range(count)]
    for at, place in enumerate(order):
        turn, number = divmod(at, count)
        groups[number if turn % 2 == 0 else count - 1 - number].append(place)
    return groups


_Shares = dict[Duo, list[Fraction]]  # by two bots: the first one's share on each seed


def _play_groups(
    groups: Sequence[Sequence[int]], form: Stages
) -> Generator[Sequence[Meeting], Sequence[Result], _Shares]:
    """Yield every pairing within each group, round by round; return the shares of points."""
    duos = [
        (number, (group[one], group[other]))
        for number, group in enumerate(groups, 1)
        for one, other in spread_combinations(len(group), 2)
    ]
    shares: _Shares = {duo: [] for _, duo in duos}
    for round_number in range(1, form.rounds + 1):
        batch = [
            Meeting(duo, round_number, f"stages group {group}", number)
            for group, duo in duos
            for number in range(1, form.pairs + 1)
        ]
        results = yield batch
        for meeting, result in zip(batch, results, strict=True):
            shares[meeting.bots[0], meeting.bots[1]].append(result.share)
    return shares


def _score(place: int, shares: _Shares) -> Fraction:
    """Return the sum of a bot's shares of points in its group."""
    own = (share if duo[0] == place else 1 - share for duo, each in shares.items() if place in duo for share in each)
    return sum(own, Fraction(0))


def _ranked(group: Sequence[int], shares: _Shares) -> list[int]:
    return sorted(group, key=lambda place: -_score(place, shares))  # stable: the better seed first


def _rounds_of(lineup: Lineup, ranked: Sequence[Sequence[int]], shares: _Shares) -> list[Round]:
    """Return a round for each group, with the mean share of each pair of bots; its name contains the scores."""
    rounds = []
    for number, group in enumerate(ranked, 1):
        table = ", ".join(f"{lineup.names[place]} {format_score(_score(place, shares))}" for place in group)
        met = [
            encounter_of(lineup, duo, sum(each, Fraction(0)) / len(each))
            for duo, each in shares.items()
            if duo[0] in group
        ]
        rounds.append(Round(f"group {number} ({table})", tuple(met)))
    return rounds


def _places_of_others(lineup: Lineup, ranked: Sequence[Sequence[int]], advance: int) -> list[Place]:
    """Return the places of the bots that did not reach the final: bots equally high in their groups share one."""
    places: list[Place] = []
    taken = advance * len(ranked)
    for at in range(advance, max(map(len, ranked))):
        own = [(number, group[at]) for number, group in enumerate(ranked, 1) if at < len(group)]
        places += [Place(taken + 1, lineup.names[bot], f"place {at + 1} of group {number}") for number, bot in own]
        taken += len(own)
    return places
