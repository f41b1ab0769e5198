"""Results folders made up from a seed: as many bots and games as a page must hold, without playing a match."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import combinations, product
from pathlib import Path
from typing import Literal

import yaml

from gridjoust.runner.results.records.lines import AnswerLine, Fault, MatchRecord, SeatEntry
from gridjoust.runner.results.tables.writer import TableWriter
from tests.runner.results.records.records_builder import make_record

PLANNERS = ("astar", "dstar_lite", "beam", "dijkstra_map", "other")
OFFENCES = (Fault.ILLEGAL.value, Fault.LATE.value)  # in even and odd turns
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


def make_bots(count: int) -> list[MadeBot]:
    """Bots of falling strength and all planners; every seventh is careless."""
    rng = random.Random("bots")
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
    folder: Path, *, bots: Sequence[MadeBot], games: Sequence[MadeGame], rounds: int, turns: int = 12
) -> Path:
    """The folder, with the tables of a tournament of its name: everybody meets everybody in every game and round."""
    rng = random.Random("matches")
    with TableWriter(folder) as tables:
        matches = product(range(1, rounds + 1), games)
        every = ((at, game, *own) for at, game in matches for own in enumerate(_seatings(bots, game.kind)))
        for number, (at, game, seating, seated) in enumerate(every):
            header = {
                "tournament": folder.name,
                "game": game.name,
                "variant": game.name,
                "map": game.maps[(at - 1) % len(game.maps)],
                "round": at,
                "seed": 1000 + at,
                "pair_id": f"{game.name}-{at}-{seating // 2 if game.kind == 'duel' else seating}",
            }
            tables.add(_record(number, game.kind, seated, header, rng, turns))
    settings = {
        "tournament": folder.name,
        "seed": 2026,
        "format": {"type": "round_robin", "rounds": rounds, "swap_seats": True, "challengers": []},
        "time": {"turn_ms": 100, "bank_ms": 0, "increment_ms": 0, "start_ms": 10_000, "grace_ms": 50},
        "faults": {"limit": 10, "on_limit": "forfeit"},
        "execution": {"where": "local", "parallel": "auto", "isolation": "process", "views": False},
        "broker": {"use": "auto", "url": None, "listen": None},
    }
    (folder / "tournament.yaml").write_text(yaml.safe_dump(settings))
    (folder / "environment.json").write_text(json.dumps({"python": "3.11.7", "packages": {"numpy": "2.4.6"}}))
    return folder


def _seatings(bots: Sequence[MadeBot], kind: str) -> list[list[MadeBot]]:
    match kind:
        case "solo":
            return [[bot] for bot in bots]
        case "team":
            return [[bot, bot] for bot in bots]
        case "duel":
            return [seated for one, two in combinations(bots, 2) for seated in ([one, two], [two, one])]
        case _:
            return [[bots[(at + step) % len(bots)] for step in (0, 1, 2, 4)] for at, _ in enumerate(bots)]


def _record(
    number: int, kind: str, seated: Sequence[MadeBot], header: dict[str, object], rng: random.Random, turns: int
) -> MatchRecord:
    teams = [0 if kind == "team" else seat for seat, _ in enumerate(seated)]
    seats = [
        SeatEntry(bot=bot.name, planner=bot.planner, bot_version="1", bot_hash=f"hash-{bot.name}", team=team, role="")
        for bot, team in zip(seated, teams, strict=True)
    ]
    faults = [rng.randrange(1, 4) if rng.random() < bot.faulty else 0 for bot in seated]
    returns = _returns(kind, seated, rng)
    won = {"won": float(returns[0] > 11)} if kind == "team" else {}
    return make_record(
        f"{number:016x}",
        bots=[bot.name for bot in seated],
        teams=teams,
        returns=returns,
        forfeited=[seat for seat, count in enumerate(faults) if count == 3 and kind != "team"],
        faults=faults,
        counted=rng.random() >= 0.004,
        turns=[{seat: f"move {rng.random()}" for seat, _ in enumerate(seated)} for _ in range(turns)],
        answers=[
            _answer(turn, seat, bot.cost_ms, OFFENCES[turn % 2] if turn <= faults[seat] else "", rng)
            for turn in range(1, turns + 1)
            for seat, bot in enumerate(seated)
        ],
        metrics=[
            {"score": round(rng.gauss(50, 12) + 10 * value, 1), "ammo_used": float(rng.randrange(9)), **won}
            for value in returns
        ],
        usage={
            "started_utc": (_START + timedelta(seconds=number)).isoformat().replace("+00:00", "Z"),
            "cpu_ms": [bot.cost_ms * turns for bot in seated],
        },
        header=header | {"seats": seats},
    )


def _returns(kind: str, seated: Sequence[MadeBot], rng: random.Random) -> list[float]:
    """Zero-sum in duels, places at tables, a score alone, the same for a team."""
    shares = [rng.uniform(1e-6, 1 - 1e-6) for _ in seated]
    luck = [bot.strength + math.log(share / (1 - share)) / 2 for bot, share in zip(seated, shares, strict=True)]
    if kind == "duel":
        lead = luck[0] - luck[1] + 0.2  # the first seat is worth a little
        sign = 0.0 if abs(lead) < 0.2 else math.copysign(1.0, lead)
        return [sign, -sign]
    scores = [round(10 + 3 * value, 2) for value in luck]
    return scores[:1] * len(scores) if kind == "team" else scores


def _answer(turn: int, seat: int, cost_ms: float, fault: str, rng: random.Random) -> AnswerLine:
    spent_ms = round(cost_ms * rng.lognormvariate(0, 0.6), 3)
    return AnswerLine(
        turn=turn,
        seat=seat,
        action="move",
        planning_ms=spent_ms,
        latency_ms=spent_ms + 0.5,
        expanded=int(spent_ms * 100),
        fault=fault,
    )
