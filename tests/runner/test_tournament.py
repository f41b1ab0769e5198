"""Whole tournaments: the same whatever runs at once and after any interruption, what bad bots cost, what bots see."""

from __future__ import annotations

import asyncio
import random
import shutil
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from gridjoust.in_process import open_in_process
from gridjoust.runner.plan import Plan, prepare_folder
from gridjoust.runner.play.clock import LagMonitor
from gridjoust.runner.results.records.file import list_records, read_record, record_path
from gridjoust.runner.results.tables.columns import RESULTS
from gridjoust.runner.results.tables.compare import first_difference
from gridjoust.runner.results.tables.schedule_file import Planned, read_planned
from gridjoust.runner.results.tables.text import read_rows
from gridjoust.runner.schedule import Schedule
from gridjoust.runner.seeds import SEED_RULE
from gridjoust.runner.spectate.spectators import Spectators
from gridjoust.runner.table_sink import Played
from gridjoust.runner.tournament import run_tournament
from gridjoust.runner.wire.errors import ConfigError
from tests.runner.memory_cup import make_cup, play_cup
from tests.tiers import gate_but

CUP = """
tournament: cup
seed: 5
games: [{game: bomber, params: {max_ticks: 25, treasure_min_ticks: 5, treasure_max_ticks: 9}}]
FORMAT
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
execution: {isolation: none, parallel: PARALLEL}
bots:
  - {name: a, bot: random}
  - {name: b, bot: bomber/wanderer}
  - {name: c, bot: random}
  - {name: d, bot: bomber/wanderer}
  - {name: e, bot: random}
"""
FORMATS = {  # what the file says, and how the verdict begins
    "round robin": ("format: {rounds: 1}", ""),
    "swiss": ("format: {type: swiss, rounds: 3}", "swiss after 3 rounds: 1. "),
    "knockout": ("format: {type: knockout, replays: 1}", "knockout: 1. "),
    "double elimination": (
        "format: {type: double_elimination, pairs: 2, stop_decided: true, replays: 1}",
        "double elimination: 1. ",
    ),
    "stages": ("format: {type: stages, advance: 1, replays: 1}", "2 groups, then knockout: 1. "),
    "ladder": ("format: {type: ladder, rounds: 2}", "ladder after 2 rounds: 1. "),
    "stop": ("stop: {goal: winner, confidence: 0.6, max_matches: 40}", "stopped after "),
    "safe": ("stop: {goal: top, top: 2, confidence: 0.7, adaptive: safe, max_matches: 36}", ""),
}


def cup(kind: str, parallel: int = 1) -> str:
    return CUP.replace("PARALLEL", str(parallel)).replace("FORMAT", FORMATS[kind][0])


class KillError(Exception):
    """Stands for a kill."""


async def play_until(plan: Plan, last: float) -> tuple[int, str]:
    """Play until so many matches are in the tables, then die; how many were, and what has been decided."""
    prepared = prepare_folder(plan, resume=False)
    played: list[Played] = []

    def count(one: Played) -> None:
        played.append(one)
        if len(played) == last:
            raise KillError

    loop = asyncio.get_running_loop()
    try:
        with ThreadPoolExecutor() as writers:  # as when a process ends: what they have begun is on disk afterwards
            loop.set_default_executor(writers)
            async with open_in_process(prepared) as backend:
                said = await run_tournament(prepared, backend, on_played=count)
    finally:
        loop.set_default_executor(ThreadPoolExecutor())
    return len(played), said


@pytest.mark.gate
async def test_a_run_says_how_many_matches_it_plans_and_when_it_is_over(tmp_path: Path) -> None:
    killed, whole, single = (make_cup(cup("round robin"), tmp_path / name) for name in ("killed", "whole", "single"))
    with pytest.raises(ExceptionGroup):
        await play_until(killed, last=3)
    assert read_planned(killed.out) == Planned(matches=20, is_exact=True, seed_rule=SEED_RULE)
    await play_cup(killed, resume=True)
    assert read_planned(killed.out) == Planned(matches=20, is_exact=True, seed_rule=SEED_RULE, is_over=True)
    pairing = next(whole.schedule(whole.loaded))
    await play_cup(replace(single, schedule=lambda _: Schedule(iter([pairing]))))  # as `joust rerun` does
    assert read_planned(single.out) is None


