"""Formats of duels: Swiss, knockout, ladder. They decide the next pairings by shares of points alone.

Swiss: every round pairs bots with equal scores so far. `gridjoust.runner.schedule.swiss_round` chooses the pairings,
and the bot that rests if the number of bots is odd.

Knockout: the winner of a duel advances. Seeds are placed so that the two best can meet only in the final, the four best
only in the semi-finals, and so on. If the bots do not fill the bracket, the best ones rest in the first round.

Ladder: bots stand on rungs. Each challenges the one above and takes its place by beating it. In a round every rung
challenges once: first the second, fourth, ..., then the third, fifth, ..., so that half of them play at once. The next
round continues from the new order.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from gridjoust.runner.config.formats import DoubleElimination, Knockout, Ladder, Swiss
from gridjoust.runner.results.tables.schedule_file import Decision, Encounter, Place, Round, tie_reason
from gridjoust.runner.schedule.pairing import Decisions, Lineup, Meeting, Result, Verdict
from gridjoust.runner.schedule.swiss_round import Duo, pair_round

BYE_SCORE = Fraction(1)  # as much as for a duel won
SHOWN = 8  # the most bots that a verdict lists
_HALF = Fraction(1, 2)
THIRD = "match for third place"
LAST_ROUNDS = {1: "final", 2: "semi-final", 4: "quarter-final"}

Shares = Generator[Sequence[Meeting], Sequence[Result], list[Fraction]]


def swiss(lineup: Lineup, form: Swiss) -> Decisions:
    """Decide the rounds of a Swiss system: yield duels, receive their results, and return the verdict.

    The bots of a duel play on `pairs` seeds. They share one point, each in proportion to its points in these matches.
    """
    standing = _Standing(lineup)
    for round_number in range(1, form.rounds + 1):
        duos, resting = pair_round(standing.ranked(), standing.scores, met=standing.met, byes=standing.byes)
        reasons = [standing.reason(duo, round_number) for duo in duos]
        shares = yield from play_duels(duos, reasons, round_number, range(1, form.pairs + 1))
        standing.enter(duos, shares, resting, round_number)
    return standing.verdict(form.rounds)


def knockout(lineup: Lineup, form: Knockout, first_round: int = 1) -> Decisions:
    """Decide the rounds of a knockout until one bot is left: yield duels, receive results, return the verdict.

    The better-seeded bot of a duel is its first. A draw is replayed on one more seed each time; after the last replay
    the better-seeded bot advances. `first_round`: number of the first round, on which seeds depend.
    """
    alive = bracket_order(lineup)
    course = _Course(lineup)
    ties: list[Tie] = []
    for round_number in range(first_round, first_round + len(alive).bit_length() - 1):
        size, losers = len(alive) // 2, [tie.loser for tie in ties]
        name = LAST_ROUNDS.get(size, f"round of {2 * size}")
        neighbours = list(zip(alive[::2], alive[1::2], strict=True))
        duos = [(one, other) for one, other in neighbours if one is not None and other is not None]
        ties = [make_tie(lineup, name, duo) for duo in duos]
        if size == 1 and form.third_place and len(losers) == 2:
            ties.append(make_tie(lineup, THIRD, (losers[0], losers[1])))
        yield from play_off(ties, form, round_number)
        course.enter(name, ties, neighbours)
        winner_of = {place: tie.winner for tie in ties for place in tie.duo}
        present = (one if one is not None else other for one, other in neighbours)
        alive = [None if place is None else winner_of.get(place, place) for place in present]
    ranked = [lineup.names[place] for tie in ties for place in (tie.winner, tie.loser)]
    drawn = ", drawn: the better seed advanced" if ties[0].is_drawn else ""
    return Verdict(f"knockout: {format_ranking(ranked)}{drawn}", course.decision())


def ladder(lineup: Lineup, form: Ladder) -> Decisions:
    """Decide the challenges of a ladder, each on `pairs` seeds: yield duels, receive results, return the verdict.

    A challenger climbs if it scores more than half.
    """
    rungs = list(lineup.order)  # best first
    round_number = 0
    left = form.most_matches(len(rungs), lineup.matches_each) // (form.pairs * lineup.matches_each)
    while left:
        round_number += 1
        for start in (1, 2):
            climbing = list(range(start, len(rungs), 2))[:left]
            left -= len(climbing)
            if climbing:
                duos = [(rungs[at], rungs[at - 1]) for at in climbing]
                reasons = [f"ladder round {round_number}: place {at + 1} challenges place {at}" for at in climbing]
                numbers = range(1, form.pairs + 1)
                shares = yield from play_duels(duos, reasons, round_number, numbers, stop_decided=form.stop_decided)
                for at, share in zip(climbing, shares, strict=True):
                    if share > _HALF:
                        rungs[at], rungs[at - 1] = rungs[at - 1], rungs[at]
    ranked = [lineup.names[place] for place in rungs]
    decision = Decision("ladder", "", tuple(Place(at, bot) for at, bot in enumerate(ranked, 1)))
    return Verdict(f"ladder after {_rounds(round_number)}: {format_ranking(ranked)}", decision)


def play_duels(
    duos: Sequence[Duo],
    reasons: Sequence[str],
    round_number: int,
    numbers: Sequence[int],
    *,
    stop_decided: bool = False,
) -> Shares:
    """Yield the pairings of each duo on these seeds of the round; return the share of points of each duo's first bot.

    With `stop_decided` the seeds are played one after another, and two bots stop once the rest cannot change who is
    ahead.
    """
    batches = [[number] for number in numbers] if stop_decided else [list(numbers)]
    points, seeds = [Fraction(0)] * len(duos), [0] * len(duos)
    unsettled = list(range(len(duos)))
    for batch in batches:
        owners = [duo for duo in unsettled for _ in batch]
        results = yield [
            Meeting(duos[duo], round_number, reasons[duo], number) for duo in unsettled for number in batch
        ]
        for duo, result in zip(owners, results, strict=True):
            points[duo] += result.share
            seeds[duo] += 1
        unsettled = [duo for duo in unsettled if abs(2 * points[duo] - seeds[duo]) <= len(numbers) - seeds[duo]]
        if not unsettled:
            break
    return [own / played for own, played in zip(points, seeds, strict=True)]


class _Standing:
    """The scores of a Swiss system so far, and which bots have played each other."""

    def __init__(self, lineup: Lineup) -> None:
        self._lineup = lineup
        self.scores: dict[int, Fraction] = dict.fromkeys(lineup.order, Fraction(0))
        self.met: Counter[frozenset[int]] = Counter()
        self.byes: Counter[int] = Counter()
        self._rounds: list[Round] = []

    def ranked(self) -> list[int]:
        """Return the bots, best score first and equal scores by seed."""
        return sorted(self._lineup.order, key=lambda place: -self.scores[place])

    def enter(self, duos: Sequence[Duo], shares: Sequence[Fraction], resting: int | None, round_number: int) -> None:
        """Enter a finished round; `shares`: for each of `duos`, its first bot's share of the point."""
        names = self._lineup.names
        met = (encounter_of(self._lineup, duo, share) for duo, share in zip(duos, shares, strict=True))
        self._rounds.append(Round(f"round {round_number}", tuple(met), () if resting is None else (names[resting],)))
        for (first, second), share in zip(duos, shares, strict=True):
            self.scores[first] += share
            self.scores[second] += 1 - share
        self.met.update(map(frozenset, duos))
        if resting is not None:
            self.byes.update([resting])
            self.scores[resting] += BYE_SCORE

    def reason(self, duo: Duo, round_number: int) -> str:
        """Return the reason why these two bots play each other, as the tables show it."""
        head = f"swiss round {round_number}: "
        if round_number == 1:
            first, second = sorted(self._lineup.seed(place) for place in duo)
            return f"{head}seed {first} against seed {second}"
        better, worse = sorted((self.scores[place] for place in duo), reverse=True)
        again = ", a rematch" if self.met[frozenset(duo)] else ""
        if better == worse:
            return f"{head}{format_score(better)} {'point' if better == 1 else 'points'} each{again}"
        return f"{head}{format_score(better)} against {format_score(worse)} points{again}"

    def verdict(self, rounds: int) -> Verdict:
        """Return the final table; equal scores are ordered by the sum of the opponents' scores (Buchholz).

        Bots equal in both share a place; the one that the file lists first is named first.
        """
        buchholz: defaultdict[int, Fraction] = defaultdict(Fraction)
        for duo, times in self.met.items():
            one, other = duo
            buchholz[one] += times * self.scores[other]
            buchholz[other] += times * self.scores[one]
        ranked = sorted(self._lineup.order, key=lambda place: (-self.scores[place], -buchholz[place]))
        keys = [(self.scores[place], buchholz[place]) for place in ranked]
        shared = [1 + keys.index(key) for key in keys]
        places = tuple(
            Place(at, self._lineup.names[place], format_score(self.scores[place]), format_score(buchholz[place]))
            for at, place in zip(shared, ranked, strict=True)
        )
        ranking = format_ranking([f"{one.bot} {one.result}" for one in places], shared)
        decision = Decision("swiss", "score", places, tuple(self._rounds), tie_break="Buchholz")
        return Verdict(f"swiss after {_rounds(rounds)}: {ranking}", decision)


