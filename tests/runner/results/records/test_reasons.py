"""Sentences of records: what they say as values, and what people read of them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from gridjoust.runner.results.records.lines import Fault, FaultLine, Termination
from gridjoust.runner.results.records.reasons import (
    WITHHELD,
    Ban,
    BanKind,
    Forfeit,
    ending_of,
    forfeit_of,
    named_reason,
    read_ban,
    read_forfeits,
    reason_without_words,
    without_words,
)
from tests.runner.results.records.records_builder import make_record

BOTS = ["s17", "s04"]
FORFEITS = [
    Forfeit(1, Fault.LATE, "no answer within 300 ms", 10, 10),
    Forfeit(0, Fault.MALFORMED, "got 'up'; really", 2, 3),
    Forfeit(0, Fault.CRASHED, "KeyError: 'left'"),
    Forfeit(1, Fault.FLOODING, "too many messages", 1, 1),
    Forfeit(0, Fault.FAILED_TO_START, "no plan"),
]
ELSEWHERE = Forfeit(2, Fault.LATE, "no answer within 300 ms").sentence
BANS = [Ban(BanKind.QUARANTINED, "3", "KeyError: 'left'"), Ban(BanKind.DISQUALIFIED, "m0", FORFEITS[0].sentence)]


@pytest.mark.parametrize("forfeit", FORFEITS, ids=[one.fault.value for one in FORFEITS])
def test_a_forfeit_is_read_back_from_its_sentence(forfeit: Forfeit) -> None:
    assert read_forfeits(forfeit.sentence) == [forfeit]
    assert read_forfeits(f"tick limit: 3 to 1 points; {forfeit.sentence}", [forfeit.seat]) == [forfeit]


@pytest.mark.parametrize("ban", BANS, ids=[one.kind.name for one in BANS])
def test_a_ban_is_read_back_from_its_sentence_and_nothing_else_is_one(ban: Ban) -> None:
    assert read_ban(ban.sentence) == ban
    assert read_ban(f"OSError: {ban.sentence}") is None


def test_the_faults_of_a_seat_give_its_forfeit() -> None:
    late, odd = (FaultLine(turn=4, seat=1, fault=fault, detail="why") for fault in (Fault.LATE, Fault.ILLEGAL))
    assert forfeit_of([late, odd, late]) == Forfeit(1, Fault.LATE, "why", 2, 3)
    assert forfeit_of([late, replace(odd, fault=Fault.CRASHED)]) == Forfeit(1, Fault.CRASHED, "why")


READ = {
    "by the rules": ("seat 1 is the last survivor", [], "s04 is the last survivor"),
    "several seats": ("seats 0, 1 are done, seat 1 walked least", [], "s17, s04 are done, s04 walked least"),
    "a seat that is not there": ("seat 2 has won", [], "seat 2 has won"),
    "a forfeit of a seat that is not there": (ELSEWHERE, [2], ELSEWHERE),
    "late": (FORFEITS[0].sentence, [1], "s04 loses: 10th answer too late (no answer within 300 ms)"),
    "one of several kinds": (
        FORFEITS[1].sentence,
        [0],
        "s17 loses: 2nd malformed answer among 3 faults: got 'up'; really",
    ),
    "at once": (FORFEITS[2].sentence, [0], "s17 loses: crashed: KeyError: 'left'"),
    "the first fault": (
        Forfeit(0, Fault.ILLEGAL, "expected seat 1", 1, 1).sentence,
        [0],
        "s17 loses: illegal answer: expected seat 1",
    ),
    "both, and the game was over": (
        f"seat 1 has won; {FORFEITS[0].sentence}; {FORFEITS[2].sentence}",
        [0, 1],
        "s04 has won; s04 loses: 10th answer too late (no answer within 300 ms); s17 loses: crashed: KeyError: 'left'",
    ),
    "suspended": (
        Forfeit(0, Fault.FAILED_TO_START, BANS[0].sentence).sentence,
        [0],
        "s17 is suspended after 3 crashes in a row, the last: KeyError: 'left'",
    ),
    "disqualified": (
        Forfeit(1, Fault.FAILED_TO_START, BANS[1].sentence).sentence,
        [1],
        "s04 is disqualified in match m0: 10th answer too late (no answer within 300 ms)",
    ),
}


@pytest.mark.parametrize(("reason", "forfeited", "told"), READ.values(), ids=READ)
def test_people_read_names_and_what_a_bot_lost_by(reason: str, forfeited: list[int], told: str) -> None:
    assert named_reason(reason, BOTS, forfeited) == told


def test_faults_are_counted_as_people_say_it() -> None:
    counts = (2, 3, 4, 10, 11, 12, 13, 14, 20, 21, 22, 23, 101, 111, 112, 122)
    said = [Forfeit(0, Fault.LATE, "", count, count).how.split()[0] for count in counts]
    assert " ".join(said) == "2nd 3rd 4th 10th 11th 12th 13th 14th 20th 21st 22nd 23rd 101st 111th 112th 122nd"


def test_a_bot_in_several_seats_is_named_with_the_seat() -> None:
    assert named_reason("seat 1 has won", ["s17", "s17", "s04"], []) == "s17 (seat 1) has won"


def test_no_bots_words_make_another_forfeit() -> None:
    lie = "oh; seat 1 forfeits (late, fault 1): no answer; seat 0 forfeits (late, fault 1): nor this"
    assert named_reason(f"seat 0 forfeits (crashed): {lie}", BOTS, [0, 9]) == f"s17 loses: crashed: {lie}"


def test_the_end_of_a_match_says_whether_it_counts() -> None:
    header, end = make_record(bots=BOTS).header, replace(make_record(bots=BOTS).end, reason="seat 0 has won")
    assert ending_of(header, end) == "completed: s17 has won"
    void = replace(end, termination=Termination.VOID, reason="this machine was 58 ms late when seat 0 had to answer")
    assert ending_of(header, void) == "match cancelled: this machine was 58 ms late when s17 had to answer"
    assert ending_of(header, void, is_replayed=True).startswith("match cancelled and replayed: this machine was ")
    late = replace(end, termination=Termination(Fault.LATE.value), reason=FORFEITS[0].sentence, forfeited=[1])
    assert ending_of(header, late) == "s04 loses: 10th answer too late (no answer within 300 ms)"


@pytest.mark.parametrize("forfeit", FORFEITS, ids=[one.fault.value for one in FORFEITS])
def test_what_a_bot_said_of_its_fault_is_withheld_from_all_but_its_owner(forfeit: Forfeit) -> None:
    reason = f"tick limit: 3 to 1 points; {forfeit.sentence}"
    end = replace(make_record().end, reason=reason, forfeited=[forfeit.seat], termination=Termination("crashed"))
    assert reason_without_words(end, own=[forfeit.seat]) == reason
    assert reason_without_words(end).replace(WITHHELD, forfeit.detail) == reason
    fault = FaultLine(turn=1, seat=forfeit.seat, fault=forfeit.fault, detail=forfeit.detail)
    assert (without_words(fault).detail, without_words(fault, [forfeit.seat])) == (WITHHELD, fault)


def test_a_void_match_tells_nobodys_words() -> None:
    reason = "the machine was late when a bot was lost: KeyError: 'left'"
    end = replace(make_record().end, reason=reason, termination=Termination.VOID)
    assert "left" not in reason_without_words(end)
