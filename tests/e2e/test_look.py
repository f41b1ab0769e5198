"""`joust look` at a bot in any language: it is asked as a program, and shows because somebody looks."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from gridjoust.recorded.search_trace import _shown
from gridjoust.recorded.session import Reply
from gridjoust.runner.results.records.file import list_records, read_record
from gridjoust.runner.wire.protocol import Action, decode_from_bot, encode
from tests.joust_here import joust

BOT = """
import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        start = message
        print("somebody looks" if "lens" in start else "nobody looks", file=sys.stderr, flush=True)
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "hello":
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "turn":
        turn = message["turn"]
        here = [{"name": "here", "kind": "nodes", "data": [turn, 1]}]
        unread = [{"name": "here", "kind": "mood", "data": "good"}]
        answer = {"action": message["legal"][0]}
        if start.get("lens"):
            answer["shown"] = unread if turn == 2 else here
        print(json.dumps(answer), flush=True)
"""


def answer(shown: str) -> Reply:
    said = b'{"type":"action","match":"m","ask":1,"seat":0,"action":"wait","shown":%s}' % shown.encode()
    read = decode_from_bot(said)
    assert isinstance(read, Action)
    return Reply((read,), 1.0)


def test_what_is_shown_unasked_is_read_by_nobody_and_no_fault() -> None:
    read = answer('{"anything": [1, "goes"]}').answers[0]
    assert read.action == "wait"
    assert json.loads(encode(read))["shown"] == {"anything": [1, "goes"]}
    assert "shown" not in json.loads(encode(Action(match="m", ask=1, seat=0, action="wait")))


@pytest.mark.parametrize(
    ("shown", "layers", "is_readable"),
    [
        ('[{"name": "a", "kind": "heat", "data": [0, 0, 1.5]}]', 1, True),
        ('[{"name": "a", "kind": "text", "data": "<b>"}]', 1, True),
        ("[]", 0, True),
        ('[{"name": "a", "kind": "mood", "data": "good"}]', 0, False),
        ('[{"name": "a", "kind": "path"}]', 0, False),
        ('{"name": "a"}', 0, False),
    ],
)
def test_layers_are_read_as_the_protocol_has_them_or_left_out(shown: str, layers: int, is_readable: bool) -> None:
    found, is_read = _shown(answer(shown))
    assert (len(found), is_read) == (layers, is_readable)


@pytest.mark.gate
@pytest.mark.e2e
def test_a_program_is_asked_again_and_shows_only_then(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    command = json.dumps([sys.executable, str(tmp_path / "bot.py")])
    (tmp_path / "cup.yaml").write_text(
        "tournament: cup\n"
        "games: [{game: bomber, params: {max_ticks: 4}}]\n"
        "time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}\n"
        "format: {type: round_robin, rounds: 1, swap_seats: false}\n"
        f"bots: [{{name: own, command: {command}, protocol: stdio}}, {{name: any, bot: random}}]\n"
        "execution: {parallel: 1}\n"
    )
    assert joust("run", "cup.yaml", folder=tmp_path).returncode == 0
    [path] = list_records(tmp_path / "results" / "cup")
    before = read_record(path)
    log = "".join(one.read_text() for one in (tmp_path / "results" / "cup" / "logs").glob("own*"))
    assert ("nobody looks" in log, "somebody looks" in log) == (True, False)
    done = joust("look", str(path), "--bot", "own", "--yes", folder=tmp_path)
    assert done.stdout.splitlines() == [
        "own: 4 questions asked, 3 turns with debug layers",
        "1 layer left out: more than 64 kB for one answer, or not valid in the protocol",
        "page: look.html",
    ]
    page = (tmp_path / "look.html").read_text()
    search: dict[str, Any] = json.loads(page.split('id="match-data">')[1].split("</script>")[0])["search"]
    [turns] = search["layers"].values()
    assert {turn: [layer["data"] for layer in shown] for turn, shown in turns.items()} == {
        "1": [[1, 1]],
        "2": [],
        "3": [[3, 1]],
        "4": [[4, 1]],
    }
    assert search["differences"] == []
    assert read_record(path) == before
