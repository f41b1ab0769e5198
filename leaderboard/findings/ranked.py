"""The ranked bots that findings are made from, and what is known of any two of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gridjoust.leaderboard.standings import RankedBy, SeatEffect
from gridjoust.leaderboard.strengths.analysis import Analysis
from gridjoust.leaderboard.strengths.strengths import Contrast, Pool, Withheld
from gridjoust.runner.results.tables.columns import Standing

ADVISABLE_UNITS = 20
AT_MOST = 3  # lines of one kind


@dataclass(frozen=True, slots=True)
class Ranked:
    """An analysis with its ranked bots; `bots` are the codes of the bots, in the order of the standings."""

    analysis: Analysis
    bots: Sequence[int]
    standings: Sequence[Standing]
    effects: Sequence[SeatEffect]

    @property
    def unit(self) -> str:
        """The word for what a comparison counts: pairs of matches, or seeds."""
        return "pair" if self.analysis.ranked_by is RankedBy.RATING else "seed"

    @property
    def name(self) -> Mapping[int, str]:
        """The names of the bots by their codes."""
        return {bot: one.bot for bot, one in zip(self.bots, self.standings, strict=True)}

    def pools(self) -> list[list[int]]:
        """Return the codes of each pool's bots, best first; the largest pool first."""
        found: dict[int, list[int]] = {}
        for one, bot in zip(self.standings, self.bots, strict=True):
            if one.pool is not None:
                found.setdefault(one.pool, []).append(bot)
        return [found[number] for number in sorted(found)]

    def neighbours(self) -> list[tuple[int, int, Contrast]]:
        """Return (code, code, contrast) for every bot and the next one of its pool."""
        named = [(one, other) for pool in self.pools() for one, other in pairwise(pool)]
        found = [(one, other, self.analysis.strengths.compare(one, other)) for one, other in named]
        return [(one, other, contrast) for one, other, contrast in found if contrast is not None]

    def leaders(self) -> Iterator[tuple[int, int, Contrast]]:
        """Yield each leading bot with those it is not separated from; the first it is separated from leads next.

        A triple is (code of the leader, code of the other bot, what is known of their difference).
        """
        strengths = self.analysis.strengths
        for pool in self.pools():
            leader = pool[0]
            for bot in pool[1:]:
                contrast = strengths.compare(leader, bot)
                if contrast is None or contrast.is_separated:
                    leader = bot
                else:
                    yield leader, bot, contrast

    def units_of_each(self, bot: int, other: int, found: Contrast) -> int:
        """Return how many pairs of matches the bot with fewer of them has played; without pairs, the common seeds."""
        strengths = self.analysis.strengths
        if isinstance(strengths, Pool):
            return int(min(strengths.evidence.pairs[bot], strengths.evidence.pairs[other]))
        return found.units

    def has_interval(self, bot: int) -> bool:
        """Return True if the bot's strength has an interval."""
        strength = self.analysis.strengths.of(bot)
        return strength is not None and strength.interval is not None

    def is_too_few(self, bot: int) -> bool:
        """Return True if the bot has too few pairs of matches, or seeds, for an interval."""
        return self.is_withheld(bot, Withheld.TOO_FEW)

    def is_withheld(self, bot: int, why: Withheld) -> bool:
        """Return True if the bot has no interval for this reason."""
        strength = self.analysis.strengths.of(bot)
        return strength is not None and strength.withheld is why
