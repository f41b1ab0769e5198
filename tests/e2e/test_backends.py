"""Tournaments in other places: an external broker with a remote bot, a sandbox, real time."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gridjoust.runner.broker.listening import free_port
from gridjoust.runner.results.records.file import list_records, read_record
from gridjoust.runner.results.tables.frames import Tables, load
from gridjoust.runner.tournament import open_backend
from gridjoust.runner.wire.bus import Address
from gridjoust.runner.wire.bus.mqtt import MqttBus
from tests.e2e.bot_on_wire import BROKERS, needs_sandbox
from tests.e2e.joust_process import start_joust, until, wait_until
from tests.joust_here import joust
from tests.runner.memory_cup import make_cup, play_cup

pytestmark = pytest.mark.e2e

CUP = """
tournament: cup
games: [{game: bomber, params: {PARAMS}}]
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
bots:
  - {name: a, bot: bomber/dijkstra_map}
  - {name: b, BOT}
"""


NO_FIRE = "max_ticks: 20, bomb_ticks: 30"  # nobody dies before the last tick


def format_cup(*, params: str = "max_ticks: 20", bot: str = "bot: random", extra: str = "") -> str:
    return CUP.replace("PARAMS", params).replace("BOT", bot) + extra


def write_cup(folder: Path, **changes: str) -> None:
    (folder / "cup.yaml").write_text(format_cup(**changes))


def clean_tables(folder: Path) -> Tables:
    """What was played: to its end, and without a fault."""
    tables = load(folder / "results" / "cup")
    assert set(tables.results["termination"]) == {"completed"}
    assert tables.results["faults"].sum() == 0
    return tables


def play_cleanly(folder: Path) -> Tables:
    """Run the cup; its records verify."""
    done = joust("run", "cup.yaml", folder=folder)
    assert done.returncode == 0, done.stderr
    assert joust("verify", "results/cup", folder=folder).returncode == 0
    return clean_tables(folder)


@pytest.fixture
def broker_port(tmp_path: Path) -> Iterator[int]:
    """Somebody's mosquitto, open to everyone."""
    if shutil.which("mosquitto") is None:
        pytest.skip("mosquitto is not on PATH")
    port = free_port()
    (tmp_path / "open.conf").write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
    process = subprocess.Popen(["mosquitto", "-c", str(tmp_path / "open.conf")], stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0, "an open port")
        yield port
    finally:
        process.terminate()
        process.wait()


@pytest.mark.gate
def test_a_bot_that_speaks_mqtt_itself_plays_over_an_external_broker_with_what_joust_prints(
    tmp_path: Path, broker_port: int
) -> None:
    extra = f"broker: {{use: external, url: 'mqtt://127.0.0.1:{broker_port}'}}\n"
    write_cup(tmp_path, bot="remote: true", extra=extra)
    [about] = json.loads(joust("tokens", "cup.yaml", "--json", folder=tmp_path).stdout)
    given = about["environment"]
    process = start_joust("run", "cup.yaml", "--json", folder=tmp_path)
    assert process.stdout is not None
    started = json.loads(process.stdout.readline())
    remote = subprocess.Popen([sys.executable, "-P", "-m", "gridjoust.bots", "random"], env=os.environ | given)
    try:
        _, stderr = process.communicate(timeout=90)
        assert remote.wait(timeout=60) == 0  # it was told to stop
    finally:
        remote.kill()
        remote.wait()
    assert process.returncode == 0, stderr
    assert any("share one account" in note for note in started["notes"])
    clean_tables(tmp_path)


