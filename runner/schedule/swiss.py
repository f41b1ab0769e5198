"""Swiss system: every round pairs bots that have done equally well so far. Decides by scores; knows no matches.

Which two meet, and who rests where bots are odd, is chosen by `runner.schedule.swiss_round`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from runner.config.formats import Swiss
from runner.schedule.meeting import Decisions, Lineup, Meeting, format_ranking, format_score, half_if_void
from runner.schedule.swiss_round import Duo, pair_round

BYE_SCORE = Fraction(1)  # as much as a meeting won


def swiss(lineup: Lineup, form: Swiss) -> Decisions:
    """Rounds of meetings on `pairs` seeds each; a meeting shares one point as its matches share theirs."""
    standing, rounds, pairs = _Standing(lineup), form.rounds, form.pairs
    for round_number in range(1, rounds + 1):
        duos, resting = pair_round(standing.ranked(), standing.scores, met=standing.met, byes=standing.byes)
        meetings = [
            Meeting(duo, round_number, reason=standing.reason(duo, round_number), number=number)
            for duo in duos
            for number in range(1, pairs + 1)
        ]
        results = yield meetings
        for meeting, result in zip(meetings, results, strict=True):
            standing.enter(meeting.bots, half_if_void(result), weight=Fraction(1, pairs))
        standing.close(duos, resting)
    return standing.verdict(rounds)


class _Standing:
    """Scores so far, and who has met whom."""

    def __init__(self, lineup: Lineup) -> None:
        self._lineup = lineup
        self.scores: dict[int, Fraction] = dict.fromkeys(lineup.order, Fraction(0))
        self.met: Counter[frozenset[int]] = Counter()
        self.byes: Counter[int] = Counter()
        self._opponents: dict[int, list[int]] = {place: [] for place in lineup.order}

    def ranked(self) -> list[int]:
        """Best score first; equal scores by seed."""
        return sorted(self._lineup.order, key=lambda place: -self.scores[place])

    def enter(self, bots: Sequence[int], share: Fraction, *, weight: Fraction) -> None:
        """Add the first bot's share of a meeting, and the rest to the other."""
        first, second = bots
        self.scores[first] += share * weight
        self.scores[second] += (1 - share) * weight

    def close(self, duos: Sequence[Duo], resting: int | None) -> None:
        """The round is over."""
        for first, second in duos:
            self.met[frozenset((first, second))] += 1
            self._opponents[first].append(second)
            self._opponents[second].append(first)
        if resting is not None:
            self.byes[resting] += 1
            self.scores[resting] += BYE_SCORE

    def reason(self, duo: Duo, round_number: int) -> str:
        """Why these two."""
        head = f"swiss round {round_number}: "
        if round_number == 1:
            first, second = sorted(self._lineup.seed(place) for place in duo)
            return f"{head}seed {first} against seed {second}"
        better, worse = sorted((self.scores[place] for place in duo), reverse=True)
        again = ", a rematch" if self.met[frozenset(duo)] else ""
        if better == worse:
            return f"{head}{format_score(better)} {'point' if better == 1 else 'points'} each{again}"
        return f"{head}{format_score(better)} against {format_score(worse)} points{again}"

    def verdict(self, rounds: int) -> str:
        """The final table; equal scores by the sum of the opponents' scores (Buchholz), then by seed."""
        buchholz = {place: sum(self.scores[other] for other in met) for place, met in self._opponents.items()}
        ranked = sorted(self._lineup.order, key=lambda place: (-self.scores[place], -buchholz[place]))
        shown = [f"{self._lineup.names[place]} {format_score(self.scores[place])}" for place in ranked]
        return f"swiss after {rounds} {'round' if rounds == 1 else 'rounds'}: {format_ranking(shown)}"
