"""Measure what `joust serve` promises, and print it beside the demand. Takes up to 10 minutes on two cores.

`python -m benchmarks.contest`: hand-in, admission and matches of 25 entrants in the sandbox, the pages of 200 entrants
with a million matches, the schedule in simulation, and kills at random moments.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import fmean, quantiles
from typing import Any

import psutil

from benchmarks.contest_kills import ForkedKills, Kills
from benchmarks.contest_site import (
    BOT,
    IN_PROCESS,
    JOUST,
    Site,
    class_folder,
    contest_folder,
    played,
    wait_for,
)
from benchmarks.report import print_table
from gridjoust.runner.statistics.elo import score_from_elo
from gridjoust.serve.play.batches import APART, Active, make_batch
from gridjoust.serve.ratings import Met, Prior, Rating, fit
from gridjoust.serve.store import Store, ladder_ratings

ENTRANTS = 25
TURN = b'"type":"turn"'  # in each turn line of a record


# simulation of the schedule


def simulated_tau(chance: random.Random, *, bots: int = 50, games: int = 40, cycle_elo: float = 0.0) -> float:
    """Return how well a ladder orders simulated bots after this many games each (Kendall's tau).

    `cycle_elo`: bot i is this much stronger against bots i + 1, i + 4 ... than its strength says, and this much weaker
    against bots i + 2, i + 5 ...
    """
    from scipy.stats import kendalltau

    truth = [chance.gauss(0, 200) for _ in range(bots)]
    names = [f"b{at:03}" for at in range(bots)]
    at = {name: place for place, name in enumerate(names)}
    sums: dict[tuple[str, str], list[float]] = {}
    ratings = dict.fromkeys(names, Rating(0.0, Prior().spread))
    batches: list[set[frozenset[str]]] = []
    rivals: dict[str, Counter[str]] = {name: Counter() for name in names}
    for batch in range(games // 2):
        recent: dict[str, set[str]] = {name: set() for name in names}
        for pair in (pair for earlier in batches[1 - APART :] for pair in earlier):
            one, other = sorted(pair)
            recent[one].add(other)
            recent[other].add(one)
        field_ = [
            Active(name, ratings[name].elo, batch, recent=frozenset(recent[name]), met=rivals[name]) for name in names
        ]
        planned = make_batch(field_, (), batch=batch, staff_pairs=0)
        batches.append({frozenset((one.first, one.second)) for one in planned})
        for meeting in planned:
            first, second = at[meeting.first], at[meeting.second]
            lean = (0, 1, -1)[(second - first) % 3] * cycle_elo
            expected = score_from_elo(truth[first] - truth[second] + lean)
            entry = sums.setdefault((meeting.first, meeting.second), [0, 0.0])
            entry[0] += 2
            entry[1] += sum(chance.random() < expected for _ in range(2))
            rivals[meeting.first][meeting.second] += 2
            rivals[meeting.second][meeting.first] += 2
        met = (Met(one, other, int(count), points) for (one, other), (count, points) in sums.items())
        ratings = fit(dict.fromkeys(names, Prior()), met, {})
    return float(kendalltau(truth, [ratings[name].elo for name in names]).statistic)


def uneven_pairs(*, bots: int, batches: int, window: int = 20) -> tuple[int, int]:
    """Return the largest gap between bots in pairs in `window` simulated batches, and how often rivals met too soon."""
    chance, done, again = random.Random(1), list[list[tuple[str, str]]](), 0
    for batch in range(batches):
        recent: dict[str, set[str]] = {}
        for one, other in (pair for earlier in done[1 - APART :] for pair in earlier):
            recent.setdefault(one, set()).add(other)
            recent.setdefault(other, set()).add(one)
        field_ = [
            Active(f"b{at:03}", chance.gauss(0, 150), batch, recent=frozenset(recent.get(f"b{at:03}", ())))
            for at in range(bots)
        ]
        planned = make_batch(field_, ("weak",), batch=batch, staff_pairs=0)
        pairs = [(one.first, one.second) for one in planned]
        again += sum(other in recent.get(one, ()) for one, other in pairs if other != "weak")
        done.append(pairs)
    worst = 0
    for start in range(max(1, batches - window + 1)):
        counts = Counter(label for pairs in done[start : start + window] for pair in pairs for label in pair)
        of_bots = [counts[f"b{at:03}"] for at in range(bots)]
        worst = max(worst, max(of_bots) - min(of_bots))
    return worst, again


def matches_in_an_hour(bad: Mapping[str, float], *, suspended: Collection[str] = (), bots: int = 25) -> float:
    """Return how many matches each normal bot plays in an hour of one simulated lane, beside these bad bots.

    `bad`: bad bot -> seconds of each of its matches; those of normal bots take 1 s. `suspended` bots stop after three
    matches.
    """
    seconds = {**{f"b{at:02}": 1.0 for at in range(bots)}, **bad}
    spent, played, now_s, batch = Counter[str](), Counter[str](), 0.0, 0
    while now_s < 3600:
        field_ = [
            Active(label, pairs=played[label] // 2, mean_s=spent[label] / played[label] if played[label] else None)
            for label in seconds
            if label not in suspended or played[label] < 3
        ]
        for pair in make_batch(field_, ("weak",), batch=batch, staff_pairs=0):
            took_s = max(seconds.get(label, 1.0) for label in (pair.first, pair.second))
            for label in (pair.first, pair.second):
                spent[label] += 2 * took_s  # type: ignore[assignment]
                played[label] += 2
            now_s += 2 * took_s
        batch += 1
    return fmean(played[f"b{at:02}"] for at in range(bots))


# a million matches


def fill(folder: Path, *, entrants: int, matches: int) -> None:
    """Fill the store of a new contest with people, versions and matches that were never played."""
    chance = random.Random(2)
    labels = [f"s{at:03}@1" for at in range(entrants)]
    store = Store(folder)

    def change(connection: sqlite3.Connection) -> None:
        people = ((label.partition("@")[0], f"hash {label}", 0, 0.0) for label in labels)
        connection.executemany("INSERT INTO people (name, key_hash, is_staff, joined_s) VALUES (?, ?, ?, ?)", people)
        connection.executemany(
            "INSERT INTO versions (label, name, number, content, filename, received_s, state, is_active, program,"
            " games, seconds, prior_spread) VALUES (?, ?, 1, ?, 'bot.py', 0, 'admitted', 1, '{}', ?, ?, 300)",
            ((label, label.partition("@")[0], label, 2 * matches // entrants, 1.0 * matches) for label in labels),
        )
        rows = (played_row(number, chance, labels) for number in range(matches))
        connection.executemany(f"INSERT INTO matches VALUES ({', '.join('?' * 22)})", rows)
        connection.execute(
            "INSERT INTO scores SELECT kind, MIN(first, second), MAX(first, second), COUNT(*),"
            " SUM(CASE WHEN first < second THEN points_first ELSE points_second END) FROM matches"
            " GROUP BY kind, MIN(first, second), MAX(first, second)"
        )

    store.write(change)
    store.close()


def played_row(number: int, chance: random.Random, labels: list[str]) -> tuple[object, ...]:
    """Return a row of the table of matches; every tenth is against staff."""
    first, second = chance.sample(labels, 2)
    is_staff, points = number % 10 == 0, float(chance.random() < 0.5)
    if is_staff:
        second = "weak"
    kind = "staff" if is_staff else "ladder"
    return (
        *(number + 1, f"{number:016x}", kind, 0, number // 100, number // 2000 if is_staff else number // 100),
        *(f"p{number // 2}", first, second, kind, None, None, 0.0, "played", None, 0.0),
        *(points, 1 - points, "", "", 1.0, "completed"),
    )


async def _page(app: Any, path: str) -> int:
    """Ask an app for a page without a network; return the status."""
    status = 0
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path.partition("?")[0],
        "raw_path": path.encode(),
        "query_string": path.partition("?")[2].encode(),
        "headers": [(b"host", b"localhost")],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "root_path": "",
    }

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        nonlocal status
        status = message.get("status", status)

    await app(scope, receive, send)
    return status


def measure_pages(folder: Path) -> None:
    """Print, as JSON, the time of pages, that of a fit, and the memory of this process; for a folder that is filled."""
    from gridjoust.serve.contest import Contest
    from gridjoust.serve.web import make_app

    pages = ["/", "/grades", "/queue", "/matches", "/bot/s007", "/matches?name=s007&opponent=s011&lost=1"]
    times: dict[str, list[float]] = {page: [] for page in pages}
    cpu_s: list[float] = []
    with Contest.open(folder / "class.yaml", out=folder / "results", trust=True) as contest:
        app = make_app(contest, hosts=["*"], starter=str)
        for _ in range(10):
            for page in pages:
                began_s, before_s = time.perf_counter(), time.process_time()
                status = asyncio.run(_page(app, page))
                times[page].append(time.perf_counter() - began_s)
                cpu_s.append(time.process_time() - before_s)
                assert status == 200, (page, status)
        memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        store = Store(contest.folder)
        began_s = time.process_time()
        ratings = ladder_ratings(store, contest.about.staff)
        fit_s = time.process_time() - began_s
        assert len(ratings) > 200
        store.close()
    worst = {page: max(seconds[1:]) for page, seconds in times.items()}
    every = sorted(second for seconds in times.values() for second in seconds)
    p95, p95_cpu = (sorted(seconds)[int(0.95 * len(every))] for seconds in (every, cpu_s))
    print(json.dumps({"p95_s": p95, "cpu_s": p95_cpu, "worst_s": worst, "fit_s": fit_s, "memory_mb": memory_mb}))


# 25 entrants


@dataclass(frozen=True, slots=True)
class Pace:
    """What was played in a second, and the CPU time that it took in the processes of Joust, those of bots left out."""

    matches: float = 0.0
    turns: float = 0.0
    match_cpu_ms: float = 0.0  # of the first process, per match
    turn_cpu_ms: float = 0.0  # of all these processes, per turn


def measure_pace(processes: Sequence[psutil.Process], records: Path, *, window_s: float) -> Pace:
    """Return the pace at which these processes play, measured over `window_s` seconds of their `records`."""
    before, cpu_s = _names(records), [_spent_s(one) for one in processes]
    time.sleep(window_s)
    new = _names(records) - before
    spent_s = [_spent_s(one) - was_s for one, was_s in zip(processes, cpu_s, strict=True)]
    turns = sum((records / name).read_bytes().count(TURN) for name in new)
    return Pace(
        matches=len(new) / window_s,
        turns=turns / window_s,
        match_cpu_ms=1000 * spent_s[0] / max(1, len(new)),
        turn_cpu_ms=1000 * sum(spent_s) / max(1, turns),
    )


def _names(records: Path) -> set[str]:
    return {path.name for path in records.glob("*.jsonl")}


def _spent_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


@dataclass(slots=True)
class Term:
    """What was measured of a contest with entrants in the sandbox."""

    upload_s: list[float] = field(default_factory=list)
    decided_s: dict[str, float] = field(default_factory=dict)  # label -> from hand-in to decision
    order: list[str] = field(default_factory=list)  # labels as they were decided
    storm_s: float | None = None  # until all are decided
    first_match_s: float | None = None  # of a version that is handed in later, from its admission
    pairs_s: float | None = None
    pace: Pace = Pace()
    export_ms: float = 0.0  # per match


def measure_term(folder: Path, *, window_s: float) -> Term:
    """Hold a contest (25 hand-ins at once, then matches, then one more version); return what was measured."""
    term, site = Term(), Site(folder, trust=False)
    pad = random.Random(3).randbytes(500_000).hex()  # a megabyte
    keys = {f"s{at:02}": site.join(f"s{at:02}") for at in range(ENTRANTS)}
    handed: dict[str, float] = {}
    began_s = time.monotonic()
    for at, (_name, key) in enumerate(keys.items()):
        content = f"{BOT.format(number=at)}\nPAD = '{pad}'\n".encode()
        start_s = time.monotonic()
        label = site.hand_in(key, content)
        term.upload_s.append(time.monotonic() - start_s)
        handed[label] = time.monotonic()

    def all_decided() -> bool:
        for label in [one for one in handed if one not in term.decided_s]:
            name, _, number = label.partition("@")
            version = site.ask("GET", f"/api/versions/{name}/{number}")["version"]
            if version["state"] not in ("waiting", "testing"):
                term.decided_s[label] = time.monotonic() - handed[label]
                term.order.append(label)
        return len(term.decided_s) == len(handed)

    wait_for(all_decided, within_s=420)
    term.storm_s = time.monotonic() - began_s if len(term.decided_s) == len(handed) else None
    time.sleep(10)  # every bot has started
    processes = [psutil.Process(site.process.pid), site.player()]
    term.pace = measure_pace(processes, contest_folder(folder) / "matches" / "records", window_s=window_s)
    _measure_newcomer(site, keys["s00"], term)
    site.stop()
    began_s = time.monotonic()
    subprocess.run((*JOUST, "serve", "class.yaml", "--export", "site"), cwd=folder, check=True, capture_output=True)
    term.export_ms = (
        1000 * (time.monotonic() - began_s) / max(1, sum(1 for _ in (folder / "site").rglob("match/*.html")))
    )
    return term


def _measure_newcomer(site: Site, key: str, term: Term) -> None:
    label = site.hand_in(key, BOT.format(number=99).encode())
    name, _, number = label.partition("@")

    def state() -> str:
        return str(site.ask("GET", f"/api/versions/{name}/{number}")["version"]["state"])

    def games() -> int:
        rows = site.ask("GET", "/api/ladder")
        return next((int(row["games"]) for row in rows if row["label"] == label), 0)

    wait_for(lambda: state() == "admitted", within_s=90)
    began_s = time.monotonic()
    term.first_match_s = wait_for(lambda: games() >= 1, within_s=60)
    left = wait_for(lambda: games() >= 32, within_s=90)
    term.pairs_s = None if left is None else time.monotonic() - began_s


def run_pace(folder: Path, *, window_s: float) -> Pace:
    """Measure the pace of `joust run` with the same bots."""
    bots = "\n".join(f"  - {{name: s{at:02}, path: bots/s{at:02}.py}}" for at in range(ENTRANTS))
    (folder / "bots").mkdir()
    for at in range(ENTRANTS):
        (folder / "bots" / f"s{at:02}.py").write_text(BOT.format(number=at))
    text = (folder / "class.yaml").read_text().partition("bots:")[0]
    head = f"{text}execution: {{isolation: sandbox}}\nformat: {{type: round_robin, rounds: 50}}\n"
    (folder / "run.yaml").write_text(f"{head}bots:\n{bots}\n")
    process = psutil.Popen(
        (*JOUST, "run", "run.yaml", "--out", "run"), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    records = folder / "run" / "class" / "records"
    wait_for(lambda: len(_names(records)) > 60, within_s=120)  # every bot has started
    pace = measure_pace([process], records, window_s=window_s)
    process.send_signal(signal.SIGINT)
    process.wait(30)
    return pace


Row = tuple[str, str, str, str]  # what, demand, measured, verdict


def row(what: str, demand: str, measured: str, *, holds: bool | None) -> Row:
    """Return a row of the table; `holds`: None if it was not measured."""
    return what, demand, measured, {True: "holds", False: "FALLS SHORT", None: "not measured"}[holds]


def rows_of_term(term: Term, run: Pace) -> list[Row]:
    """Return the rows that need a running contest."""
    upload = quantiles(term.upload_s, n=20)[-1]
    decided = sorted(term.decided_s.values())
    alone_s = fmean(later - earlier for earlier, later in pairwise(decided))
    storm = "not all decided" if term.storm_s is None else f"{term.storm_s:.0f} s"
    in_order = term.order == sorted(term.order)
    share = term.pace.turns / run.turns if run.turns else 0.0
    first, pairs = term.first_match_s, term.pairs_s
    return [
        row("upload of 1 MB acknowledged, p95", "≤ 0.5 s", f"{upload:.3f} s", holds=upload <= 0.5),
        row("one admission, mean in the storm", "p50 ≤ 15 s", f"{alone_s:.1f} s", holds=alone_s <= 15),
        row(
            f"storm of {len(term.upload_s)} uploads decided, in order",
            "≤ 6 min",
            f"{storm}, {'in order' if in_order else 'not in order'}",
            holds=term.storm_s is not None and term.storm_s <= 360 and in_order,
        ),
        row(
            "first match of a new version",
            "≤ 30 s",
            "none" if first is None else f"{first:.1f} s",
            holds=first is not None and first <= 30,
        ),
        row(
            "its 16 pairs",
            "≤ 10 min",
            "> 90 s" if pairs is None else f"{pairs:.0f} s",
            holds=None if pairs is None else pairs <= 600,
        ),
        row(
            "turns a second, of those of joust run",
            "≥ 0.95",
            f"{term.pace.turns:.0f} of {run.turns:.0f}: {share:.2f};"
            f" matches {term.pace.matches:.2f} of {run.matches:.2f};"
            f" CPU of a turn {term.pace.turn_cpu_ms:.2f}, {run.turn_cpu_ms:.2f} ms",
            holds=share >= 0.95,
        ),
        row(
            "export of 10,000 matches, from the time of fewer",
            "≤ 60 s",
            f"{10 * term.export_ms:.0f} s",
            holds=10 * term.export_ms <= 60,
        ),
        row(
            "CPU of the pages' process per match",
            "≤ 1 ms",
            f"{term.pace.match_cpu_ms:.2f} ms",
            holds=term.pace.match_cpu_ms <= 1,
        ),
    ]


def rows_of_scale(folder: Path, *, matches: int) -> list[Row]:
    """Return the rows about pages and memory of a large contest."""
    from gridjoust.serve.contest import Contest

    with Contest.open(folder / "class.yaml", out=folder / "results", trust=True):
        pass
    fill(contest_folder(folder), entrants=200, matches=matches)
    words = (sys.executable, "-m", "benchmarks.contest", "--pages", str(folder))
    told = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    slowest = max(told["worst_s"], key=lambda page: told["worst_s"][page])
    size = f"200 entrants, {matches:,} matches"
    return [
        row(
            f"page, p95 ({size})",
            "≤ 100 ms",
            f"{1000 * told['p95_s']:.0f} ms ({1000 * told['cpu_s']:.0f} ms CPU); "
            f"slowest {slowest}: {1000 * told['worst_s'][slowest]:.0f} ms",
            holds=told["p95_s"] <= 0.1,
        ),
        row("joint fit, with reading", "≤ 1 s CPU", f"{told['fit_s']:.2f} s", holds=told["fit_s"] <= 1),
        row("memory of the pages' process", "≤ 300 MB", f"{told['memory_mb']:.0f} MB", holds=told["memory_mb"] <= 300),
    ]


def rows_of_schedule(*, simulations: int) -> list[Row]:
    """Return the rows about the schedule, from simulations."""
    tau = fmean(simulated_tau(random.Random(seed)) for seed in range(simulations))
    cycles = fmean(simulated_tau(random.Random(seed), cycle_elo=120.0) for seed in range(simulations))
    uneven = [uneven_pairs(bots=bots, batches=60) for bots in (8, 25, 50)]
    met = [Met(f"b{at}", "new", 8, 4.0) for at in range(4)]
    priors = {"new": Prior(), **{f"b{at}": Prior(40.0 * at - 60, 45.0) for at in range(4)}}
    newcomer = fit(priors, met, {})["new"].spread
    bad = {"crashing": 0.3, "late": 10.0, "longest": 8.0}
    left = matches_in_an_hour(bad, suspended=("crashing", "late")) / matches_in_an_hour({})
    return [
        row(f"mean tau, {simulations} simulations", "≥ .82", f"{tau:.3f}", holds=tau >= 0.82),
        row(f"with cycles of 120 Elo, {simulations}", "≥ .80", f"{cycles:.3f}", holds=cycles >= 0.80),
        row("newcomer's spread after 32 games", "≤ 65 Elo", f"{newcomer:.0f} Elo", holds=newcomer <= 65),
        row("matches left to others by three bad bots, simulated", "≥ 90 %", f"{left:.0%}", holds=left >= 0.9),
        row(
            "pairs, max − min in 20 batches; rivals again within 5",
            "≤ 1; none",
            f"{max(one for one, _ in uneven)}; {sum(again for _, again in uneven)}",
            holds=all(one <= 1 and not again for one, again in uneven),
        ),
    ]


def rows_of_kills(times: int, *, forked: int) -> list[Row]:
    """Return the rows about kills at random moments."""
    with class_folder(IN_PROCESS) as folder:
        kills = Kills(folder, random.Random(4))
        kills.run(times)
    with class_folder(IN_PROCESS, ticks=6) as folder:
        forks = ForkedKills(folder, random.Random(5))
        forks.run(forked)
        count = played(folder)
    slowest = max(kills.again_s, default=float("inf"))
    uploads = len(kills.acknowledged) + len(forks.acknowledged)
    problems = "; ".join([*kills.figures.details, *forks.figures.details][:3]) or "none"
    return [
        row(
            f"kill −9, {times} of joust serve, {2 * forked} forked ({uploads} uploads, {count} matches): problems",
            "none (300 times)",
            problems,
            holds=problems == "none",
        ),
        row("plays again after the start, slowest", "≤ 5 s", f"{slowest:.1f} s", holds=slowest <= 5),
    ]


BY_TESTS = [
    ("freeze: + 59 s counts, + 61 s does not", "both", "tests/gridjoust/serve/test_contest.py", "by a test"),
    ("grades with other classmates", "equal bit for bit", "tests/gridjoust/serve/test_ratings.py", "by a test"),
    ("disk full, clock set back", "nothing lost", "tests/gridjoust/serve/test_contest.py", "by a test"),
    ("attacks that read another's data", "0 of 20", "tests/gridjoust/serve/test_web.py", "by a test"),
    ("8 workers", "as fast", "a contest plays on one machine", "not there"),
]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.contest", description=__doc__)
    parser.add_argument("--pages", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--forks", type=int, default=150, help="kills of both processes, forked")
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--window", type=float, default=45.0, help="seconds in which matches are counted")
    given = parser.parse_args()
    if given.pages is not None:
        measure_pages(given.pages)
        return
    rows: list[Row] = []
    try:
        rows += rows_of_schedule(simulations=given.simulations)
        with class_folder() as folder:
            rows += rows_of_scale(folder, matches=given.matches)
        with class_folder() as folder:
            term = measure_term(folder, window_s=given.window)
            rows += rows_of_term(term, run_pace(folder, window_s=given.window))
        rows += [*rows_of_kills(given.kills, forked=given.forks), *BY_TESTS]
    finally:  # what was measured before a failure is not lost
        print_table("joust serve", ("what", "demand", "measured", ""), rows)


if __name__ == "__main__":
    main()
