"""The bot whose matches go void more often than others' is named, and nobody else."""

from __future__ import annotations

from msgspec import structs

from gridjoust.commands.voids import VoidTally
from tests.runner.results.records.records_builder import make_record


def tally(*plays: tuple[str, int, bool]) -> VoidTally:
    """Ten matches of each pair of bots, with so many attempts; whether the last of them counts."""
    made = VoidTally()
    for bots, attempts, counts in plays * 10:
        record = make_record("m", bots=list(bots), returns=[0.0, 0.0])
        usage, end = structs.replace(record.usage, attempts=attempts), structs.replace(record.end, counted=counts)
        made.add(structs.replace(record, usage=usage, end=end))
    return made


def test_who_plays_in_most_of_the_void_matches_is_named_with_its_share_and_that_of_the_others() -> None:
    named = tally(("ab", 2, True), ("ac", 3, False), ("bc", 1, True)).line()
    assert named == "a: 40 of the 50 times it played were void, 0 of the 10 without it: does it overload the machine?"


def test_nobody_is_named_where_all_go_void_alike_where_two_always_meet_or_for_a_single_match() -> None:
    assert tally(("ab", 2, True), ("ac", 2, True), ("bc", 2, True)).line() == ""
    assert tally(("ab", 3, False)).line() == ""
    assert tally(("ab", 1, True), ("ac", 1, True), ("bc", 1, True)).line() == ""
    assert tally().line() == ""