@pytest.mark.gate
@needs_sandbox
def test_bots_in_a_sandbox_play(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from pathlib import Path\nimport gridjoust as joust\n"
        "def is_closed(path):\n"
        "    try:\n        open(path)\n    except OSError:\n        return True\n"
        "class Mine(joust.Bot):\n"
        "    def act(self, observation):\n"
        f"        assert is_closed({__file__!r})  # nothing of the repository's but our packages\n"
        "        assert is_closed('cup.yaml') and Path('book.txt').read_text() == 'e4'\n"
        "        from helper import choose\n"
        "        return choose(self.rng, observation.legal)\n"
    )
    (tmp_path / "helper.py").write_text("def choose(rng, legal): return rng.choice(legal)")
    (tmp_path / "book.txt").write_text("e4")
    write_cup(tmp_path, bot="path: mine.py:Mine, files: [book.txt]", extra="execution: {isolation: sandbox}\n")
    play_cleanly(tmp_path)


@pytest.mark.default("act")
@needs_sandbox
@pytest.mark.parametrize("place", ["act", "import"])
def test_a_bot_in_a_sandbox_that_misses_a_file_is_told_how_to_have_it(tmp_path: Path, place: str) -> None:
    miss = "open('book.txt')"
    (tmp_path / "mine.py").write_text(
        f"import gridjoust as joust\n{miss if place == 'import' else ''}\nclass Mine(joust.Bot):\n"
        f"    def act(self, observation):\n        {miss}\n"
    )
    (tmp_path / "book.txt").write_text("e4")
    write_cup(tmp_path, bot="path: mine.py:Mine", extra="execution: {isolation: sandbox}\nfaults: {limit: 1}\n")
    done = joust("run", "cup.yaml", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    reasons = load(tmp_path / "results" / "cup").results["reason"]
    assert all("'book.txt'" in reason and "what `files:` names" in reason for reason in reasons), set(reasons)


@pytest.mark.gate
def test_real_time_ticks_go_on_without_waiting_for_anybody(tmp_path: Path) -> None:
    write_cup(tmp_path, params="max_ticks: 20, pace: realtime, tick_ms: 50")
    played = play_cleanly(tmp_path).results  # chance decides whether somebody dies before the last tick
    assert (played["turns"] >= 2).all()
    assert (played["duration_ms"] >= 50 * played["turns"]).all()


BIDS = """
tournament: cup
seed: 4
games: [{game: ricochet, seats: 4, params: {chips: 17, sand_s: 0.1, think_s: 60.0}}]
format: {swap_seats: false}
time: {start_ms: 60000, grace_ms: 20000}  # however busy the machine is, the match is none of its doing
broker: {use: BROKER}
bots:
  - {name: a, bot: ricochet/astar}
  - {name: b, bot: ricochet/beam}
  - {name: c, bot: ricochet/dijkstra_map}
  - {name: d, bot: ricochet/dstar_lite}
"""


@pytest.mark.gate
@pytest.mark.parametrize("broker", BROKERS)
def test_four_bots_bid_against_the_sand(broker: str, tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text(BIDS.replace("BROKER", broker))
    chips = play_cleanly(tmp_path).metrics.query("metric == 'chips'")["value"]
    assert chips.sum() == 17  # every target of the pool was won
    [path] = list_records(tmp_path / "results" / "cup")
    bids = [text for line in read_record(path).lines for text in getattr(line, "actions", {}).values()]
    assert {"bid", "solve"} <= {text.partition(" ")[0] for text in bids}


@pytest.mark.gate
async def test_the_public_view_of_every_turn_is_published_when_asked_for(tmp_path: Path, broker_port: int) -> None:
    broker = f"broker: {{use: external, url: 'mqtt://127.0.0.1:{broker_port}'}}\n"
    views: list[bytes] = []
    async with MqttBus(Address("127.0.0.1", broker_port), user=None, password=None, client_id="eye") as eye:
        await eye.subscribe("joust/+/match/+/view", lambda topic, payload: views.append(payload))
        await play_cup(
            make_cup(format_cup(params=NO_FIRE, extra=broker + "execution: {views: true, parallel: 1}\n"), tmp_path),
            open_it=open_backend,
        )
        await until(lambda: len(views) == 40)
    assert [json.loads(view)["tick"] for view in views] == [*range(1, 21)] * 2
