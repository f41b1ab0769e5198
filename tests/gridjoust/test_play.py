"""`gridjoust.play`: a match in this process is the match that a tournament plays."""

from __future__ import annotations

import asyncio
import re
import time
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from _pytest.mark import ParameterSet

from gridjoust.bots.api import AnytimeBot, Bot, Deadline, MatchResult, MatchSetup, Observation
from gridjoust.bots.random_bot import RandomBot
from gridjoust.games.api import EndlessMatchError, ParamValue
from gridjoust.in_process import open_in_process, open_memory_bus
from gridjoust.runner.results.records.file import read_record
from gridjoust.runner.results.records.lines import MatchRecord, TurnLine
from gridjoust.runner.results.replay import replay, verify
from gridjoust.runner.tournament import open_backend
from gridjoust.simulation import BotSpec, PlayedTurn, play
from tests.doubles.games.broken import RunsTooLong
from tests.doubles.games.reference import Bids, March, Pile
from tests.doubles.virtual_time import run_in_virtual_time
from tests.runner.memory_cup import Open, make_cup, play_cup

SMALL: dict[str, dict[str, ParamValue]] = {
    "bomber": {"max_ticks": 60},
    "placement": {"width": 9, "height": 9, "max_cells": 4, "islands": 2, "max_game_rounds": 6},
    "navigation": {"knowledge": "unknown", "width": 12, "height": 12},
    "eidolon": {"preset": "sim1"},
    "heroquest": {"max_game_rounds": 4},
    "ricochet": {"mode": "solve", "max_rounds": 3},
}
MATCHES: list[tuple[str, int, list[str]]] = [  # game, seats, one bot a seat or a team
    ("bomber", 2, ["bomber/astar", "random"]),
    ("bomber", 4, ["random", "bomber/wanderer", "random", "bomber/wanderer"]),
    ("placement", 2, ["placement/astar", "random"]),
    ("navigation", 1, ["navigation/dstar_lite"]),
    ("eidolon", 3, ["eidolon/astar"]),
    ("heroquest", 3, ["heroquest/astar", "heroquest/zargon_random"]),
    ("ricochet", 1, ["ricochet/bfs"]),
]


def cup_of(game: str, params: dict[str, ParamValue], seats: int, bots: Sequence[str], *, isolation: str) -> str:
    text = ", ".join(f"{name}: {str(value).lower()}" for name, value in params.items())
    entries = "".join(f"  - {{name: b{number}, bot: {bot}}}\n" for number, bot in enumerate(bots))
    solo = "solo" if len(bots) == 1 else "round_robin"
    return (
        f"tournament: cup\nseed: 11\nformat: {{type: {solo}}}\ntime: {{turn_ms: null}}\n"
        f"games: [{{game: {game}, params: {{{text}}}, seats: {seats}}}]\n"
        f"execution: {{isolation: {isolation}, parallel: 1}}\nbots:\n{entries}"
    )


def again(record: MatchRecord, bots: dict[str, str], results: Path) -> MatchRecord:
    """The match of a record, played in this process."""
    header = record.header
    teams = dict.fromkeys(seat.team for seat in header.seats)
    names = [next(seat.bot for seat in header.seats if seat.team == team) for team in teams]
    if len({(seat.bot, seat.team) for seat in header.seats}) == len(header.seats):
        names = [seat.bot for seat in header.seats]
    return play(
        header.game,
        [bots[name] for name in names],
        seed=header.seed,
        params=header.params,
        seats=len(header.seats),
        time={"turn_ms": None},
        match_id=header.match_id,
        tournament=results,
    ).record


WAYS: list[tuple[tuple[str, int, list[str]], Open, str] | ParameterSet] = [
    *((match, open_memory_bus, "none") for match in MATCHES[:6]),
    *(pytest.param(match, open_memory_bus, "none", marks=pytest.mark.gate) for match in MATCHES[6:]),
    (MATCHES[0], open_in_process, "none"),
    (MATCHES[0], open_backend, "process"),
]


