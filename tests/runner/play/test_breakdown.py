"""An error of the runner or of the rules ends one match: void, its traceback kept, loud at the end; others count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import gridjoust
from gridjoust.games.bomber import Bomber, rules
from gridjoust.games.bomber.actions import parse_action
from gridjoust.in_process import open_in_process, open_memory_bus
from gridjoust.runner.plan import Plan
from gridjoust.runner.play.breakdown import check_unbroken, is_of_the_rules
from gridjoust.runner.play.clock import LagMonitor
from gridjoust.runner.results.records.file import read_record, record_path
from gridjoust.runner.results.replay import verify
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.errors import BugError
from tests.joust_here import joust
from tests.runner.memory_cup import Open, make_cup, play_cup
from tests.runner.test_tournament import broken_cup

BOTS = """
from pathlib import Path
from gridjoust.bots.api import Bot

class Bad(Bot):
    version = "poison"
    def act(self, observation):
        return "up" if observation.turn == 3 else "wait"

class Good(Bot):
    def act(self, observation):
        return "wait"
    def finish(self, end):
        Path(__file__).with_name("ends.txt").open("a").write(f"{end.termination}: {end.reason}\\n")
"""
CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 6}}]
format: {swap_seats: false}
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
execution: {isolation: none, parallel: 2}
bots: [{name: bad, path: bots.py:Bad}, {name: one, path: bots.py:Good}, {name: two, path: bots.py:Good}]
"""


@pytest.fixture
def cup(tmp_path: Path) -> Plan:
    (tmp_path / "bots.py").write_text(BOTS)
    return make_cup(CUP, tmp_path)


def failing(original: Any, trigger: str | bytes, kind: type[Exception] = KeyError) -> Any:
    """The function with a bug: it fails at arguments in which the trigger occurs."""

    def call(*arguments: Any) -> Any:
        if trigger in arguments[-1]:
            raise kind("\x1b[2J no such cell")
        return original(*arguments)

    return call


RULES = (Bomber, "parse_action", failing(Bomber.parse_action, "up"))
READING = (protocol, "decode_from_bot", failing(protocol.decode_from_bot, b"poison"))
OS_ERROR = (rules, "parse_action", failing(parse_action, "up", FileNotFoundError))
BUGS: dict[str, tuple[tuple[Any, str, Any], Open, int]] = {
    "the rules, bots called directly": (RULES, open_in_process, 0),
    "the rules, over a bus": (RULES, open_memory_bus, 6),
    "an error of the system in the rules": (OS_ERROR, open_memory_bus, 6),
    "a message, while the match begins": (READING, open_memory_bus, 6),
}


