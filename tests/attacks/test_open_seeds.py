"""While a run lasts nothing that a bot or a spectator can reach tells a seed that is still to be played."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from gridjoust.commands.shared.watching import let_in
from gridjoust.in_process import open_in_process
from gridjoust.runner.engines.job import load_job, make_job
from gridjoust.runner.plan import PreparedPlan
from gridjoust.runner.results.records.file import list_records, read_header, read_record
from gridjoust.runner.results.records.lines import FaultLine, MatchRecord, TurnLine
from gridjoust.runner.seeds import draw_seed
from gridjoust.runner.table_sink import Played
from gridjoust.runner.tournament import run_tournament
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.simulation import play as simulate
from gridjoust.tournament import KnownBots, Settings, planned
from gridjoust.viewer.live_page import open_seeds
from gridjoust.viewer.live_page.boards import Boards
from gridjoust.viewer.live_page.events import EventLog
from gridjoust.viewer.live_page.match import RunningMatch
from tests.e2e.joust_process import joust
from tests.gridjoust.viewer.test_server import get
from tests.runner.memory_cup import make_cup

SPY = Path(__file__).with_name("spy_stdio.py")
CUP = """
tournament: cup
seed: secret
games: [{game: bomber, params: {max_ticks: 12}}]
format: {FORMAT}
time: {turn_ms: null}
execution: {isolation: none, parallel: 1}
bots: [{name: a, bot: random}, {name: b, bot: random}, {name: c, bot: random}, {name: d, bot: random}]
"""
ROUNDS = "type: round_robin, rounds: 2"  # twelve matches a round
SWISS = "type: swiss, rounds: 3, pairs: 1"  # four matches a round
STOP = "type: round_robin}\nstop: {when: resolved, max_matches: 48"


class StoppedError(Exception):
    """The run ends here, as by a kill."""


def play(folder: Path, form: str, *, stop_after: int | None = None, resume: bool = False) -> Path:
    """Play the cup, perhaps up to a match; return the results folder."""
    played: list[Played] = []

    async def play_all(plan: PreparedPlan) -> None:
        async with open_in_process(plan) as backend:
            await run_tournament(plan, backend, on_played=hear)

    def hear(match: Played) -> None:
        played.append(match)
        if len(played) == stop_after:
            raise StoppedError

    (folder / "cup.yaml").write_text(CUP.replace("FORMAT", form))
    settings = Settings(resume=resume, trust=True)
    with planned(folder / "cup.yaml", out=folder / "out", settings=settings) as plan:
        try:
            asyncio.run(play_all(plan))
        except* StoppedError:
            assert stop_after is not None
    return folder / "out" / "cup"


def told(results: Path, match_id: str) -> int | None:
    """The seed that the page of a match tells, None where the server keeps it."""
    status, _, text = get(results, f"/match/{match_id}.json")
    if status == 200:
        return int(json.loads(text)["seed"])
    assert (status, "its seed is still to be played" in text) == (409, True)
    return None


def seeds_of(results: Path) -> dict[str, int]:
    """Seed by match, in the order of the table."""
    lines = (results / "results.csv").read_text().splitlines()
    listed = dict.fromkeys(line.split(",")[0] for line in lines[1:])
    return {match_id: read_header(results / "records" / f"{match_id}.jsonl").seed for match_id in listed}


@pytest.mark.gate
@pytest.mark.parametrize("stop_after", [3, 14])
def test_a_stopped_run_shows_matches_of_those_seeds_alone_of_which_none_is_left(
    stop_after: int, tmp_path: Path
) -> None:
    results = play(tmp_path, ROUNDS, stop_after=stop_after)
    before = seeds_of(results)
    shown = {match_id: told(results, match_id) for match_id in before}
    play(tmp_path, ROUNDS, resume=True)
    after = seeds_of(results)
    left = {seed for match_id, seed in after.items() if match_id not in before}
    assert len(after) == 12 * 2
    assert shown == {match_id: None if seed in left else seed for match_id, seed in before.items()}
    assert {match_id: told(results, match_id) for match_id in after} == after


@pytest.mark.gate
def test_pages_of_a_run_that_is_not_over_name_no_seed_to_come_and_no_other_page_does(tmp_path: Path) -> None:
    results = play(tmp_path, ROUNDS, stop_after=1)
    [(match_id, seed)] = seeds_of(results).items()
    pages = [
        "/",
        "/watch",
        "/live",
        "/matches.json",
        f"/match/{match_id}.json",
        f"/search/{match_id}.json",
        f"/thumb/{match_id}.svg",
    ]
    pages += [f"/compare/{match_id}/{match_id}.json", "/report", "/records", "/secret.json", "/results.csv"]
    assert [page for page in pages if str(seed) in get(results, page)[2]] == []
    play(tmp_path, ROUNDS, resume=True)
    named = [page for page in pages if str(seed) in get(results, page)[2]]
    assert named == [f"/match/{match_id}.json", f"/compare/{match_id}/{match_id}.json"]
    assert match_id in get(results, "/matches.json")[2]


@pytest.mark.gate
def test_of_rounds_by_results_those_before_the_last_are_shown(tmp_path: Path) -> None:
    results = play(tmp_path, SWISS, stop_after=5)
    *first, last = seeds_of(results)
    assert [told(results, match_id) for match_id in first] == [seeds_of(results)[match_id] for match_id in first]
    assert told(results, last) is None


@pytest.mark.gate
def test_of_a_schedule_too_long_to_plan_again_those_rounds_are_shown_that_are_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = play(tmp_path, ROUNDS, stop_after=14)
    monkeypatch.setattr(open_seeds, "MOST_PLANNED", 23)
    shown = [told(results, match_id) is not None for match_id in seeds_of(results)]
    assert shown == [True] * 12 + [False] * 2


@pytest.mark.gate
def test_with_a_stop_rule_every_seed_may_come_again_until_it_is_over(tmp_path: Path) -> None:
    results = play(tmp_path, STOP, stop_after=13)
    assert {told(results, match_id) for match_id in seeds_of(results)} == {None}
    play(tmp_path, STOP, resume=True)
    seeds = seeds_of(results)
    assert {match_id: told(results, match_id) for match_id in seeds} == seeds


@pytest.mark.gate
def test_a_match_that_does_not_count_is_left_to_be_played(tmp_path: Path) -> None:
    results = play(tmp_path, ROUNDS, stop_after=14)
    first, *_ = shown = [match_id for match_id in seeds_of(results) if told(results, match_id) is not None]
    table = results / "results.csv"
    header, *rows = table.read_text().splitlines()
    at = header.split(",").index("counted")

    def uncounted(row: str) -> str:
        words = row.split(",")
        return ",".join([*words[:at], "0", *words[at + 1 :]]) if row.startswith(first) else row

    table.write_text("\n".join([header, *map(uncounted, rows), ""]))
    assert told(results, first) is None
    assert len(shown) > 1


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    """A match of which everything is hidden that the game can hide."""
    bots = ["random", "random"]
    return simulate("bomber", bots, seed=7_654_321_987, params={"max_ticks": 30, "hidden": True}).record


async def test_frames_of_a_running_match_name_no_seed(record: MatchRecord) -> None:
    log = EventLog()
    boards = Boards(log)
    stream = log.stream("")
    assert (await anext(stream)).startswith(b"retry")
    boards.hear(record.header.match_id, [record.header])
    boards.hear(record.header.match_id, [line for line in record.lines if isinstance(line, TurnLine | FaultLine)])
    text = b""
    while b'"turn":30' not in text:
        text += await anext(stream)
    assert b"7654321987" not in text
    assert "7654321987" not in repr(RunningMatch(record.header).begin())
    assert b'"seed":7654321987' in msgspec.json.encode(record.header)  # as the live page's own account hears it


def test_a_workers_files_do_not_name_the_tournaments_seed(tmp_path: Path) -> None:
    text = CUP.replace("FORMAT", ROUNDS).replace("seed: secret", f"seed: {(seed := draw_seed())}")
    (tmp_path / "cup.yaml").write_text(text)
    plan = make_cup(text, tmp_path)
    job, files = make_job(plan.loaded)
    loaded = load_job(job, tmp_path / "scratch", lambda digest: files[digest].read_bytes(), known_bots=KnownBots())
    written = [path for path in (tmp_path / "scratch").rglob("*") if path.is_file()]
    assert [path.name for path in written] == ["tournament.yaml"]
    assert [path for path in written if seed in path.read_text()] == []
    assert loaded.config.run_key == plan.loaded.config.run_key


OWN = "command: [python3, x.py]"


@pytest.mark.parametrize(
    ("isolation", "bot", "trust", "is_refused"),
    [
        ("auto", f"{OWN}, protocol: stdio", False, True),
        ("process", f"{OWN}, protocol: stdio", False, True),
        ("sandbox", OWN, False, True),  # it may use TCP
        ("sandbox", f"{OWN}, protocol: stdio", False, False),
        ("auto", "bot: bomber/wanderer", False, False),
        ("auto", OWN, True, False),
    ],
)
def test_what_bots_think_is_shown_only_where_no_rival_can_ask_the_page(
    isolation: str, bot: str, trust: bool, is_refused: bool, tmp_path: Path
) -> None:
    text = CUP.replace("FORMAT", ROUNDS).replace("isolation: none", f"isolation: {isolation}")
    text = f"{text[: text.index('bots:')]}bots: [{{name: a, {bot}}}, {{name: b, bot: random}}]"
    plan = make_cup(text, tmp_path)
    plan = replace(plan, trust=trust)
    with pytest.raises(ConfigError, match="--lens") if is_refused else nullcontext():
        let_in(plan, stream_search=True)
    let_in(make_cup(text, tmp_path))


@contextmanager
def free_port() -> Iterator[int]:
    """A port of this machine that is free now."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
    yield port