@pytest.mark.gate
@pytest.mark.parametrize(("match", "open_it", "isolation"), WAYS, ids=lambda part: getattr(part, "__name__", None))
def test_a_match_has_the_record_of_the_same_match_on_a_bus_called_directly_and_between_processes(
    match: tuple[str, int, list[str]], open_it: Open, isolation: str, tmp_path: Path
) -> None:
    game, seats, bots = match
    plan = make_cup(cup_of(game, SMALL[game], seats, bots, isolation=isolation), tmp_path)
    records = [played.record for played in asyncio.run(play_cup(plan, open_it=open_it))]
    assert len(records) == (1 if len(bots) == 1 else len(bots))
    for record in records:
        mine = again(record, {f"b{number}": bot for number, bot in enumerate(bots)}, plan.out)
        assert (mine.lines, mine.end, verify(mine)) == (record.lines, record.end, None)


@pytest.mark.gate
def test_a_ticked_match_has_the_record_of_the_same_match_on_a_bus(tmp_path: Path) -> None:
    params: dict[str, ParamValue] = {"max_ticks": 8, "pace": "realtime", "tick_ms": 150}
    text = cup_of("bomber", params, 2, ["random", "random"], isolation="none")
    plan = make_cup(text, tmp_path)
    [record, _] = [played.record for played in run_in_virtual_time(play_cup(plan))]
    mine = again(record, {"b0": "random", "b1": "random"}, plan.out)
    assert (mine.lines, mine.end) == (record.lines, record.end)


# what a match is


def test_a_seed_gives_one_match() -> None:
    ends = [play("bomber", ["random"] * 2, seed=seed, params=SMALL["bomber"]).record.end.hash for seed in (1, 1, 2)]
    assert ends[0] == ends[1] != ends[2]


@pytest.mark.gate
def test_a_real_time_match_repeats_exactly() -> None:
    first, second = (
        play("ricochet", ["ricochet/bfs", "ricochet/dijkstra_map"], seed=3, params={"max_rounds": 2}).record
        for _ in range(2)
    )
    assert (first.end, first.lines, verify(first)) == (second.end, second.lines, None)


def test_bids_come_when_the_simulated_clock_says_so() -> None:
    played = play(Bids(seats=1), [FirstLegal()], think_ms=250)
    stamps = [line.stamp for line in played.record.lines if isinstance(line, TurnLine)]
    assert stamps == [250, 500, 750, 1000, 1250]  # the sand of the first bid runs out; a bid at that instant is late


class Slow(AnytimeBot):
    """Needs two milliseconds for every answer."""

    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str]:
        began_s = time.perf_counter()
        while time.perf_counter() - began_s < 0.002:
            pass
        yield observation.legal[0]


def test_who_is_asked_twice_running_takes_its_time_for_both() -> None:
    played = play("navigation", [Slow()], params={"width": 12, "height": 12, "max_turns": 5}, think_ms=None)
    answers = played.record.answers
    assert len(answers) == 5
    assert all((answer.latency_ms or 0) >= (answer.planning_ms or 0) >= 2 for answer in answers)


def test_ticks_do_not_wait_for_a_slow_bot() -> None:
    played = play(March(seats=2), [FirstLegal(), FirstLegal()], think_ms=150)
    # answers come at 150, 300, 450 and 600 ms: one that comes with the tick waits for the next
    assert [sorted(actions) for actions in played.actions] == [[], [0, 1], [], [0, 1], [0, 1], []]


def test_the_result_tells_how_it_came_out() -> None:
    played = play("bomber", ["bomber/astar", "random"], seed=1, params={"max_ticks": 80})
    end = played.record.end
    assert (played.points, played.returns, played.ranks) == (end.points, end.returns, end.ranks)
    assert (played.turns, played.termination, played.reason) == (len(played.actions), "completed", end.reason)
    assert set(played.actions[0]) == {0, 1}
    assert played.metrics[0].keys() == played.metrics[1].keys()
    assert len(played.answers) == 2 * played.turns
    assert played.faults == []


def test_a_saved_record_replays_and_every_turn_is_shown_with_its_state(tmp_path: Path) -> None:
    seen: list[PlayedTurn] = []
    played = play("bomber", ["random", "random"], seed=1, params={"max_ticks": 20}, on_turn=seen.append)
    for path in (played.save(tmp_path / "one.jsonl"), played.save(tmp_path)):
        assert read_record(path) == played.record
        assert [moment.turn for moment in replay(read_record(path))] == list(range(played.turns + 1))
    assert [turn.actions for turn in seen] == played.actions
    assert [turn.state for turn in seen] == [moment.state for moment in replay(played.record)][1:]
    assert str(seen[-1]) == seen[-1].game.render(seen[-1].state)