@dataclass(slots=True)
class Tie:
    """A duel of a knockout: its two bots, the better-seeded one first, and the share of points of the first so far."""

    duo: Duo
    reason: str
    share: Fraction = _HALF

    @property
    def is_drawn(self) -> bool:
        """True if neither bot has won the duel."""
        return self.share == _HALF

    @property
    def winner(self) -> int:
        """The bot of the duel that advances; after a draw the better-seeded one."""
        return self.duo[0] if self.share >= _HALF else self.duo[1]

    @property
    def loser(self) -> int:
        """The bot of the duel that is eliminated."""
        return self.duo[1] if self.winner == self.duo[0] else self.duo[0]


class _Course:
    """The rounds of a knockout so far, and the bots eliminated in each."""

    def __init__(self, lineup: Lineup) -> None:
        self._lineup = lineup
        self._rounds: list[Round] = []
        self._out: list[list[Place]] = []  # places of eliminated bots, by round

    def enter(self, name: str, ties: Sequence[Tie], neighbours: Sequence[tuple[int | None, int | None]]) -> None:
        """Enter a finished round of this name; in the last round, the final is the first of `ties`.

        `neighbours`: the bots of the round, two by two in bracket order; None beside a bot that rests.
        """
        names, size = self._lineup.names, len(neighbours)
        if size == 1:
            final, *third = ties
            self._rounds += [Round(THIRD, (encounter_of(self._lineup, tie.duo, tie.share, tie=tie),)) for tie in third]
            first = [Place(1, names[final.winner], "winner"), Place(2, names[final.loser], name)]
            of_third = [Place(3, names[tie.winner], "third place") for tie in third]
            of_third += [Place(4, names[tie.loser], "fourth place") for tie in third]
            self._out = [own for own in self._out if not third or own[0].place != 3]
            self._out.append(first + of_third)
            ties = [final]
        else:
            self._out.append([Place(size + 1, names[tie.loser], name) for tie in ties])
        alone = [one if one is not None else other for one, other in neighbours if one is None or other is None]
        met = tuple(encounter_of(self._lineup, tie.duo, tie.share, tie=tie) for tie in ties)
        self._rounds.append(Round(name, met, tuple(names[place] for place in alone if place is not None)))

    def decision(self) -> Decision:
        """Return the final ranking; bots eliminated later rank higher."""
        places = sorted((place for own in self._out for place in own), key=lambda one: one.place)
        return Decision("knockout", "reached", tuple(places), tuple(self._rounds))


