"""Small match records made by hand: what a test does not say is filled in the same way every time."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from gridjoust.runner.results.records.lines import (
    FORMAT,
    AnswerLine,
    EndLine,
    Header,
    MatchRecord,
    SeatEntry,
    Termination,
    TurnLine,
    UsageLine,
)
from gridjoust.runner.results.scoring import rank_seats, share_points
from gridjoust.runner.results.tables.columns import Row
from gridjoust.runner.results.tables.writer import result_rows


def make_record(
    match_id: str = "m1",
    *,
    bots: Sequence[str] = ("gambit", "faithful"),
    teams: Sequence[int] | None = None,
    returns: Sequence[float] | None = None,
    missing: Collection[int] = (),
    forfeited: Sequence[int] = (),
    faults: Sequence[int] | None = None,
    pair_id: str | None = None,
    counted: bool = True,
    turns: Sequence[Mapping[int, str]] = (),
    answers: Sequence[AnswerLine] = (),
    metrics: Sequence[Mapping[str, float]] | None = None,
    usage: Mapping[str, Any] | None = None,
    header: Mapping[str, Any] | None = None,
    reason: str = "over by the rules",
) -> MatchRecord:
    """One record. Defaults: everyone is a team alone, all returns are 0; ranks and points follow from the returns.

    `missing` are the seats whose returns a forfeit has left out.
    """
    seats = len(bots)
    teams = list(range(seats)) if teams is None else list(teams)
    returns = [0.0] * seats if returns is None else list(returns)
    out = {teams[seat]: 1 for seat in forfeited}
    ranks = rank_seats(teams, returns, out)
    termination = Termination("crashed") if forfeited else Termination.COMPLETED
    return MatchRecord(
        header=_header(match_id, bots, teams, pair_id or match_id, header or {}),
        lines=[
            TurnLine(turn=at, stamp=at, actions={str(seat): text for seat, text in turn.items()}, hash=f"h{at}")
            for at, turn in enumerate(turns, 1)
        ],
        answers=list(answers),
        usage=UsageLine(
            **{
                "started_utc": "2026-03-01T12:00:00.250Z",
                "duration_ms": 1234.5678,
                "attempts": 1,
                "cpu_ms": [None] * seats,
                "peak_mb": [None] * seats,
                **(usage or {}),
            }
        ),
        end=EndLine(
            termination=termination if counted else Termination.VOID,
            reason=reason,
            counted=counted,
            returns=[None if seat in missing else value for seat, value in enumerate(returns)],
            ranks=ranks,
            points=share_points(teams, ranks),
            metrics=[dict(values) for values in metrics] if metrics else [{}] * seats,
            faults=list(faults) if faults else [0] * seats,
            forfeited=list(forfeited),
            turns=len(turns),
            hash="end",
        ),
    )


def rows_of(*records: MatchRecord) -> list[Row]:
    """The result rows of all records."""
    return [row for record in records for row in result_rows(record)]


def duel(first: str, second: str, score: float, match_id: str, *, pair_id: str | None = None) -> MatchRecord:
    """A match of two in which the first seat scored 1, 0.5 or 0."""
    return make_record(match_id, bots=(first, second), returns=(2 * score - 1, 1 - 2 * score), pair_id=pair_id)


def duels(first: str, second: str, scores: Sequence[float]) -> list[MatchRecord]:
    """Pairs of matches, seats swapped: `first` scores the next two scores in every pair."""
    records = []
    for at, score in enumerate(scores):
        pair_id = f"{first}-{second}-{at // 2}"
        record_id = f"{first}-{second}-{at}"
        seated = (first, second, score) if at % 2 == 0 else (second, first, 1 - score)
        records.append(duel(*seated, record_id, pair_id=pair_id))
    return records


def solo(bot: str, returns: Sequence[float], *, prefix: str = "", **more: Any) -> list[MatchRecord]:
    """Matches of one bot alone, on the seeds 0, 1, 2, ..."""
    header = more.pop("header", {})
    return [
        make_record(
            f"{prefix}{bot}{at}",
            bots=(bot,),
            returns=(value,),
            pair_id=f"{prefix}{bot}-seed{at}",
            header={"seed": at, **header},
            **more,
        )
        for at, value in enumerate(returns)
    ]


def _header(
    match_id: str, bots: Sequence[str], teams: Sequence[int], pair_id: str, changes: Mapping[str, Any]
) -> Header:
    values: dict[str, Any] = {
        "format": FORMAT,
        "match_id": match_id,
        "tournament": "cup",
        "game": "bomber",
        "game_version": "1",
        "variant": "bomber",
        "params": {"max_ticks": 300},
        "params_id": "p1",
        "map": "",
        "round": 1,
        "pair_id": pair_id,
        "seed": 7,
        "seats": [
            SeatEntry(bot=bot, planner="astar", bot_version="1", bot_hash=f"hash-{bot}", team=team, role="")
            for bot, team in zip(bots, teams, strict=True)
        ],
        "time": {"turn_ms": 100},
        "schedule_reason": "round_robin",
        "runner_version": "0.1.0",
    }
    return Header(**(values | dict(changes)))
