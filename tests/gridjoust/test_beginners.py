"""What beginners write in a bot, and the line that they read: in their words, with file, line and class."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

import gridjoust as joust
from gridjoust.bots import load_bot_file
from gridjoust.bots.harness import Harness
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.bus.memory import MemoryBroker

LEGAL = "one of up, down, left, right, bomb, wait"
HEAD = """import random

import numpy as np

import gridjoust as joust


class First(joust.Bot):
"""
ANYTIME = HEAD.replace("joust.Bot", "joust.AnytimeBot")
ACT, ACT_LINE = "    def act(self, observation):\n        ", 9


@pytest.fixture(autouse=True)
def own_search_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))


def play(folder: Path, text: str, **settings: object) -> joust.Played:
    """A short match of a bot in `first.py` against one that picks at random."""
    (folder / "first.py").write_text(text)
    bots = [f"{folder / 'first.py'}:First", "random"]
    return joust.play("bomber", bots, params={"max_ticks": 12}, faults={"limit": 2}, **settings)  # type: ignore[arg-type]


REFUSED = {
    "None, for want of a return": ("observation.legal[0]", f"act returned None; expected {LEGAL}"),
    "a yield": ("yield 'up'", "act has a `yield`: return the action, or write a joust.AnytimeBot"),
    "a tuple": ("return 'up', 1", f"act returned ('up', 1); expected {LEGAL}"),
    "a number": ("return 3", f"act returned 3; expected {LEGAL}"),
    "a number of numpy": ("return np.int64(3)", f"act returned 3; expected {LEGAL}"),
    "the list of legal actions": ("return observation.legal[:2]", f"act returned ['up', 'down']; expected {LEGAL}"),
    "a dict": ("return {'action': 'up'}", f"act returned {{'action': 'up'}}; expected {LEGAL}"),
    "an array": (
        "return np.array(['up', 'up'])",
        f"act returned ndarray array(['up', 'up'], dtype='<U2'); expected {LEGAL}",
    ),
    "bytes": ("return b'up'", f"act returned b'up'; expected {LEGAL}"),
    "a function that was not called": ("return self.rng.choice", "act returned method <bound method Random.choice of"),
    "a long value": ("return ['up'] * 500",
        "act returned ['up', 'up', 'up', 'up', 'up', 'up', 'up', 'up', 'up', 'up'…; exp"),
}  # fmt: skip


@pytest.mark.parametrize(("line", "sentence"), REFUSED.values(), ids=REFUSED)
def test_what_act_returns_instead_of_an_action_is_named_with_file_line_and_class(
    tmp_path: Path, line: str, sentence: str
) -> None:
    faults = play(tmp_path, HEAD + ACT + line).faults
    assert [fault.fault.words for fault in faults] == ["malformed", "malformed"]
    assert faults[0].detail.startswith(sentence)
    assert faults[0].detail.endswith(f"(first.py line {ACT_LINE}, class First)")


ACCEPTED = {
    "a text of numpy": "return np.random.default_rng(0).choice(['up', 'wait'])",
    "an array of one text without dimensions": "return np.array('wait')",
    "a text of an enum": "import enum; return enum.StrEnum('Moves', ['wait']).wait",
    "what a search cost as numbers of numpy": "self.stats = joust.SearchStats(expanded=np.int64(7)); return 'wait'",
    "what a search cost as a dict": "self.stats = {'expanded': 7}; return 'wait'",
}


@pytest.mark.parametrize("line", ACCEPTED.values(), ids=ACCEPTED)
def test_what_means_an_action_is_one(tmp_path: Path, line: str) -> None:
    played = play(tmp_path, HEAD + ACT + line)
    assert (played.faults, played.termination) == ([], "completed")
    if "stats" in line:
        assert {answer.expanded for answer in played.answers if answer.seat == 0} == {7}


COROUTINES = """import asyncio

import gridjoust as joust


class First(joust.Bot):
    async def start(self, setup):
        await asyncio.sleep(0)
        self.lock, self.asked = asyncio.Lock(), 0

    async def act(self, observation):
        async with self.lock:
            await asyncio.sleep(0)
            self.asked += 1
        return "wait" if self.asked == observation.turn else None

    async def finish(self, result):
        raise ValueError(result.termination)
