"""Who plays whom, on which seed, in which seats: a lazy, ordered stream of pairings. Starts nothing.

The order is: rounds, then game entries, their maps, groups of bots, seatings. Groups come spread over the bots, so that
a tournament that is stopped early is as balanced as it can be; seatings of a group follow each other on one seed.

Formats that depend on results (Swiss, knockout, ladder, a stop rule) go batch by batch: within one the order is the
same, and the next is decided when all of it is in the tables. So it never depends on how many matches run at once, and
a resumed tournament finds every decision again in its records.
"""

from __future__ import annotations

from runner.schedule.make import count_matches, is_count_exact, make_schedule
from runner.schedule.pairing import Entrant, Pairing, single_pairing
from runner.schedule.stream import FixedSchedule, Schedule

__all__ = [
    "Entrant",
    "FixedSchedule",
    "Pairing",
    "Schedule",
    "count_matches",
    "is_count_exact",
    "make_schedule",
    "single_pairing",
]
