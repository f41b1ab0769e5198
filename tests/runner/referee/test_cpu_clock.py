"""Where CPU time is the limit: what is late on a machine that has other things to do, and who is to blame."""

from __future__ import annotations

from gridjoust.runner.config.values import TimeLimits
from gridjoust.runner.processes.history import Spent
from tests.doubles.games.reference import Numbers
from tests.runner.referee.court import Court

CPU = TimeLimits(turn_ms=100, clock="cpu")
BUSY = "the machine was busy for 400 of 500 ms"


class Machine:
    """What every entrant has used, moved by hand, and what it says of its waiting."""

    def __init__(self, *, is_busy: bool = False) -> None:
        self.cpu_ms = [1000.0, 2000.0]
        self.is_busy = is_busy

    def spent_of(self, entrant: int, exact: bool) -> Spent:
        return Spent(self.cpu_ms[entrant], 7.0)

    def wait_of(self, entrant: int, since_ms: float) -> str:
        return BUSY if self.is_busy and since_ms == 0 and entrant == 0 else ""


def court_on(machine: Machine, *, time: TimeLimits = CPU, lag_ms: float = 0.0) -> Court:
    """A match in which seat 1 has answered."""
    court = Court(
        Numbers(),
        time=time,
        spent_of=machine.spent_of,
        wait_of=machine.wait_of,
        lag_ms=lambda since, until: lag_ms if until > since else 0.0,
    )
    court.answer(1, "name 3")
    return court


def test_an_answer_counts_however_late_it_is_by_the_wall_as_long_as_cpu_time_is_left() -> None:
    machine = Machine()
    court = court_on(machine)
    assert court.questions[0].limit_ms == 100
    machine.cpu_ms[0] += 99
    court.wait(499)
    court.answer(0, "name 2")
    assert court.actions == [{"0": "name 2", "1": "name 3"}]
    assert (court.faults, court.answers[-1].cpu_ms, court.answers[-1].waited_ms) == ([], 99.0, 0.0)


def test_an_answer_that_took_too_much_cpu_time_is_late_however_soon_it_comes() -> None:
    machine = Machine(is_busy=True)
    court = court_on(machine)
    court.wait(60)
    machine.cpu_ms[0] += 101  # two threads
    court.answer(0, "name 2")
    assert [(line.seat, line.detail) for line in court.faults] == [(0, "no answer within 100 ms of CPU time")]
    assert court.answers[-1].cpu_ms == 101.0
    assert not court.is_over


def test_an_answer_may_take_all_of_the_cpu_time_and_no_more() -> None:
    for used_ms, faults in ((100.0, []), (100.001, ["late"])):
        machine = Machine()
        court = court_on(machine)
        machine.cpu_ms[0] += used_ms
        court.wait(60)
        court.answer(0, "name 2")
        assert court.fault_names(0) == faults


def test_who_burns_is_stopped_when_the_cpu_time_is_used_up_and_not_at_the_backstop() -> None:
    machine = Machine()
    court = court_on(machine)
    court.wait(99)
    machine.cpu_ms[0] += 60
    court.wait(1)
    assert court.referee.next_ms == 140
    machine.cpu_ms[0] += 40
    court.wait(40)
    assert court.fault_names(0) == ["late"]


def test_who_was_kept_waiting_by_the_machine_is_not_to_blame() -> None:
    machine = Machine(is_busy=True)
    court = court_on(machine)
    machine.cpu_ms[0] += 30
    court.wait(500)
    assert (court.end.termination.value, court.faults) == ("void", [])
    assert court.end.reason == f"{BUSY} when seat 0 had to answer"


def test_who_sleeps_on_a_machine_that_is_not_busy_is_late() -> None:
    machine = Machine()
    court = court_on(machine)
    machine.cpu_ms[0] += 30
    court.wait(499)
    assert court.faults == []
    court.wait(1)
    court.answer(1, "name 2")
    court.wait(500)
    silence = "no answer within 500 ms,"
    assert [line.detail for line in court.faults] == [
        f"{silence} 30 of 100 ms of CPU time used",
        f"{silence} 0 of 100 ms of CPU time used",
    ]


def test_the_bank_is_cpu_time_too() -> None:
    machine = Machine()
    court = court_on(machine, time=TimeLimits(turn_ms=100, bank_ms=50, increment_ms=5, clock="cpu"))
    machine.cpu_ms[0] += 120
    court.wait(400)
    court.answer(0, "name 2")
    assert court.faults == []
    assert (court.questions[0].limit_ms, court.questions[1].limit_ms) == (135, 155)


def test_a_better_answer_may_come_until_the_cpu_time_of_the_turn_is_used_up() -> None:
    machine = Machine()
    court = court_on(machine, time=TimeLimits(turn_ms=100, bank_ms=50, clock="cpu"))
    machine.cpu_ms[0] += 90
    court.wait(300)
    court.answer(0, "name 1", final=False)
    court.wait(5)
    court.answer(0, "name 2", seq=1, final=False)
    machine.cpu_ms[0] += 11
    court.answer(0, "name 3", seq=2, final=False)
    assert court.actions == [{"0": "name 2", "1": "name 3"}]
    assert court.faults == []


def test_the_bank_pays_for_nothing_but_first_answers() -> None:
    machine = Machine()
    court = court_on(machine, time=TimeLimits(turn_ms=100, bank_ms=50, clock="cpu"))
    court.answer(0, "name 1", final=False)
    machine.cpu_ms[0] += 130
    court.wait(100)
    assert court.actions == [{"0": "name 1", "1": "name 3"}]
    assert court.questions[0].limit_ms == 150
    machine.cpu_ms[0] += 120
    court.send(0, b"garbage")
    assert (court.fault_names(0), court.answers[-1].cpu_ms) == (["malformed"], 120.0)


def test_a_late_referee_excuses_under_this_clock_too() -> None:
    court = court_on(Machine(), lag_ms=80.0)
    court.wait(500)
    assert court.end.reason == "this machine was 80 ms late when seat 0 had to answer"


def test_with_the_wall_clock_cpu_time_is_recorded_and_judges_nobody() -> None:
    machine = Machine(is_busy=True)
    court = court_on(machine, time=TimeLimits(turn_ms=100))
    machine.cpu_ms[0] += 300
    court.answer(0, "name 2")
    assert (court.faults, court.answers[-1].cpu_ms) == ([], 300.0)
    court.wait(100)
    assert court.fault_names(0) == ["late"]


def test_where_nobody_can_measure_the_wall_clock_counts() -> None:
    court = Court(Numbers(), time=CPU)
    court.wait(100)
    assert court.fault_names(0) == ["late"]
    assert court.answers[0].cpu_ms is None