"""


def test_methods_that_are_coroutines_are_awaited_in_one_event_loop(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = play(tmp_path, COROUTINES)
    assert (played.faults, played.termination) == ([], "completed")
    assert "ValueError: completed" in capsys.readouterr().err


async def test_they_are_awaited_where_an_event_loop_runs_already(tmp_path: Path) -> None:
    await asyncio.sleep(0)
    assert play(tmp_path, COROUTINES).faults == []


KEYS = "tick, seat, position, hp, ammo, score, opponents, size, metal, soft, ore, bombs, ammo_tokens, treasure"
CRASHES = {
    "an index": (ACT + "return observation.legal[99]",
        "IndexError: list index out of range (first.py line 10, in act)"),
    "a key": (ACT + "return observation.view['ammos']",
        (f"KeyError: 'ammos'; did you mean 'ammo'? the keys are {KEYS} (first.py line 10, in act)")),
    "a key of nothing like it": (ACT + "view = observation.view; return view['x']",
        (f"KeyError: 'x'; the keys are {KEYS} (first.py line 10, in act)")),
    "a key within the view": (ACT + "return observation.view['opponents'][0]['positon']",
        ("KeyError: 'positon'; did you mean 'position'? the keys are seat, position, alive"
         " (first.py line 10, in act)")),
    "a key of what a call gives": (ACT + "return dict(up=1)['uq']", "KeyError: 'uq' (first.py line 10, in act)"),
    "a name": (ACT + "return rng.choice(['up'])", "NameError: name 'rng' is not defined (first.py line 10, in act)"),
    "in a library's code": (ACT + "return random.choice([])",
        "IndexError: Cannot choose from an empty sequence (first.py line 10, in act)"),
    "subscripts of the question": (ACT + "return observation['legal'][0]",
        ("TypeError: 'TurnMessage' object is not subscriptable; write observation.view[...] or observation.legal"
        " (first.py line 10, in act)")),
    "attributes of the question": (ACT + "return observation.position",
        ("AttributeError: 'TurnMessage' object has no attribute 'position'; an observation has view, legal,"
        " legal_complete, seat, turn and limit_ms (first.py line 10, in act)")),
    "in a helper": ("    def best(self):\n        return 1 // 0\n\n" + ACT + "return self.best()",
        "ZeroDivisionError: integer division or modulo by zero (first.py line 10, in best)"),
    "a question to a keyboard": (ACT + "raise EOFError('EOF when reading a line')",
        ("EOFError: EOF when reading a line; a bot has no keyboard: answer from observation.view and"
        " observation.legal (first.py line 10, in act)")),
    "a key of the view as an attribute": (ACT + "return observation.view.position",
        ("AttributeError: 'dict' object has no attribute 'position'; a view is a dict: write observation.view['name']"
        " (first.py line 10, in act)")),
    "a change of the question": (ACT + "observation.view = {}",
        ("AttributeError: immutable type: 'TurnMessage'; an observation cannot be changed: keep your notes in self"
        " (first.py line 10, in act)")),
    "without words": (ACT + "assert observation.turn > 99", "AssertionError (first.py line 10, in act)"),
}  # fmt: skip


@pytest.mark.parametrize(("body", "reason"), CRASHES.values(), ids=CRASHES)
def test_an_exception_is_named_with_the_author_s_own_line(tmp_path: Path, body: str, reason: str) -> None:
    played = play(tmp_path, HEAD + body)
    assert [(fault.fault.words, fault.detail) for fault in played.faults] == [("crashed", reason)]


STARTS = {
    "chance before there is any": ("    def __init__(self):\n        self.rng.random()\n\n" + ACT + "return 'up'",
        ("AttributeError: 'First' object has no attribute 'rng'; self.rng is set after __init__: use it from `start` on"
        " (first.py line 10, in __init__)")),
    "a constructor that wants something": ("    def __init__(self, depth):\n        pass\n\n" + ACT + "return 'up'",
        ("ValueError: options: expected the arguments of def __init__(self, depth), got none: give them"
        " defaults, or set them under `options` (first.py line 9, class First)")),
    "a book that is not there": ("    def start(self, setup):\n        open('book.txt')\n\n" + ACT + "return 'up'",
        "FileNotFoundError: [Errno 2] No such file or directory: 'book.txt' (first.py line 10, in start)"),
}  # fmt: skip


@pytest.mark.parametrize(("body", "reason"), STARTS.values(), ids=STARTS)
def test_what_keeps_a_bot_from_starting_is_named_too(tmp_path: Path, body: str, reason: str) -> None:
    faults = play(tmp_path, HEAD + body).faults
    assert [(fault.fault.words, fault.detail) for fault in faults] == [("failed to start", reason)]


IMPROVES = {
    "returns": ("return 'up'", "improve returned str 'up'; expected `def improve` that yields its answers"),
    "neither": ("pass", "improve returned None; expected `def improve` that yields its answers"),
    "yields nothing": ("yield from ()", f"improve yielded no answer; expected {LEGAL}"),
    "yields a number": ("yield 3", f"improve yielded 3; expected {LEGAL}"),
}


@pytest.mark.parametrize(("line", "sentence"), IMPROVES.values(), ids=IMPROVES)
def test_an_improve_that_gives_no_answer_is_named(tmp_path: Path, line: str, sentence: str) -> None:
    faults = play(tmp_path, f"{ANYTIME}    def improve(self, observation, deadline):\n        {line}\n").faults
    assert faults[0].detail == f"{sentence} (first.py line {ACT_LINE}, class First)"
    assert faults[0].fault.words == "malformed"


def test_an_illegal_action_comes_with_those_that_are_legal(tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text(HEAD + ACT + "return 'N'")
    bots = [f"{tmp_path / 'first.py'}:First"]
    faults = joust.play("navigation", bots, params={"width": 8, "height": 8}, seed=1, faults={"limit": 2}).faults
    assert [fault.fault.words for fault in faults] == ["illegal", "illegal"]
    assert faults[0].detail == "action 'N' is not legal now; expected something like wait, E, S, W, SE, SW, …"
    faults = play(tmp_path, HEAD + ACT + "return 'UP'").faults
    assert faults[0].detail == f"action 'UP': expected {LEGAL}, got 'UP'"


FILES = {
    "a syntax error": ("class First(joust.Bot)\n    pass\n",
        "first.py does not import: SyntaxError: expected ':' (first.py line 1)"),
    "a module that is not installed": ("import no_such_module\n",
        "first.py does not import: ModuleNotFoundError: No module named 'no_such_module' (first.py line 1)"),
    "a name while it is imported": ("\nBEST = up\n",
        "first.py does not import: NameError: name 'up' is not defined (first.py line 2)"),
    "a class of another name": (HEAD.replace("First", "Main") + ACT + "return 'up'",
        "first.py:First: class not found"),
    "a class that is no bot": ("class First:\n    pass\n",
        "first.py:First: class First is no bot; write class First(gridjoust.Bot)"),
    "no act": (HEAD + "    plays = ()\n", "first.py:First: expected an act method, got none"),
    "act in capitals": (HEAD + "    def Act(self, observation):\n        pass\n",
        "first.py:First: expected an act method, got Act"),
    "no improve": (ANYTIME + "    plays = ()\n", "first.py:First: expected an improve method, got none"),
    "no self": (HEAD + "    def act(observation):\n        pass\n",
        "expected def act(self, observation), got def act(observation) (first.py line 9, class First)"),
    "an argument too many": (HEAD + "    def act(self, view, legal):\n        pass\n",
        "expected def act(self, observation), got def act(self, view, legal) (first.py line 9, class First)"),
    "an improve without a deadline": (ANYTIME + "    def improve(self, observation):\n        yield\n",
        ("expected def improve(self, observation, deadline), got def improve(self, observation)"
        " (first.py line 9, class First)")),
    "start without its argument": (HEAD + "    def start(self):\n        pass\n\n" + ACT + "return 'up'",
        "expected def start(self, setup), got def start(self) (first.py line 9, class First)"),
    "act outside the class": (HEAD + "    plays = ()\n\n\ndef act(self, observation):\n    return 'up'\n",
        "first.py:First: expected an act method, got none; indent `def act`, which stands outside the class"),
    "another name of ours": ("import joust\n" + HEAD + ACT + "return 'up'",
        ("first.py does not import: ModuleNotFoundError: No module named 'joust'; write `import gridjoust as joust`"
        " (first.py line 1)")),
    "no import": (HEAD.replace("import gridjoust as joust\n", "") + ACT + "return 'up'",
        ("first.py does not import: NameError: name 'joust' is not defined; begin with `import gridjoust as joust`"
        " (first.py line 7)")),
    "another game": (HEAD + "    plays = ('ricochet',)\n\n" + ACT + "return 'up'", "First plays ricochet, not bomber"),
    "a planner that is no name": (HEAD + "    planner = 'A*'\n\n" + ACT + "return 'up'",
        "First.planner: expected 1 to 30 letters, digits or _, got 'A*'"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "line"), FILES.values(), ids=FILES)
def test_a_file_that_holds_no_such_bot_is_one_line(tmp_path: Path, text: str, line: str) -> None:
    with pytest.raises(ValueError, match="bots") as refused:
        play(tmp_path, text)
    assert str(refused.value) == f"bots[0]: {line}"


def test_one_game_without_its_comma_is_that_game(tmp_path: Path) -> None:
    assert play(tmp_path, HEAD + "    plays = ('bomber')\n\n" + ACT + "return 'wait'").termination == "completed"


START = protocol.Start(
    match="m", game="bomber", game_version="1", variant="bomber", params={}, seats=[0], seat_count=2, teams=[0, 1],
    roles=["", ""], dynamics="simultaneous", briefing={}, bot_seed=1, options={},
    limits=protocol.Limits(turn_ms=100, bank_ms=0, increment_ms=0, start_ms=1000),
)  # fmt: skip


async def test_over_the_wire_a_wrong_answer_is_reported_for_its_question_and_the_bot_plays_on(tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text(HEAD + ACT + "return 'up' if observation.turn > 1 else None")
    heard: asyncio.Queue[protocol.FromBot] = asyncio.Queue()
    broker = MemoryBroker()
    first = protocol.TurnMessage(
        match="m", ask=7, seat=0, turn=1, view={}, legal=["up"], legal_complete=True, limit_ms=100
    )
    second = protocol.TurnMessage(
        match="m", ask=8, seat=0, turn=2, view={}, legal=["up"], legal_complete=True, limit_ms=100
    )
    async with broker.connect() as desk, broker.connect() as bus:
        await desk.subscribe("b/out", lambda _, payload: heard.put_nowait(protocol.decode_from_bot(payload)))
        harness = Harness(load_bot_file(tmp_path / "first.py", "First"), bus=bus, prefix="b")
        running = asyncio.create_task(harness.run())
        await asyncio.sleep(0)
        for message in (START, first, second):
            await desk.publish("b/in", protocol.encode(message))
        _, refused, answer = [await heard.get() for _ in range(3)]
        detail = f"act returned None; expected up (first.py line {ACT_LINE}, class First)"
        assert refused == protocol.BotError(match="m", ask=7, message=detail)
        assert isinstance(answer, protocol.Action)
        assert (answer.ask, answer.action) == (8, "up")
        running.cancel()


async def test_a_traceback_in_the_log_begins_with_the_authors_own_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "first.py").write_text(HEAD + "    def start(self, setup):\n        1 // 0\n\n" + ACT + "return 'up'")
    broker = MemoryBroker()
    async with broker.connect() as desk, broker.connect() as bus:
        harness = Harness(load_bot_file(tmp_path / "first.py", "First"), bus=bus, prefix="b")
        running = asyncio.create_task(harness.run())
        await asyncio.sleep(0)
        await desk.publish("b/in", protocol.encode(START))
        assert await running == 1
    first, frame, *_ = capsys.readouterr().err.splitlines()
    assert first == "Traceback (most recent call last):"
    assert frame.strip() == f'File "{tmp_path}/first.py", line 10, in start'


def test_a_file_with_one_bot_needs_no_class(tmp_path: Path) -> None:
    play(tmp_path, HEAD + ACT + "return 'wait'")
    played = joust.play("bomber", [f"{tmp_path}/first.py", "random"], params={"max_ticks": 2})
    assert [seat.bot for seat in played.record.header.seats] == ["First", "random"]
    (tmp_path / "none.py").write_text("")
    with pytest.raises(ValueError, match=r"bots\[0\]: none\.py contains no bot class"):
        joust.play("bomber", [f"{tmp_path}/none.py", "random"])
