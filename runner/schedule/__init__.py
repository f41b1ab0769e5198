"""Who plays whom, on which seed, in which seats: a lazy, ordered stream of pairings. Starts nothing.

The order is: rounds, then game entries, their maps, groups of bots, seatings. Groups come spread over the bots, so that
a tournament that is stopped early is as balanced as it can be; seatings of a group follow each other on one seed.

Formats that depend on results (Swiss, knockout, ladder, a stop rule) go batch by batch: within one the order is the
same, and the next is decided when all of it is in the tables. So it never depends on how many matches run at once, and
a resumed tournament finds every decision again in its records.
"""

from __future__ import annotations

from gridjoust.runner.schedule.make import count_matches as count_matches
from gridjoust.runner.schedule.make import is_count_exact as is_count_exact
from gridjoust.runner.schedule.make import make_schedule as make_schedule
from gridjoust.runner.schedule.make import plan_variants as plan_variants
from gridjoust.runner.schedule.make import titles_of as titles_of
from gridjoust.runner.schedule.pairing import Entrant as Entrant
from gridjoust.runner.schedule.pairing import Pairing as Pairing
from gridjoust.runner.schedule.pairing import single_pairing as single_pairing
from gridjoust.runner.schedule.stream import Schedule as Schedule
