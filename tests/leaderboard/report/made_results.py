"""Results folders made up from a seed: as many bots and games as a page must hold, without playing a match."""

from __future__ import annotations

import gzip
import json
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path
from typing import Literal

import yaml

from runner.record.lines import Fault, Termination
from runner.scoring import rank_seats, share_points
from runner.tables.columns import METRICS, RESULTS, TURNS, Row, Table, Value
from runner.tables.text import format_header, format_rows

PLANNERS = ("astar", "dstar_lite", "beam", "dijkstra_map", "other")
_START = datetime(2026, 3, 1, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class MadeGame:
    """A game of the tournament. duel: two seats; table: four; solo: one; team: two seats that one bot holds."""

    name: str
    kind: Literal["duel", "table", "solo", "team"] = "duel"
    maps: tuple[str, ...] = ("",)


@dataclass(frozen=True, slots=True)
class MadeBot:
    """An entrant: `strength` in natural units of the logistic curve, `faulty` its chance to fault in a match."""

    name: str
    planner: str
    strength: float
    cost_ms: float
    faulty: float


def make_bots(count: int, *, seed: int = 1) -> list[MadeBot]:
    """Bots of falling strength and all planners; every seventh is careless."""
    rng = random.Random(f"bots {seed}")
    return [
        MadeBot(
            name=f"{PLANNERS[at % len(PLANNERS)]}-{at:02}",
            planner=PLANNERS[at % len(PLANNERS)],
            strength=1.5 - 3 * at / max(1, count - 1) + rng.gauss(0, 0.2),
            cost_ms=10 ** rng.uniform(-1.5, 1.7),
            faulty=0.3 if at % 7 == 6 else 0.0,
        )
        for at in range(count)
    ]


def make_results(
    folder: Path, *, bots: Sequence[MadeBot], games: Sequence[MadeGame], rounds: int, turns: int = 12, seed: int = 1
) -> Path:
    """Write all tables of a tournament in which everybody meets everybody in every game and round; the folder.

    The tournament is called after the folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(f"matches {seed}")
    results: list[Row] = []
    metrics: list[Row] = []
    answers: list[Row] = []
    for number, (game, round_number, name, pair_id, seated) in enumerate(_schedule(bots, games, rounds)):
        match = _Match(folder.name, game, round_number, name, pair_id, seated, number)
        rows = list(_result_rows(match, rng, turns))
        results += rows
        metrics += [row for own in rows for row in _metric_rows(game, own, rng)]
        answers += [row for own, bot in zip(rows, seated, strict=True) for row in _answer_rows(own, bot, rng, turns)]
    for table, rows in ((RESULTS, results), (METRICS, metrics)):
        (folder / table.file).write_text(_table_text(table, rows), encoding="utf-8")
    (folder / TURNS.file).write_bytes(gzip.compress(_table_text(TURNS, answers).encode(), mtime=0))
    (folder / "tournament.yaml").write_text(yaml.safe_dump(_settings(folder.name, rounds)))
    (folder / "environment.json").write_text(json.dumps({"python": "3.11.7", "packages": {"numpy": "2.4.6"}}))
    return folder


@dataclass(frozen=True, slots=True)
class _Match:
    tournament: str
    game: MadeGame
    round: int
    map: str
    pair_id: str
    seated: Sequence[MadeBot]
    number: int

    @property
    def match_id(self) -> str:
        return f"{self.number:016x}"


def _schedule(
    bots: Sequence[MadeBot], games: Sequence[MadeGame], rounds: int
) -> Iterator[tuple[MadeGame, int, str, str, Sequence[MadeBot]]]:
    for round_number in range(1, rounds + 1):
        for game in games:
            name = game.maps[(round_number - 1) % len(game.maps)]
            for at, seated in enumerate(_seatings(bots, game.kind)):
                group = at // 2 if game.kind == "duel" else at
                yield game, round_number, name, f"{game.name}-{round_number}-{group}", seated


def _seatings(bots: Sequence[MadeBot], kind: str) -> Iterator[Sequence[MadeBot]]:
    if kind == "solo":
        yield from ([bot] for bot in bots)
    elif kind == "team":
        yield from ([bot, bot] for bot in bots)
    elif kind == "duel":
        for first, second in combinations(bots, 2):
            yield from ([first, second], [second, first])
    else:
        for start in range(len(bots)):
            yield [bots[(start + step) % len(bots)] for step in (0, 1, 2, 4)]


def _result_rows(match: _Match, rng: random.Random, turns: int) -> Iterator[Row]:
    seats = range(len(match.seated))
    kind = match.game.kind
    teams = [0] * len(match.seated) if kind == "team" else list(seats)
    faults = [rng.randrange(1, 4) if rng.random() < bot.faulty else 0 for bot in match.seated]
    forfeited = {seat: 1 for seat in seats if faults[seat] == 3 and kind != "team"}
    returns = _returns(match, rng)
    if kind == "team":
        returns = [returns[0]] * len(match.seated)
    ranks = rank_seats(teams, returns, {teams[seat]: 1 for seat in forfeited})
    points = share_points(teams, ranks)
    is_void = rng.random() < 0.004
    ending = Termination.VOID if is_void else Termination("late") if forfeited else Termination.COMPLETED
    started = _START + timedelta(seconds=match.number)
    for seat, bot in enumerate(match.seated):
        known: dict[str, Value] = dict.fromkeys(RESULTS.names)
        others = dict.fromkeys(other.name for at, other in enumerate(match.seated) if teams[at] != teams[seat])
        yield known | {
            "match_id": match.match_id,
            "tournament": match.tournament,
            "game": match.game.name,
            "game_version": "1",
            "variant": match.game.name,
            "params_id": "p1",
            "map": match.map,
            "round": match.round,
            "pair_id": match.pair_id,
            "seed": 1000 + match.round,
            "seat": seat,
            "seats": len(match.seated),
            "team": teams[seat],
            "bot": bot.name,
            "planner": bot.planner,
            "bot_version": "1",
            "bot_hash": f"hash-{bot.name}",
            "opponents": " ".join(others),
            "returns": returns[seat],
            "rank": ranks[seat],
            "points": points[seat],
            "termination": ending.value,
            "reason": "made up",
            "faults": faults[seat],
            "turns": turns,
            "planning_ms_total": bot.cost_ms * turns,
            "planning_ms_p95": bot.cost_ms * 2,
            "latency_ms_p50": bot.cost_ms,
            "cpu_ms": bot.cost_ms * turns,
            "nodes_expanded": int(bot.cost_ms * 100 * turns),
            "counted": not is_void,
            "schedule_reason": "round_robin",
            "started_utc": started.isoformat().replace("+00:00", "Z"),
            "duration_ms": 900.0,
            "runner_version": "0.1.0",
            "record": f"records/{match.match_id}.jsonl",
            "forfeited": seat in forfeited,
            "turns_acted": turns,
        }


def _returns(match: _Match, rng: random.Random) -> list[float]:
    """Zero-sum in duels, places at tables, a score alone."""
    luck = [bot.strength + _logistic(rng) for bot in match.seated]
    if match.game.kind == "duel":
        lead = luck[0] - luck[1] + 0.2  # the first seat is worth a little
        sign = 0.0 if abs(lead) < 0.2 else math.copysign(1.0, lead)
        return [sign, -sign]
    return [round(10 + 3 * value, 2) for value in luck]


def _logistic(rng: random.Random) -> float:
    share = rng.uniform(1e-6, 1 - 1e-6)
    return math.log(share / (1 - share)) / 2


def _metric_rows(game: MadeGame, row: Row, rng: random.Random) -> Iterator[Row]:
    values = {
        "score": round(rng.gauss(50, 12) + 10 * float(row["returns"] or 0), 1),
        "ammo_used": float(rng.randrange(9)),
    }
    if game.kind == "team":
        values["won"] = float(float(row["returns"] or 0) > 11)
    for metric, value in values.items():
        known = {name: row[name] for name in ("match_id", "seat", "bot")}
        yield known | {"metric": metric, "value": value}


def _answer_rows(row: Row, bot: MadeBot, rng: random.Random, turns: int) -> Iterator[Row]:
    for turn in range(1, turns + 1):
        is_fault = turn <= int(row["faults"] or 0)
        planning_ms = round(bot.cost_ms * rng.lognormvariate(0, 0.6), 3)
        yield {
            "match_id": row["match_id"],
            "turn": turn,
            "seat": row["seat"],
            "action": "move",
            "planning_ms": planning_ms,
            "latency_ms": planning_ms + 0.5,
            "expanded": int(planning_ms * 100),
            "generated": None,
            "frontier": None,
            "plan_cost": None,
            "fault": (Fault.LATE if turn % 2 else Fault.ILLEGAL).value if is_fault else None,
        }


def _table_text(table: Table, rows: Sequence[Row]) -> str:
    return format_header(table) + format_rows(table, rows)


def _settings(tournament: str, rounds: int) -> dict[str, object]:
    return {
        "tournament": tournament,
        "seed": 2026,
        "format": {"type": "round_robin", "rounds": rounds, "swap_seats": True, "challengers": []},
        "time": {"turn_ms": 100, "bank_ms": 0, "increment_ms": 0, "start_ms": 10_000, "grace_ms": 50},
        "faults": {"limit": 10, "on_limit": "forfeit"},
        "execution": {"where": "local", "parallel": "auto", "isolation": "process", "views": False},
        "broker": {"use": "auto", "url": None, "listen": None},
    }