def encounter_of(lineup: Lineup, duo: Duo, share: Fraction, *, tie: Tie | None = None) -> Encounter:
    """Return a duel with the bots' names, and in a knockout the bot that advanced."""
    one, other = (lineup.names[place] for place in duo)
    if tie is None:
        return Encounter((one, other), (float(share), float(1 - share)))
    note = "drawn: the better seed goes on" if tie.is_drawn else ""
    return Encounter((one, other), (float(share), float(1 - share)), lineup.names[tie.winner], note)


def make_tie(lineup: Lineup, name: str, duo: Duo, *, form: str = "knockout") -> Tie:
    """Return a duel of two bots in a round of this name, not played yet; `form`: the format in words."""
    better, worse = sorted(duo, key=lineup.seed)
    return Tie((better, worse), tie_reason(name, lineup.seed(better), lineup.seed(worse), form=form))


def play_off(
    ties: list[Tie], form: Knockout | DoubleElimination, round_number: int
) -> Generator[Sequence[Meeting], Sequence[Result], None]:
    """Play all duels of a round, then replay the drawn ones up to `form.replays` times."""
    numbers: Sequence[int] = range(1, form.pairs + 1)
    again = ""
    for replay in range(1, form.replays + 2):
        duos, reasons = [tie.duo for tie in ties], [tie.reason + again for tie in ties]
        shares = yield from play_duels(duos, reasons, round_number, numbers, stop_decided=form.stop_decided)
        for tie, share in zip(ties, shares, strict=True):
            tie.share = share
        ties = [tie for tie in ties if tie.is_drawn]
        if not ties:
            return
        numbers = [form.pairs + replay]
        again = f", replay {replay} of at most {form.replays} after a draw"


def bracket_order(lineup: Lineup) -> list[int | None]:
    """Return the field in bracket order: neighbours play each other; a neighbour of None rests.

    It is built from the final outwards: in a round of n bots the opponent of seed s is seed n + 1 - s.
    """
    seeds = [1]
    while len(seeds) < len(lineup.order):
        size = 2 * len(seeds)
        seeds = [seed for better in seeds for seed in (better, size + 1 - better)]
    return [lineup.order[seed - 1] if seed <= len(lineup.order) else None for seed in seeds]


def format_score(score: Fraction) -> str:
    """Format a score with at most two decimals: `2.5`, `3`."""
    return f"{float(score):.2f}".rstrip("0").rstrip(".")


def _rounds(count: int) -> str:
    return "1 round" if count == 1 else f"{count} rounds"


def format_ranking(shown: Sequence[str], places: Sequence[int] = ()) -> str:
    """Return the best bots as `1. gambit, 2. astar`; `places`: their places if some are shared."""
    numbers = places or range(1, len(shown) + 1)
    best = [f"{at}. {text}" for at, text in zip(numbers, shown[:SHOWN], strict=False)]
    return ", ".join(best) + (f" and {len(shown) - SHOWN} more" if len(shown) > SHOWN else "")
