"""Forms batches of matches, and decides what happens to batches that do not come back.

A batch takes about `TARGET_S` by the measured length of its matches, less if there is not enough work for all workers.
A batch whose worker died is submitted again as a whole. After `DEATHS` deaths it is cut in halves, and again, down to a
single match. A match that, alone in its batch, kills more workers is given up. If other batches die too, it gets more
tries, until chance is an unlikely explanation. If no other work is left, the oldest batch is submitted once more.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gridjoust.runner.engines.batch import Batch, Item

TARGET_S = 30.0  # duration of a batch
FIRST = 4  # matches in a batch while their duration is unknown
MOST_MATCHES = 5_000  # the most matches of a batch
MOST_BYTES = 16_000_000  # the most bytes of its records
DEATHS = 3  # workers that a batch may kill before it is cut
DEATHS_ALONE = 3  # workers that a match may kill alone before it is given up, if no others die
SHARE = 2  # each worker's share of the remaining work is split into this many batches
AHEAD = 4  # batches that are planned ahead for every worker
NEWEST = 0.2  # weight of the newest measurement
TOO_LONG = 3.0  # a batch that takes this many times as long as expected is submitted again, if a worker is free
PATIENCE_S = 5.0  # the shortest time before that
CHANCE = 1e-6  # accepted chance that a match is given up through bad luck
MOST_TRIES = 12


@dataclass(slots=True)
class _Group:
    """Matches that are submitted together; `deaths`: number of workers that died on them."""

    ids: tuple[str, ...]
    deaths: int = 0


@dataclass(slots=True)
class _Flight:
    group: _Group
    since_s: float
    is_copied: bool = False
    copy_of: int | None = None


@dataclass(slots=True)
class Dispatcher:
    """Queues matches (`add`) and forms batches (`next_batch`); `came_back` and `lost` report what became of them."""

    target_s: float = TARGET_S
    _items: dict[str, Item] = field(default_factory=dict)  # matches that are needed, pending or submitted
    _pending: deque[Item] = field(default_factory=deque)
    _kinds: Counter[int] = field(default_factory=Counter)  # number of pending matches by variant
    _again: deque[_Group] = field(default_factory=deque)  # groups to submit again, before pending matches
    _out: dict[int, _Flight] = field(default_factory=dict)
    _copies: Counter[str] = field(default_factory=Counter)  # submitted copies by match
    _number: int = 0
    _seconds: dict[int, float] = field(default_factory=dict)  # mean duration of a match by variant
    _bytes: float = 0.0  # mean size of a match's record
    _tries: int = 0
    _deaths: int = 0

    def add(self, item: Item) -> None:
        """Queue a match."""
        self._items[item.match_id] = item
        self._pending.append(item)
        self._kinds[item.variant] += 1

    def withdraw(self, match_id: str) -> None:
        """Forget a match that is not needed any more, or must be added again under other bans."""
        self._items.pop(match_id, None)

    def wants_more(self, slots: int) -> bool:
        """Return True if more matches should be added so that no worker has to wait."""
        if not self._seconds:
            return len(self._pending) < AHEAD * slots * FIRST
        return self._pending_s() < AHEAD * slots * self.target_s and len(self._pending) < AHEAD * slots * MOST_MATCHES

    def next_batch(self, slots: int, now_s: float) -> Batch | None:
        """Return the next batch to submit, or None if all matches are submitted."""
        while (group := self._next_group(slots)) is not None:
            if ids := tuple(match_id for match_id in group.ids if match_id in self._items):
                return self._send(_Group(ids, group.deaths), now_s)
        return None

    def copy_of_oldest(self, now_s: float) -> Batch | None:
        """Return a copy of the oldest batch that takes far too long and has no copy yet; the first result counts."""
        for number, flight in self._out.items():
            ids = tuple(match_id for match_id in flight.group.ids if match_id in self._items)
            expected_s = sum(self._length_of(self._items[match_id].variant) for match_id in ids)
            if ids and not flight.is_copied and now_s - flight.since_s > max(PATIENCE_S, TOO_LONG * expected_s):
                flight.is_copied = True
                return self._send(_Group(ids), now_s, copy_of=number)
        return None

    def measured(self, variant: int, seconds: float, size: int) -> None:
        """Note the duration of a match of this variant and the size of its record in bytes."""
        before = self._seconds.get(variant)
        self._seconds[variant] = seconds if before is None else before + NEWEST * (seconds - before)
        self._bytes += NEWEST * (size - self._bytes)

    def ids_of(self, number: int) -> frozenset[str]:
        """Return the ids of the matches in the submitted batch of this number; none for any other number."""
        flight = self._out.get(number)
        return frozenset(() if flight is None else flight.group.ids)

    def came_partly(self, played: Iterable[str]) -> list[str]:
        """Note matches of a batch that is still being played; return the ids of those that had not come before."""
        return [match_id for match_id in dict.fromkeys(played) if self._items.pop(match_id, None) is not None]

    def came_back(self, number: int, played: Iterable[str]) -> tuple[list[str], list[int]]:
        """Note a batch that has come back; return the ids of its new matches, and the numbers of batches to cancel.

        Its matches that were not played are submitted again, as if a worker had died on them.
        """
        flight = self._land(number)
        new = self.came_partly(played)
        self._tries += 1
        if flight is not None:
            self._again_if_wanted(flight, deaths=1)
        twins = [] if flight is None else self._twins(number, flight)
        return new, [twin for twin in twins if not self._is_wanted(self._out[twin].group.ids)]

    def lost(self, number: int, deaths: int = 1) -> list[str]:
        """Note a batch that will not come back; return the ids of matches to give up, and submit the others again."""
        flight = self._land(number)
        if flight is None:
            return []
        self._tries += deaths
        self._deaths += deaths
        return self._again_if_wanted(flight, deaths=deaths)

    @property
    def is_idle(self) -> bool:
        """True if no match waits to be submitted."""
        return not self._pending and not self._again

    @property
    def left_s(self) -> float:
        """Estimated work of all matches that have not come back, in seconds of one worker."""
        out = sum(self._length_of(self._items[one].variant) for one in self._copies if one in self._items)
        return out + self._pending_s()

    def _length_of(self, variant: int) -> float:
        return self._seconds.get(variant, self.target_s / FIRST)

    def _pending_s(self) -> float:
        return sum(count * self._length_of(variant) for variant, count in self._kinds.items())

    def _next_group(self, slots: int) -> _Group | None:
        if self._again:
            return self._again.popleft()
        if not self._pending:
            return None
        share_s = min(self.target_s, self._pending_s() / (SHARE * slots))
        most = min(MOST_MATCHES, int(MOST_BYTES / self._bytes) if self._bytes else MOST_MATCHES)
        ids: dict[str, None] = {}
        total_s = 0.0
        while self._pending and len(ids) < max(1, most):
            item = self._pending[0]
            length_s = self._length_of(item.variant)
            if ids and total_s + length_s > share_s:
                break
            self._kinds[item.variant] -= 1
            ids[self._pending.popleft().match_id] = None
            total_s += length_s
        return _Group(tuple(ids))

    def _send(self, group: _Group, now_s: float, copy_of: int | None = None) -> Batch:
        self._number += 1
        self._out[self._number] = _Flight(group, now_s, is_copied=copy_of is not None, copy_of=copy_of)
        self._copies.update(group.ids)
        return Batch(number=self._number, items=tuple(self._items[match_id] for match_id in group.ids))

    def _land(self, number: int) -> _Flight | None:
        flight = self._out.pop(number, None)
        if flight is not None:
            for match_id in flight.group.ids:
                self._copies[match_id] -= 1
                if not self._copies[match_id]:
                    del self._copies[match_id]
        return flight

    def _again_if_wanted(self, flight: _Flight, *, deaths: int) -> list[str]:
        """Queue a batch's missing matches again, halved if workers died on it; return the id to give up, if any."""
        group = flight.group
        ids = tuple(match_id for match_id in group.ids if match_id in self._items and not self._copies[match_id])
        total = group.deaths + deaths
        if not ids:
            return []
        if len(ids) == 1 and len(group.ids) == 1 and total >= self._tries_of_one(total):
            del self._items[ids[0]]
            return [ids[0]]
        if len(ids) == 1:
            self._again.append(_Group(ids, total if len(group.ids) == 1 else 0))
        elif total < DEATHS:
            self._again.append(_Group(ids, total))
        else:
            half = len(ids) // 2
            self._again.extend((_Group(ids[:half], DEATHS - 1), _Group(ids[half:], DEATHS - 1)))
        return []

    def _tries_of_one(self, own: int) -> int:
        """Return the number of dead workers that proves one match at fault; `own`: workers that died on it so far.

        So many deaths are unlikely to be chance, given how often workers die on other batches.
        """
        others, tries = self._deaths - own, self._tries - own
        if others <= 0:
            return DEATHS_ALONE
        rate = min(others / max(1, tries), 0.99)
        return min(MOST_TRIES, max(DEATHS_ALONE, math.ceil(math.log(CHANCE) / math.log(rate))))

    def _is_wanted(self, ids: Sequence[str]) -> bool:
        return any(match_id in self._items for match_id in ids)

    def _twins(self, number: int, flight: _Flight) -> list[int]:
        """Return the numbers of other submitted batches with the same matches: copies of the batch, or its original."""
        of = number if flight.copy_of is None else flight.copy_of
        return [other for other, another in self._out.items() if other == of or another.copy_of == of]