@pytest.mark.gate
@pytest.mark.e2e
def test_a_bot_that_reads_the_live_page_never_learns_the_seed_of_the_match_that_it_begins(tmp_path: Path) -> None:
    with free_port() as port:
        text = CUP.replace("FORMAT", "rounds: 3").replace("isolation: none", "isolation: process")
        text = text[: text.index("bots:")]
        spy = f"command: [{sys.executable}, {SPY}, 'http://127.0.0.1:{port}/'], protocol: stdio"
        bots = [f"name: spy, {spy}, time: {{start_ms: 60000}}", "name: b, bot: random", "name: c, bot: random"]
        (tmp_path / "cup.yaml").write_text(f"{text}bots:\n" + "".join(f"- {{{bot}}}\n" for bot in bots))
        done = joust("run", "cup.yaml", "--trust", "--watch", f"127.0.0.1:{port}", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    results = tmp_path / "results" / "cup"
    seeds = {path.stem: read_record(path).header.seed for path in list_records(results)}
    log = (results / "logs" / "spy.0.log").read_text()
    looks = [line.split()[1:] for line in log.splitlines() if line.startswith("TOLD")]
    assert len(looks) == 3 * 2 * 2
    learned = {match_id: {int(number) for number in numbers} for match_id, *numbers in looks}
    assert [match_id for match_id in learned if seeds[match_id] in learned[match_id]] == []
    assert set().union(*learned.values()) <= set(seeds.values())
    assert max(map(len, learned.values())) >= 1  # of rounds that are over it learned all it wanted