@pytest.mark.gate
@pytest.mark.parametrize(("bug", "open_it", "told"), BUGS.values(), ids=BUGS)
async def test_only_the_matches_of_the_bot_that_meets_the_bug_are_void_until_it_is_mended(
    bug: tuple[Any, str, Any], open_it: Open, told: int, cup: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(*bug)
        played = await play_cup(cup, open_it=open_it)
    ends = (cup.out.parents[1] / "ends.txt").read_text()
    assert ends.count("void: ") == told  # two matches, three attempts each; not what the error says: it may be secret
    assert "no such cell" not in ends
    said = "FileNotFoundError: ?[2J no such cell" if bug is OS_ERROR else "KeyError: '\\x1b[2J no such cell'"
    broken = [one for one in played if one.record.end.termination.value == "void"]
    others = [one.record for one in played if one not in broken]
    assert [sorted(seat.bot for seat in record.header.seats) for record in others] == [["one", "two"]]
    for one in broken:
        file = f"logs/{one.pairing.match_id}.traceback"
        assert one.record.end.reason.endswith(f"traceback in {file}: {said}")
        assert "Traceback (most recent call last)" in (cup.out / file).read_text()
        assert verify(read_record(record_path(cup.out, one.pairing.match_id))) is None
    with pytest.raises(BugError, match="2 matches broke off"):
        check_unbroken(cup.out)
    again = await play_cup(cup, resume=True, open_it=open_it)
    assert [one.is_new for one in again] == [one in broken for one in played]
    assert all(one.record.end.counted for one in again)
    check_unbroken(cup.out)


def test_an_error_is_of_the_rules_if_it_came_from_any_file_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        parse_action([])  # type: ignore[arg-type]
    except TypeError as error:
        of_bomber = error
    assert [is_of_the_rules(of_bomber, game) for game in ("bomber", "navigation")] == [True, False]
    for module, expected in (("bomber", False), (__name__, True), (f"{__name__}.rules", True), ("tests", True)):
        monkeypatch.setattr(
            "gridjoust.games.load_game", lambda _, module=module: type("Game", (), {"__module__": module})
        )
        assert is_of_the_rules(of_bomber, "a plug-in") is expected


def test_of_several_tracebacks_the_first_is_told(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    place = '  File "/rules/{}.py", line 7, in apply\n    do()\n'
    for name, error in (("b", "KeyError: 1"), ("a", "ValueError: 2")):
        (tmp_path / "logs" / f"{name}.traceback").write_text(f"Traceback:\n{place.format(name)}{error}\n")
        (tmp_path / "logs" / f"{name}.log").write_text("")
    told = r"2 matches broke off .*: ValueError: 2 \(a\.py line 7, in apply\); traceback: .*a\.traceback$"
    with pytest.raises(BugError, match=told):
        check_unbroken(tmp_path)
    (tmp_path / "logs" / "a.traceback").unlink()
    with pytest.raises(BugError, match=r"^1 match broke off .*: KeyError: 1 \(b\.py line 7, in apply\)"):
        check_unbroken(tmp_path)


@pytest.mark.gate
async def test_rules_that_fail_at_the_deal_leave_a_record_that_verify_refuses_in_one_line(
    cup: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Bomber, "initial_state", lambda self, seed: dict[str, int]()["deal"])
    assert [one.record.end.termination.value for one in await play_cup(cup)] == ["void"] * 3
    shown = joust("verify", "results/cup", folder=cup.out.parents[1]).stderr
    assert shown.count(".jsonl: the rules failed: KeyError('deal')\n") == 3


async def test_an_error_of_the_system_outside_the_rules_ends_the_run(
    cup: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "decode_from_bot", failing(protocol.decode_from_bot, b"poison", FileNotFoundError))
    with pytest.raises(BaseExceptionGroup) as group:
        await play_cup(cup, open_it=open_memory_bus)
    assert group.value.subgroup(FileNotFoundError) is not None


@pytest.mark.gate
@pytest.mark.usefixtures("cup")
def test_a_run_from_python_says_where_the_traceback_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*OS_ERROR)
    with pytest.raises(BugError, match=r"2 matches broke off on an error .*; traceback: .*\.traceback$"):
        gridjoust.run(tmp_path / "cup.yaml", out=tmp_path / "results")


@pytest.mark.gate
@pytest.mark.usefixtures("cup")
def test_the_run_ends_with_exit_code_4_and_lists_what_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(*RULES)
    done = joust("run", "cup.yaml", folder=tmp_path)
    assert done.returncode == 4
    assert "joust: 2 matches broke off on an error of the runner or the rules: KeyError: " in done.stderr
    assert " no such cell' (test_breakdown.py line " in done.stderr
    assert "3 matches: 2 void, 1 completed\n2 void, not counted; --resume plays them again:\n" in done.stdout
    assert done.stdout.count("no such cell") == 2
    assert "report: results/cup/report.html" in done.stdout


@pytest.mark.gate
async def test_a_match_void_three_times_for_lag_does_not_count_and_is_played_again_on_resumption_unlike_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, late_ms = make_cup(broken_cup(tmp_path, "Slow", rounds=2, turn_ms=10), tmp_path), 0.0
    monkeypatch.setattr(LagMonitor, "lag_ms", lambda self, asked, due: late_ms)
    first, *others = await play_cup(plan)
    record_path(plan.out, first.pairing.match_id).unlink()
    for late_ms, *expected in ((999.0, "void", False, 3), (0.0, "late", True, 4)):  # noqa: B007 - read above
        found = await play_cup(plan, resume=True)
        assert [one.is_new for one in found] == [True, *(False for _ in others)]
        end = found[0].record.end
        assert [end.termination.value, end.counted, found[0].record.usage.attempts] == expected
