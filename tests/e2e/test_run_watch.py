"""`joust run --watch` between processes: boards arrive while matches run, and Ctrl-C ends all at once."""

from __future__ import annotations

import http.client
import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest

from tests.e2e.joust_process import start_joust, wait_until
from tests.joust_here import joust

pytestmark = pytest.mark.e2e

CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 100000, close_from: 0, hidden: true}}]
format: {rounds: 500}
execution: {parallel: 1}
broker: {use: embedded}
bots: [{name: a, bot: random}, {name: b, bot: random}]
"""


LOOKED_AT = """
tournament: cup
games: [{game: navigation, params: {width: 40, height: 40, knowledge: unknown, max_turns: 100000}}]
format: {type: solo, rounds: 500}
execution: {parallel: 2}
broker: {use: embedded}
bots:
- {name: a, bot: navigation/astar}
- {name: b, command: [PYTHON, STARTER], protocol: stdio}
"""
STARTER = str(Path(__file__).parents[2] / "bots" / "examples" / "stdio.py")


@pytest.mark.gate
def test_bots_show_their_searches_to_the_page_where_the_run_wants_it(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text(LOOKED_AT.replace("PYTHON", sys.executable).replace("STARTER", STARTER))
    process = start_joust("run", "--watch", "--lens", "cup.yaml", "--trust", folder=tmp_path)
    assert process.stdout is not None
    line = next(one for one in process.stdout if one.startswith("live: "))
    connection = http.client.HTTPConnection(urlsplit(line.split()[1]).netloc, timeout=60)
    connection.request("GET", "/events")
    told = (event for _, event in events(connection.getresponse()))
    state = next(event for event in told if "search" in event)
    assert state["search"] is True
    players: dict[Any, str] = {}
    shown: dict[str, dict[str, Any]] = {}
    for event in told:
        if "begin" in event:
            players[event["match"]] = event["begin"]["seats"][0]["bot"]  # type: ignore[index]
        elif "match" in event:
            asked = http.client.HTTPConnection(urlsplit(line.split()[1]).netloc, timeout=60)
            asked.request("GET", f"/search/{event['match']}.json")
            seats = json.loads(asked.getresponse().read())
            if seats:
                shown[players[event["match"]]] = seats["0"]
            if len(shown) == 2:
                break
    assert "way" in {layer["name"] for layer in shown["a"]["layers"]}  # other layers only where it searched
    assert [(layer["name"], layer["kind"]) for layer in shown["b"]["layers"]] == [("choice", "text")]
    assert shown["b"]["turn"] > 0
    os.kill(process.pid, signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130


SHARED = CUP.replace("{use: embedded}", "{use: external, url: mqtt://127.0.0.1:1}")


@pytest.mark.gate
@pytest.mark.parametrize("text", [SHARED, None], ids=["shared", "unwatched"])
def test_searches_are_shown_only_where_nobody_else_could_see_them(tmp_path: Path, text: str | None) -> None:
    (tmp_path / "cup.yaml").write_text(text or CUP)
    done = joust("run", *(["--watch", "127.0.0.1:0"] if text else []), "--lens", "cup.yaml", folder=tmp_path)
    shared = "--lens: expected bots on this machine and a broker of their own, which keeps them apart"
    sentence = shared if text else "--lens works only with --watch: the live page shows the layers"
    assert (done.returncode, done.stderr) == (2, f"joust: {sentence}\n")


def events(stream: http.client.HTTPResponse) -> Iterator[tuple[str, dict[str, object]]]:
    kind = ""
    for line in stream:
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name == "event":
            kind = value
        elif name == "data":
            yield kind, json.loads(value)


@pytest.mark.parametrize("where", [pytest.param("embedded broker", marks=pytest.mark.gate), "this process"])
def test_boards_arrive_while_matches_run_and_ctrl_c_ends_the_page_too(tmp_path: Path, where: str) -> None:
    inside = CUP.replace("{parallel: 1}\nbroker: {use: embedded}", "{parallel: 1, isolation: none}")
    (tmp_path / "cup.yaml").write_text(inside if where == "this process" else CUP)
    process = start_joust("run", "--watch", "cup.yaml", "--trust", folder=tmp_path)
    assert process.stdout is not None
    line = next(one for one in process.stdout if one.startswith("live: "))
    address = urlsplit(line.split()[1])
    children = psutil.Process(process.pid).children(recursive=True)
    assert any("gridjoust.viewer.live_page.watcher" in child.cmdline() for child in children)
    connection = http.client.HTTPConnection(address.netloc, timeout=60)
    connection.request("GET", "/events")
    stream = connection.getresponse()
    assert stream.headers["content-type"].startswith("text/event-stream")
    found: dict[str, dict[str, object]] = {}
    for kind, event in events(stream):
        found["begin" if "begin" in event else kind] = event
        if "begin" in found and found.get("board", {}).get("turn", 0) != 0 and "state" in found:
            break
    assert found["state"]["tournament"] == "cup"
    assert [one["bot"] for one in found["begin"]["begin"]["seats"]] in (["a", "b"], ["b", "a"])  # type: ignore[index]
    assert "seed" not in found["begin"]["begin"]  # type: ignore[operator]
    os.kill(process.pid, signal.SIGINT)
    assert list(stream.readlines()) is not None  # it ends
    _, stderr = process.communicate(timeout=60)
    assert (process.returncode, "Traceback" in stderr) == (130, False)
    wait_until(lambda: not any(child.is_running() and child.status() != "zombie" for child in children), "no children")


@pytest.mark.gate
def test_of_a_run_on_workers_the_page_shows_standings_and_says_that_boards_are_elsewhere(tmp_path: Path) -> None:
    text = CUP.replace("{parallel: 1}\nbroker: {use: embedded}", "{isolation: none}").replace("100000", "10")
    (tmp_path / "cup.yaml").write_text(text)
    run = start_joust("run", "--watch", "--listen", "127.0.0.1:0", "cup.yaml", "--trust", folder=tmp_path)
    assert run.stdout is not None
    work, live = (next(run.stdout).split() for _ in range(2))
    assert (work[0], live[0]) == ("workers:", "live:")
    worker = start_joust(*work[2:], "--name", "pc", "--trust", folder=tmp_path)
    connection = http.client.HTTPConnection(urlsplit(live[1]).netloc, timeout=60)
    connection.request("GET", "/events")
    try:
        state = next(
            event
            for kind, event in events(connection.getresponse())
            if kind == "state" and event["done"] and str(event["note"]).startswith("Played on 1 worker, ")
        )
    finally:
        os.kill(run.pid, signal.SIGINT)
        _, stderr = run.communicate(timeout=60)
        worker.kill()
        worker.communicate(timeout=60)
    assert {one["bot"] for one in state["standings"]} == {"a", "b"}  # type: ignore[attr-defined]
    assert state["last"]
    assert (state["total"], state["boards"]) == (1000, [])
    assert (run.returncode, "Traceback" in stderr) == (130, False)
