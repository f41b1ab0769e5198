"""What a record says of a match: its pairing, and the use of time and memory."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from gridjoust import games
from gridjoust.runner.config.values import ResourceLimits, RoleProgram, TimeLimits
from gridjoust.runner.play.breakdown import broken_record
from gridjoust.runner.play.heading import make_header, make_usage, pairing_of
from gridjoust.runner.processes.process import Usage
from gridjoust.runner.schedule.pairing import Entrant, Pairing, single_pairing

STARTED = datetime(2026, 3, 1, 12, 0, 0, 250_000, tzinfo=UTC)


def pairing(*seats: tuple[int, ...]) -> Pairing:
    """A match of bomber between bots that hold these seats."""
    game = games.make("bomber", seats=sum(map(len, seats)))
    entrants = tuple(
        Entrant(f"b{held[0]}", RoleProgram(bot="random"), "hash", held, TimeLimits(), ResourceLimits())
        for held in seats
    )
    return single_pairing(game, entrants, match_id="m1", pair_id="p1", seed=7, schedule_reason="by hand")


def test_each_seat_has_what_its_bot_used_during_the_match_and_none_if_that_is_unknown() -> None:
    before = [Usage(100.0, 9.0), Usage(None, None), Usage(50.0, 1.0)]
    after = [Usage(110.12345, 12.5), Usage(7.0, 3.0), Usage(None, None)]
    usage = make_usage(
        pairing((0, 1), (2,), (3,)), STARTED, duration_ms=1234.56789, attempt=2, before=before, after=after
    )
    assert usage.cpu_ms == [10.123, 10.123, None, None]
    assert usage.peak_mb == [12.5, 12.5, 3.0, None]
    assert (usage.started_utc, usage.duration_ms, usage.attempts) == ("2026-03-01T12:00:00.250000Z", 1234.568, 2)


def test_a_match_that_broke_off_lasted_until_it_did() -> None:
    started = datetime.now(UTC) - timedelta(hours=1)
    record = broken_record(pairing((0,), (1,)), "broke", tournament="cup", ready=[None] * 2, started=started, attempt=1)
    assert 3_600_000 <= record.usage.duration_ms < 7_200_000
    assert record.usage.cpu_ms == record.usage.peak_mb == [None, None]


def test_the_pairing_of_a_header_is_the_one_it_was_made_from() -> None:
    played = pairing((1,), (0,))
    header = make_header(played, games.make("bomber", seats=2), tournament="cup", ready=[None, None])
    assert [entry.bot for entry in header.seats] == ["b0", "b1"]
    assert pairing_of(header, played.entrants) == played