@pytest.mark.gate
@pytest.mark.parametrize("kind", gate_but(FORMATS, ("round robin", "safe")))
async def test_matches_at_once_a_kill_and_lost_records_change_nothing_but_what_is_measured(
    tmp_path: Path, kind: str
) -> None:
    one, eight, cut = (make_cup(cup(kind, many), tmp_path / f"{many}") for many in (1, 8, 2))
    total, said = await play_until(one, last=float("inf"))
    assert said.startswith(FORMATS[kind][1])
    at_once = await play_cup(eight)
    assert [match.pairing.index for match in at_once] == list(range(total))
    assert first_difference(one.out, eight.out) is None
    for paths in zip(list_records(one.out), list_records(eight.out), strict=True):
        left, right = map(read_record, paths)
        assert (left.header, left.lines, left.end) == (right.header, right.lines, right.end)
    with pytest.raises(BaseExceptionGroup):
        await play_until(cut, last=total // 2)
    played = await play_cup(make_cup(cup(kind, 2), tmp_path / "2"), resume=True)
    assert sum(not again.is_new for again in played) >= total // 2
    assert first_difference(one.out, cut.out) is None
    for path in random.Random(1).sample(list_records(cut.out), 4):
        path.unlink()
    (cut.out / RESULTS.file).unlink()
    part = cut.out / "records" / "0123456789abcdef.part"
    part.write_text('{"type":"header"')  # of a match cut short
    played = await play_cup(make_cup(cup(kind, 2), tmp_path / "2"), resume=True)
    assert sum(again.is_new for again in played) == 4
    assert first_difference(one.out, cut.out) is None
    assert not part.exists()
    if kind == "swiss":  # the tables say why every match was scheduled
        reasons = Counter(str(row["schedule_reason"]).partition(":")[0] for row in read_rows(one.out / RESULTS.file))
        assert reasons == {"swiss round 1": 8, "swiss round 2": 8, "swiss round 3": 8}


@pytest.mark.gate
async def test_a_ladder_with_more_rounds_goes_on(tmp_path: Path) -> None:
    short, long = (cup("ladder", 2).replace("rounds: 2", f"rounds: {rounds}") for rounds in (1, 3))
    first = await play_cup(make_cup(short, tmp_path / "grown"))
    grown, at_once = make_cup(long, tmp_path / "grown"), make_cup(long, tmp_path / "at once")
    second = await play_cup(grown, resume=True)
    await play_cup(at_once)
    assert [one.pairing.match_id for one in second if not one.is_new] == [one.pairing.match_id for one in first]
    assert first_difference(grown.out, at_once.out) is None


@pytest.mark.gate
@pytest.mark.parametrize("kind", gate_but(FORMATS, ("round robin", "knockout")))
async def test_matches_that_never_count_wedge_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    (tmp_path / "slow.py").write_text(
        "import time\nfrom gridjoust.bots.api import Bot\nclass Slow(Bot):\n"
        "    def act(self, observation):\n        time.sleep(0.003)\n        return 'wait'\n"
    )
    monkeypatch.setattr(LagMonitor, "lag_ms", lambda self, asked, due: 999.0)
    text = cup(kind, 8).replace("max_ticks: 25, treasure_min_ticks: 5, treasure_max_ticks: 9", "max_ticks: 2")
    text = text.replace("turn_ms: 30000, start_ms: 60000, grace_ms: 20000", "turn_ms: 1")
    text = text.replace("bot: bomber/wanderer", "path: slow.py:Slow")
    played = await play_cup(make_cup(text.replace("bot: random", "path: slow.py:Slow"), tmp_path))
    assert played
    assert not any(one.record.end.counted for one in played)


@pytest.mark.gate
async def test_results_are_never_written_over_nor_mixed_with_those_of_another_tournament_but_may_grow(
    tmp_path: Path,
) -> None:
    plan = make_cup(cup("round robin"), tmp_path)
    await play_cup(plan)
    with pytest.raises(ConfigError, match="has results: --resume plays what is missing"):
        await play_cup(plan)
    other = make_cup(cup("round robin").replace("tournament: cup", "tournament: other"), tmp_path)
    other = replace(other, out=plan.out)
    with pytest.raises(ConfigError, match="expected results of other, got results of cup"):
        await play_cup(other, resume=True)
    played = await play_cup(make_cup(cup("round robin") + "  - {name: x, bot: random}\n", tmp_path), resume=True)
    assert [one.is_new for one in played].count(False) == 20
    assert len(played) == 30


BROKEN = """
import time
from gridjoust.bots.api import Bot

class Slow(Bot):
    def act(self, observation):
        time.sleep(0.03)
        return "wait"

class Crasher(Bot):
    def act(self, observation):
        raise IndexError("my list was too short")

class Illegal(Bot):
    def act(self, observation):
        return "fly"
"""


def broken_cup(folder: Path, bot: str, extra: str = "", *, rounds: int = 3, turn_ms: int = 2000) -> str:
    (folder / "broken.py").write_text(BROKEN)
    return f"""
tournament: cup
games: [{{game: bomber, params: {{max_ticks: 20}}}}]
format: {{rounds: {rounds}, swap_seats: {"true" if rounds > 1 else "false"}}}
time: {{turn_ms: {turn_ms}}}
execution: {{isolation: none, parallel: 1}}
bots: [{{name: bad, path: broken.py:{bot}}}, {{name: good, bot: random}}]
{extra}
"""


DISQUALIFY = "faults: {limit: 2, on_limit: disqualify}"
BAD = {
    "who crashes again and again is quarantined": (
        "Crasher",
        "",
        ["crashed"] * 3 + ["failed_to_start"] * 3,
        "quarantined after 3 crashes in a row, the last: IndexError: my list was too short",
    ),
    "who forfeits by faults plays on": ("Illegal", "faults: {limit: 2}", ["malformed"] * 6, "malformed, fault 2"),
    "who is disqualified forfeits the rest": (
        "Illegal",
        DISQUALIFY,
        ["malformed"] + ["failed_to_start"] * 5,
        "disqualified in match",
    ),
}


@pytest.mark.gate
@pytest.mark.parametrize(("bot", "extra", "terminations", "reason"), BAD.values(), ids=BAD)
async def test_of_bad_bots(tmp_path: Path, bot: str, extra: str, terminations: list[str], reason: str) -> None:
    text = broken_cup(tmp_path, bot, extra)
    plan = make_cup(text, tmp_path)
    played = await play_cup(plan)
    assert [one.record.end.termination.value for one in played] == terminations
    assert reason in played[-1].record.end.reason
    if extra == DISQUALIFY:  # which is known after a resumption too
        shutil.copytree(plan.out, tmp_path / "whole")
        for one in played[1:]:
            record_path(plan.out, one.pairing.match_id).unlink()
        await play_cup(make_cup(text, tmp_path), resume=True)
        assert first_difference(tmp_path / "whole", plan.out) is None


SPY = """
import json
from dataclasses import replace
from pathlib import Path
from gridjoust.bots.api import Bot

class Spy(Bot):
    def start(self, setup):
        Path(__file__).with_name("seen.json").write_text(json.dumps([setup.params, setup.briefing]))
    def act(self, observation):
        return observation.legal[0]
"""

SOLO_CUP = """
tournament: cup
games: [{game: navigation, params: {knowledge: KNOWLEDGE, max_turns: 2, map: "S.#\\n..G"}}]
format: {type: solo}
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
execution: {isolation: none}
bots: [{name: spy, path: spy.py:Spy}]
"""


@pytest.mark.parametrize("knowledge", ["known", "unknown"])
async def test_the_text_of_a_known_map_is_told_and_that_of_an_unknown_one_reaches_no_bot(
    knowledge: str, tmp_path: Path
) -> None:
    (tmp_path / "spy.py").write_text(SPY)
    await play_cup(make_cup(SOLO_CUP.replace("KNOWLEDGE", knowledge), tmp_path))
    assert ("..G" in (tmp_path / "seen.json").read_text()) == (knowledge == "known")


CUP_OF_ONE = """
tournament: cup
games: [GAME]
format: {rounds: 1, swap_seats: false}
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
execution: {isolation: none}
bots: [{name: a, bot: random}, {name: b, bot: random}]
"""


@pytest.mark.default("{game: bomber, params: {max_ticks: 5}}")
@pytest.mark.parametrize(
    "game", ["{game: bomber, params: {max_ticks: 5}}", "{game: placement, params: {max_game_rounds: 2}}"]
)
async def test_the_lines_of_matches_within_this_process_are_handed_on_as_they_get_into_the_record(
    tmp_path: Path, game: str
) -> None:
    """In real time over the memory bus, turn-based ones played directly."""
    plan = make_cup(CUP_OF_ONE.replace("GAME", game), tmp_path)
    taken: list[tuple[str, bytes]] = []
    spectators = Spectators(
        on_lines=lambda match_id, lines: taken.extend((match_id, msgspec.json.encode(line)) for line in lines)
    )
    [played] = await play_cup(replace(plan, spectators=spectators))
    record = played.record
    lines = (record.header, *record.lines, record.end)
    assert taken == [(record.header.match_id, msgspec.json.encode(line)) for line in lines]