async def test_a_match_is_played_inside_a_running_loop() -> None:
    assert play("bomber", ["random", "random"], params={"max_ticks": 5}).termination == "completed"


# bots


class FirstLegal(Bot):
    """Keeps all that it is given."""

    def __init__(self) -> None:
        self.setups: list[MatchSetup] = []
        self.results: list[MatchResult] = []

    def start(self, setup: MatchSetup) -> None:
        self.setups.append(setup)

    def act(self, observation: Observation) -> str:
        return observation.legal[0]

    def finish(self, result: MatchResult) -> None:
        self.results.append(result)


class Cycling(Bot):
    def act(self, observation: Observation) -> str:
        return observation.legal[observation.turn % len(observation.legal)]


class Spoiler(Cycling):
    """Changes what it is shown, down to the last list."""

    def act(self, observation: Observation) -> str:
        answer = super().act(observation)
        observation.legal.clear()
        _spoil(observation.view)
        return answer

    def finish(self, result: MatchResult) -> None:
        result.returns.clear()
        result.ranks.clear()


def _spoil(value: object) -> None:
    if isinstance(value, list | dict):
        for item in list(value.values()) if isinstance(value, dict) else value:
            _spoil(item)
        value.clear()


class Crasher(Bot):
    def act(self, observation: Observation) -> str:
        raise IndexError("my list was too short")


class NotReady(Crasher):
    def start(self, setup: MatchSetup) -> None:
        raise OSError("no book")


class Mute(AnytimeBot):
    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
        yield from ()


class Endless(AnytimeBot):
    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
        while True:
            yield observation.legal[0]


class Odd(Bot):
    def __init__(self, answer: object) -> None:
        self.answer: Any = answer

    def act(self, observation: Observation) -> str:
        answer: str = self.answer
        return answer


def test_bots_are_names_files_classes_instances_or_makers(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from gridjoust.bots.api import Bot\nclass Mine(Bot):\n    def act(self, seen):\n        return 'wait'\n"
    )
    bots: list[BotSpec] = ["random", f"{file}:Mine", RandomBot, lambda: FirstLegal()]
    played = play("bomber", bots, params={"max_ticks": 4})
    assert [seat.bot for seat in played.record.header.seats] == ["random", "Mine", "RandomBot", "FirstLegal"]
    assert {actions[1] for actions in played.actions} == {"wait"}
    assert played.record.header.seats[1].bot_hash != ""


def test_a_bot_holds_all_seats_of_its_team_and_learns_of_limits_and_of_the_end() -> None:
    bot = FirstLegal()
    play("heroquest", [bot, "heroquest/zargon_random"], seats=4, params={"max_game_rounds": 2})
    assert [setup.seats for setup in bot.setups] == [[0, 1, 2]]
    bot = FirstLegal()
    played = play(Pile, [bot, FirstLegal()], time={"turn_ms": 70})
    assert bot.setups[0].turn_ms == 70
    assert [(result.termination, result.returns) for result in bot.results] == [("completed", played.returns)]


@pytest.mark.parametrize("game", [Pile, "bomber"])
def test_what_a_bot_does_to_its_view_changes_nothing(game: str | type[Pile]) -> None:
    honest, spoiled = (play(game, [kind, kind], seed=5) for kind in (Cycling, Spoiler))
    assert spoiled.record.lines == honest.record.lines
    assert spoiled.record.end == honest.record.end


ODD: dict[str, tuple[list[Bot], dict[str, Any], str, str]] = {
    "one that raises": ([Crasher(), FirstLegal()], {}, "crashed",
        "seat 0 forfeits (crashed): IndexError: my list was too short"),
    "one that cannot start": ([FirstLegal(), NotReady()], {}, "failed_to_start",
        "seat 1 forfeits (failed_to_start): OSError: no book"),
    "one whose answer JSON cannot carry": ([Odd("\ud800"), FirstLegal()], {}, "crashed", "seat 0 forfeits (crashed)"),
    "one that thinks longer than its limit": ([FirstLegal(), FirstLegal()],
        {"time": {"turn_ms": 50}, "think_ms": 60, "faults": {"limit": 2}}, "late", "no answer within 50 ms"),
    "an anytime bot that searches until its time is over": ([Endless(), FirstLegal()], {"time": {"turn_ms": 50}},
        "completed", ""),
    "an anytime bot without an answer": ([Mute(), FirstLegal()], {"faults": {"limit": 1}}, "malformed",
        "improve yielded no answer; expected "),
    "the same without a limit": ([Mute(), FirstLegal()], {"faults": {"limit": 1}, "time": {"turn_ms": None}},
        "malformed", "improve yielded no answer; expected "),
}  # fmt: skip


