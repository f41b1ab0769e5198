"""Plans matches: a lazy, ordered stream of pairings with their bots, seeds and seats.

The order is: rounds, then game entries, their maps, groups of bots, seatings. Groups are spread over the bots, so that
a tournament that is stopped early is nearly balanced. The seatings of a group follow each other on one seed.

Formats that depend on results (Swiss, knockout, ladder, a stop rule) plan batch by batch. Within a batch the order is
the same, and the next batch is decided when all results of this one are in the tables. So the schedule never depends
on how many matches run at once, and a resumed tournament makes the same decisions again from its records.
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
