"""Every message of protocol 1 as it went over the wire in real matches, for the page that shows them.

`python -m tests.runner.wire.wire_capture` writes them into the page; a test compares. What differs from run to run
(ids, seeds, times) is replaced by fixed values, so that only a change of the protocol or of a game changes the page.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any
from unittest import mock

from gridjoust.in_process import open_memory_bus
from gridjoust.runner.wire.bus.memory import MemoryBroker
from tests.runner.memory_cup import make_cup, play_cup

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "bot-in-your-language.md"
BLOCK = re.compile(r"^<!-- message: ([\w ]+) -->\n```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)

Message = dict[str, Any]

FIXED = {
    "run": "cup-7f3a9c",
    "match": "3ca5e32e4b667e52",
    "bot_seed": 4811203981122,
    "ask": 6033313314485948,
    "planning_ms": 1.875,
    "clock_ms": 12,
    "wake_ms": 1012,
}

BOTS = """
from gridjoust.bots.api import AnytimeBot, Bot, SearchStats

class First(AnytimeBot):
    plays = ("bomber",)
    planner = "astar"
    version = "1.2"

    def improve(self, observation, deadline):
        self.stats = SearchStats(expanded=12, plan_cost=3.0)
        yield observation.legal[0]
        self.stats = SearchStats(expanded=40, plan_cost=2.0)
        yield observation.legal[1]

class Bidder(Bot):
    def act(self, observation):
        return "bid 3" if "bid 3" in observation.legal else "pass"

class Failing(Bot):
    def act(self, observation):
        raise KeyError("treasures")
"""

SMALL = "{width: 6, height: 6, metal: 4, soft: 4, ore: 2, max_ticks: 2}"
CUPS = {
    "bomber": ("{game: bomber, params: " + SMALL + "}", "First"),
    "ricochet": ("{game: ricochet, params: {random_walls: 4, width: 8, height: 8, max_rounds: 1}}", "Bidder"),
    "error": ("{game: bomber, params: " + SMALL + "}", "Failing"),
}
CUP = """
tournament: cup
games: [GAME]
format: {swap_seats: false}
time: {turn_ms: 1000, start_ms: 10000}
execution: {isolation: none, parallel: 1}
bots:
  - {name: first, path: bots.py:CLASS}
  - {name: second, path: bots.py:CLASS}
"""


def capture() -> dict[str, Message]:
    """The messages by the names that the page gives them, all to or from the process `first.0`."""
    bomber, ricochet, error = (list(_traffic(name)) for name in CUPS)
    of_type = {kind: _of_type(bomber, kind) for kind in ("hello", "ready", "start", "turn", "action", "end", "stop")}
    first = bomber.index(of_type["turn"][0])
    answers = list(takewhile(lambda message: message["type"] == "action", bomber[first + 1 :]))
    return {
        **{kind: messages[0] for kind, messages in of_type.items()},
        "status": bomber[0],
        "last will": {"online": False},
        "ready for a match": of_type["ready"][1],
        "action": answers[-1],
        "first answer": answers[0],
        "event": next(message for message in _of_type(ricochet, "event") if len(message["legal"]) == 3),
        "error": _of_type(error, "error")[0],
    }


def blocks_of(page: str) -> dict[str, Message]:
    """The messages that a page shows, by name."""
    return {name: json.loads(text) for name, text in BLOCK.findall(page)}


def refreshed(page: str, messages: dict[str, Message]) -> str:
    """The page with these messages in its blocks."""
    return BLOCK.sub(
        lambda block: f"<!-- message: {block[1]} -->\n```json\n{format_message(messages[block[1]])}\n```", page
    )


def format_message(message: Message) -> str:
    """A key a line; observations and briefings, which are long, take as many as they have keys."""
    lines = ",\n".join(f"  {json.dumps(key)}: {_format_value(value)}" for key, value in message.items())
    return f"{{\n{lines}\n}}" if len(json.dumps(message)) > 80 else json.dumps(message)


def _format_value(value: Any, indent: str = "  ") -> str:
    text = json.dumps(value)
    if len(text) <= 100 or not isinstance(value, dict):
        return text
    inner = indent + "  "
    lines = ",\n".join(f"{inner}{json.dumps(key)}: {_format_value(item, inner)}" for key, item in value.items())
    return f"{{\n{lines}\n{indent}}}"


def _of_type(messages: list[Message], kind: str) -> list[Message]:
    return [message for message in messages if message.get("type") == kind]


def _traffic(name: str) -> Iterator[Message]:
    """What went to and from the process `first.0`, in order."""
    heard: list[tuple[str, bytes]] = []
    deliver = MemoryBroker.deliver

    def listen(broker: MemoryBroker, topic: str, payload: bytes) -> None:
        heard.append((topic, payload))
        deliver(broker, topic, payload)

    game, bot = CUPS[name]
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(MemoryBroker, "deliver", listen):
        Path(folder, "bots.py").write_text(BOTS)
        plan = make_cup(CUP.replace("GAME", game).replace("CLASS", bot), Path(folder))
        asyncio.run(play_cup(plan, open_it=open_memory_bus))
    return (_fixed(json.loads(payload)) for topic, payload in heard if "/first.0/" in topic)


def _fixed(value: Any, key: str = "") -> Any:
    if key in FIXED and value is not None:
        return FIXED[key]
    if isinstance(value, dict):
        return {name: _fixed(item, name) for name, item in value.items()}
    return [_fixed(item) for item in value] if isinstance(value, list) else value


if __name__ == "__main__":
    PAGE.write_text(refreshed(PAGE.read_text(encoding="utf-8"), capture()), encoding="utf-8")