@pytest.mark.parametrize(("bots", "options", "termination", "said"), ODD.values(), ids=ODD)
def test_a_bot_that_is_odd_ends_its_match(
    bots: list[BotSpec], options: dict[str, Any], termination: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    played = play(Pile, bots, **options)
    assert played.termination == termination
    assert any(told.startswith(said) for told in (played.reason, *(fault.detail for fault in played.faults)))
    assert bool(played.faults) is (termination != "completed")
    is_broken = termination in {"crashed", "failed_to_start"}
    assert bool(err := capsys.readouterr().err) is is_broken
    assert not is_broken or ": " not in said or said.rpartition(": ")[2] in err


@pytest.mark.parametrize(
    ("answer", "fault"), [("take 9", "illegal"), ("fly", "malformed"), (7, "malformed"), ("x" * 70_000, "malformed")]
)
def test_answers_are_judged_as_on_the_wire(answer: object, fault: str) -> None:
    played = play(Pile, [Odd(answer), FirstLegal()], faults={"limit": 1})
    assert (played.termination, played.points) == (fault, [0.0, 1.0])


# what cannot be played


@pytest.mark.parametrize(
    ("game", "bots", "more", "message"),
    [
        ("bombr", ["random"], {}, "game: expected bomber, got 'bombr'"),
        ("bomber", ["random"], {}, "bots: expected 2 to 4 for bomber, one a seat, got 1"),
        ("bomber", ["random"] * 5, {}, "bots: expected 2 to 4 for bomber, one a seat, got 5"),
        ("heroquest", ["random"] * 3, {"seats": 5},
            "bots: expected 5 (one a seat) or 2 (one a team) for heroquest, got 3"),
        ("bomber", ["random", "bomber/astr"], {}, "bots[1]: expected bomber/astar, got 'bomber/astr'"),
        ("bomber", ["random", "eidolon/astar"], {}, "bots[1]: eidolon/astar plays eidolon, not bomber"),
        ("bomber", ["random", 7], {}, "bots[1]: expected a bot's name, file.py:Class, a Bot or its maker, got 7"),
        ("bomber", ["random"] * 2, {"params": {"widht": 9}},
            "widht: expected 'width', got an unknown parameter of bomber"),
        ("bomber", ["random"] * 2, {"time": {"turn_ms": 0}},
            "time.turn_ms: expected a whole number of at least 1 or null, got 0"),
        ("bomber", ["random"] * 2, {"time": {"turn": 5}}, "time.turn: expected turn_ms, got an unknown key"),
        ("bomber", ["random"] * 2, {"time": 5}, "time: expected names with values, got 5"),
        ("bomber", ["random"] * 2, {"params": [9]}, "params: expected names with values, got [9]"),
        ("bomber", ["random"] * 2, {"seed": "a"}, "seed: expected a whole number, got 'a'"),
        ("bomber", "random", {}, "bots: expected a list, got 'random'"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_said_in_a_line(game: str, bots: Any, more: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        play(game, bots, **more)


def test_a_seed_of_numpy_is_that_seed() -> None:
    params: dict[str, ParamValue] = {"max_ticks": 5}
    seeds: list[Any] = [np.int64(5), 5]
    one, other = (play("bomber", ["random"] * 2, params=params, seed=seed) for seed in seeds)
    assert one.record.end.hash == other.record.end.hash


def test_a_notebook_shows_the_outcome_in_a_line() -> None:
    played = play("bomber", ["random", "bomber/astar"], params={"max_ticks": 5})
    assert repr(played) == "<bomber, random against bomber/astar: completed after 5 turns, tick limit: 0 to 0 points>"


ZERO_SUM: list[tuple[str, int, list[BotSpec], list[float]]] = [  # game, seats, bots, returns
    ("bomber", 2, [Crasher, "random"], [-1, 1]),
    ("bomber", 2, ["random", Crasher], [1, -1]),
    ("placement", 2, [Crasher, "random"], [-1, 1]),
    ("heroquest", 3, [Crasher, "heroquest/zargon_random"], [-0.5, -0.5, 1]),
    ("ricochet", 2, [Crasher, "random"], [-1, 1]),
    ("bomber", 3, [Crasher, Crasher, "random"], [-1, -1, 2]),
]


@pytest.mark.parametrize(("game", "seats", "bots", "returns"), ZERO_SUM)
def test_a_forfeit_in_a_zero_sum_game_is_a_loss_for_one_and_a_win_for_the_other(
    game: str, seats: int, bots: list[BotSpec], returns: list[float]
) -> None:
    played = play(game, bots, seats=seats, seed=1)
    assert played.termination == "crashed"
    assert (played.returns, sum(filter(None, played.returns))) == (returns, 0)
    assert verify(played.record) is None


@pytest.mark.parametrize(("game", "seats"), [("navigation", 1), ("eidolon", 3), ("ricochet", 1)])
def test_a_forfeit_alone_or_of_the_whole_team_leaves_no_returns(game: str, seats: int) -> None:
    played = play(game, [Crasher], seats=seats, seed=1, params=SMALL[game])
    assert (played.termination, played.returns) == ("crashed", [None] * seats)
    assert verify(played.record) is None


@pytest.mark.gate
def test_of_a_team_that_plays_on_only_the_seat_that_forfeited_has_no_returns() -> None:
    played = play("eidolon", ["random", Crasher, "random"], seats=3, seed=1, params=SMALL["eidolon"])
    assert (played.termination, played.record.end.forfeited) == ("completed", [1])
    assert [value is None for value in played.returns] == [False, True, False]
    assert verify(played.record) is None


def test_a_game_that_never_ends_is_an_error_after_the_turns_of_its_spec() -> None:
    with pytest.raises(EndlessMatchError, match=r"^pile: the match goes on after 3 turns"):
        play(RunsTooLong, [RandomBot, RandomBot])


UNFINISHED: dict[str, tuple[dict[str, Any], str]] = {
    "no spec": ({"spec": None}, "class Mine has no `spec = joust.GameSpec(...)`"),
    "a method left out": (
        {"apply": abstractmethod(lambda self: None)}, "class Mine has no method `def apply(self, state, turn)`"
    ),
    "a method without an argument": (
        {"is_terminal": lambda self: True}, "expected `def is_terminal(self, state)`, got `def is_terminal(self)`"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("members", "said"), UNFINISHED.values(), ids=UNFINISHED)
def test_a_class_that_is_no_whole_game_is_named_with_its_mistake(members: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        play(type("Mine", (Pile,), members), [RandomBot, RandomBot])


class Grid(HTMLParser):
    """Collects the tags of a text and the attributes of the first one."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.first: dict[str, str | None] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.first = self.first or dict(attrs)
        self.tags.append(tag)


def test_a_record_prints_as_one_line() -> None:
    record = play("bomber", ["random", "random"], seed=3, params={"max_ticks": 5}).record
    assert repr(record) == f"<record {record.header.match_id}: bomber, {record.end.turns} turns, {record.end.reason}>"


def test_a_notebook_shows_a_match_as_its_replay_and_a_turn_as_its_board() -> None:
    turns: list[PlayedTurn] = []
    played = play("bomber", ["random", "random"], params={"max_ticks": 20}, on_turn=turns.append)
    frame = Grid(played._repr_html_())
    assert frame.tags == ["iframe"]  # all of the page is in one attribute
    assert (frame.first["srcdoc"], frame.first["sandbox"]) == (played.html(), "allow-scripts")
    assert frame.first["title"] == repr(played)
    assert Grid(turns[0]._repr_html_()).tags[0] == "svg"


def test_a_notebook_shows_a_game_that_is_not_installed_as_text() -> None:
    turns: list[PlayedTurn] = []
    played = play(Pile, [RandomBot, RandomBot], on_turn=turns.append)
    assert played._repr_html_() == f"<pre>{escape(repr(played))}</pre>"
    assert turns[0]._repr_html_() == f"<pre>{escape(str(turns[0]))}</pre>"
