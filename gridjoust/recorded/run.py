"""Runs the tests of `joust doctor`: start a bot, play matches, ask its questions again, and stop it.

Everything is as in a tournament: real processes, broker and referee. The result is `Evidence`, which
`gridjoust.recorded.findings` turns into findings.
"""

from __future__ import annotations

import random
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, takewhile
from pathlib import Path

import msgspec

from gridjoust.games.api import AnyGame, Seat
from gridjoust.games.play import moments
from gridjoust.recorded.bot_text import Hints, hints_of
from gridjoust.recorded.session import (
    ChangedAnswer,
    Reply,
    Session,
    Shutdown,
    bot_entry,
    bot_output,
    changed_answer,
    logs_of,
    open_session,
    patience_ms,
)
from gridjoust.recorded.transcript import Exchange, exchanges_with, start_of
from gridjoust.runner.broker import Account
from gridjoust.runner.config.values import Execution, GameEntry, ResourceLimits, RoleProgram, TimeLimits, Tournament
from gridjoust.runner.plan import Backend, Plan, PreparedPlan, plan_pairings, prepare_folder
from gridjoust.runner.play.breakdown import check_unbroken
from gridjoust.runner.play.heading import start_for
from gridjoust.runner.play.launch import Launcher, Running, command_of
from gridjoust.runner.play.link import refusal_of
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.schedule import Entrant, Pairing, single_pairing
from gridjoust.runner.seeds import keyed_id, match_seed
from gridjoust.runner.table_sink import Played
from gridjoust.runner.tournament import open_backend, run_tournament
from gridjoust.runner.wire.protocol import End, Ready, Start, TurnMessage

OPPONENT = "opponent"
REPEATED_MATCHES = 2  # matches whose questions a fresh process is asked again
LAST_LINES = 16  # kept of the end of the bot's output
REPEATED_QUESTIONS = 300  # limit per match
STDOUT = ".stdout"  # suffix of the file beside a bot's log
LINE = 300  # shown characters of a line
MOST_MATCHES = 4
TURNS = 1200  # wanted in all matches together, roughly
TURN_BASED = ("sequential", "simultaneous")


@dataclass(frozen=True, slots=True)
class Subject:
    """The bot that `joust doctor` tests, its game, and the extent of the tests."""

    name: str
    program: RoleProgram
    game: AnyGame
    places: tuple[tuple[Seat, ...], ...]  # groups of seats that the bot holds at once, one group per match in turn
    opponent: RoleProgram
    matches: int
    seed: int
    time: TimeLimits
    limits: ResourceLimits
    folder: Path  # the bots' working folder
    is_trusted: bool = True  # no sandbox
    is_confined: bool = False  # all in the sandbox; what the bot prints is then in its log alone

    def seats_in(self, record: MatchRecord) -> tuple[Seat, ...]:
        """Return the bot's seats in a match."""
        return tuple(seat for seat, entry in enumerate(record.header.seats) if entry.bot == self.name)


@dataclass(frozen=True, slots=True)
class Handshake:
    """The bot's startup. Times are None for steps that it did not reach; `problem` is "" after success."""

    ready: Ready | None
    started_ms: float | None
    seated_ms: float | None  # from a match's start to `ready` for it
    problem: str


@dataclass(frozen=True, slots=True)
class Repeat:
    """The answers to a match's questions that were asked again in a fresh process; `problem`: why that failed."""

    match_id: str
    asked: int
    is_anytime: bool  # the bot sent answers before its final one
    differences: tuple[ChangedAnswer, ...]
    problem: str


@dataclass(frozen=True, slots=True)
class LogNotes:
    """A summary of what the tested bot's processes wrote to their logs."""

    printed: tuple[str, ...]  # lines on standard output
    stderr_bytes: int
    tracebacks: int
    last_lines: tuple[str, ...]


@dataclass(slots=True)
class Evidence:
    """The results of all tests of a bot; those after a failed start are empty."""

    subject: Subject
    handshake: Handshake
    records: list[MatchRecord] = field(default_factory=list)
    repeats: list[Repeat] = field(default_factory=list)
    shutdowns: list[Shutdown] = field(default_factory=list)
    left_behind: list[str] = field(default_factory=list)
    log: LogNotes = LogNotes((), 0, 0, ())
    hints: Hints = field(default_factory=Hints)


def make_doctor_plan(subject: Subject, out: Path) -> Plan:
    """Plan the matches of the tests; results and logs go to `out`."""
    game = subject.game
    opponents = max(len(_groups(game, place)) for place in subject.places) - 1
    names = [f"{OPPONENT}-{number}" for number in range(1, opponents + 1)]
    config = Tournament(
        tournament=out.name,
        games=(GameEntry(game=game.spec.name, params=dict(game.params), seats=game.seats),),
        bots=(
            bot_entry(subject.name, subject.program, subject.limits),
            *(bot_entry(name, subject.opponent) for name in names),
        ),
        seed=subject.seed,
        time=subject.time,
        execution=Execution(parallel=1, isolation="sandbox" if subject.is_confined else "auto"),
    )
    pairings = [_pairing(subject, number, config.run_key) for number in range(subject.matches)]
    return plan_pairings(config, out, folder=subject.folder, pairings=pairings, trust=not subject.is_confined)


OnStep = Callable[[str], object]
OpenBackend = Callable[[Plan], AbstractAsyncContextManager[Backend]]


async def examine(subject: Subject, plan: Plan, *, on_step: OnStep = lambda _: None) -> Evidence:
    """Run all tests of a bot, or only the start if it fails. `on_step` gets the name of each step before it begins."""
    on_step("start")
    prepared = prepare_folder(plan, resume=False)
    shutdowns: list[Shutdown] = []
    started: list[Running] = []
    open_it = partial(open_splitting, bot=subject.name, started=started, splits=not subject.is_confined)
    async with open_it(prepared) as backend:
        prepared = replace(prepared, loaded=backend.loaded)  # nothing is built again
        evidence = Evidence(subject, await _greet(subject, prepared, backend, shutdowns), shutdowns=shutdowns)
    if not evidence.handshake.problem and not subject.is_trusted and not subject.is_confined:
        evidence.handshake = await _greet_confined(subject, prepared, evidence.handshake)
    if not evidence.handshake.problem:
        played = await _play(subject, prepared, open_it, on_step)
        evidence.records = [match.record for match in played]
        on_step("asking the same questions again")
        async with open_it(prepared) as backend:
            await _ask_again(evidence, prepared, backend)
    evidence.left_behind = [process for running in started for process in (await running.wait()).left_behind]
    evidence.log, evidence.hints = _read_log(plan, subject.name), hints_of(subject.program)
    return evidence


async def _play(subject: Subject, plan: PreparedPlan, open_it: OpenBackend, on_step: OnStep) -> list[Played]:
    """Play the matches one after another."""
    played: list[Played] = []

    def enter(match: Played) -> None:
        played.append(match)
        if len(played) < subject.matches:
            on_step(f"match {len(played) + 1} of {subject.matches}")

    on_step(f"match 1 of {subject.matches}")
    async with open_it(plan) as backend:
        await run_tournament(plan, backend, on_played=enter)
    check_unbroken(plan.out)
    return played


def _groups(game: AnyGame, place: tuple[Seat, ...]) -> list[tuple[Seat, ...]]:
    """Return the seats of the tested bot, then those of each opponent.

    An opponent holds a team. Seats of the tested bot's own team that it does not hold are an opponent's too.
    """
    others = [seat for seat in range(game.seats) if seat not in place]
    teams = dict.fromkeys(game.teams[seat] for seat in others)
    return [place, *(tuple(seat for seat in others if game.teams[seat] == team) for team in teams)]


def _pairing(subject: Subject, number: int, key: bytes) -> Pairing:
    game, spec = subject.game, subject.game.spec
    place = subject.places[number % len(subject.places)]
    round_number = number // len(subject.places) + 1
    seed = match_seed(key, spec.name, "", round_number)
    identity = [spec.name, spec.version, dict(game.params), game.seats, seed, place]
    entrants = []
    for at, group in enumerate(_groups(game, place)):
        name, program = (f"{OPPONENT}-{at}", subject.opponent) if at else (subject.name, subject.program)
        entrants.append(Entrant(name, program, "", group, subject.time, subject.limits))
    return single_pairing(
        game,
        tuple(entrants),
        index=number,
        match_id=keyed_id(key, [*identity, subject.name]),
        round=round_number,
        pair_id=keyed_id(key, [*identity[:-1], subject.name]),
        seed=seed,
        schedule_reason="doctor",
    )


async def _greet(subject: Subject, plan: Plan, backend: Backend, shutdowns: list[Shutdown]) -> Handshake:
    """Start the bot, begin its first match, and stop the bot before any question."""
    pairing = next(plan.schedule(plan.loaded))
    async with open_session(plan, backend, pairing.entrants[0]) as session:
        ready, started_ms = session.ready, session.started_ms
        if ready is None:
            return Handshake(None, None, None, session.problem)
        if problem := session.problem or refusal_of(ready, subject.game.spec.name):
            return Handshake(ready, started_ms, None, problem)
        deal = subject.game.initial_state(pairing.seed)
        start = start_for(pairing.entrants[0], pairing, subject.game, deal, plan.loaded.config.run_key)
        problem, seated_ms = await session.begin(start, patience_ms=float(subject.time.start_ms))
        if problem:
            return Handshake(ready, started_ms, None, problem)
        shutdowns.append(await session.leave())
        return Handshake(ready, started_ms, seated_ms, "")


async def _greet_confined(subject: Subject, plan: Plan, alone: Handshake) -> Handshake:
    """Start the bot again, isolated as in a run without --trust; return `alone` if it becomes ready there too."""
    confined = replace(plan, trust=False)
    async with open_backend(confined) as backend:
        handshake = await _greet(subject, confined, backend, [])
    if not handshake.problem:
        return alone
    return replace(handshake, problem=f"as joust run starts it, without --trust: {handshake.problem}")


async def _ask_again(evidence: Evidence, plan: Plan, backend: Backend) -> None:
    """Ask a fresh process of the bot the questions of the first matches again, to find other answers; then stop it.

    The comparisons are added to `evidence.repeats`, its shutdown to `evidence.shutdowns`.
    """
    subject, entrant = evidence.subject, next(plan.schedule(plan.loaded)).entrants[0]
    async with open_session(plan, backend, entrant) as session:
        for record in evidence.records[:REPEATED_MATCHES]:
            if session.problem or session.has_ended:
                break
            session.mark(f"match {record.header.match_id}, its questions once more")
            own = replace(entrant, seats=subject.seats_in(record))
            start = start_of(record, own, run_key=plan.loaded.config.run_key)
            evidence.repeats.append(await _repeat(subject, record, start, session))
        if not session.has_ended:
            evidence.shutdowns.append(await session.leave())


async def _repeat(subject: Subject, record: MatchRecord, start: Start, session: Session) -> Repeat:
    problem, _ = await session.begin(start, patience_ms=float(subject.time.start_ms))
    replies: list[Reply] = []
    differences: list[ChangedAnswer] = []

    def compare(told: Exchange, reply: Reply) -> None:
        replies.append(reply)
        if (found := changed_answer(subject.game, told, reply.texts)) is not None:
            differences.append(found)

    if not problem and start.dynamics != "real_time":
        ended = await session.replay(
            takewhile(_is_comparable, islice(exchanges_with(record, start.seats), REPEATED_QUESTIONS)),
            compare,
            wait_ms=lambda told: patience_ms(told.message),
            until_final=start.dynamics != "ticked",
        )
        problem = "" if ended is None else ended[1].problem
    if not session.has_ended:
        end = msgspec.to_builtins(record.end)
        shown = {name: end[name] for name in ("termination", "reason", "returns", "ranks")}
        await session.tell(End(match=record.header.match_id, **shown))
    is_anytime = any(not answer.final for reply in replies for answer in reply.answers)
    return Repeat(record.header.match_id, len(replies), is_anytime, tuple(differences), problem)


def _is_comparable(told: Exchange) -> bool:
    """Return True if this message is a question with a recorded answer to compare with."""
    return told.recorded is not None and not told.recorded.fault and isinstance(told.message, TurnMessage)


def _read_log(plan: Plan, bot: str) -> LogNotes:
    logs = logs_of(plan)
    said, printed = bot_output(logs, bot)
    file = logs / f"{bot}.0{STDOUT}"
    printed += file.read_text(encoding="utf-8", errors="replace").splitlines() if file.is_file() else []
    text = "\n".join(said)
    return LogNotes(
        printed=tuple(printed),
        stderr_bytes=len(text.encode()),
        tracebacks=len(re.findall(r"^Traceback \(most recent call last\)", text, re.MULTILINE)),
        last_lines=(*printed[-LAST_LINES:], *said[-LAST_LINES:]),
    )


@dataclass(frozen=True, slots=True)
class SplittingLauncher:
    """A launcher that redirects the standard output of one bot to a separate file, and starts others as usual."""

    inner: Launcher
    bot: str
    logs: Path
    started: list[Running]  # of that bot
    splits: bool = True  # False: it only notes what it starts, as a bot in the sandbox may not write the file

    async def start(self, program: RoleProgram, *, slot: str, account: Account, limits: ResourceLimits) -> Running:
        """Start a bot; note its process if it is the tested one."""
        is_subject = slot.rpartition(".")[0] == self.bot
        if is_subject and self.splits and program.protocol != "stdio":
            # `exec`: the process that is measured and stopped is the bot, not the shell
            shell = ("/bin/sh", "-c", 'exec "$@" >>"$0"', str((self.logs / f"{slot}{STDOUT}").absolute()))
            program = msgspec.structs.replace(program, bot=None, path=None, command=(*shell, *command_of(program)))
        running = await self.inner.start(program, slot=slot, account=account, limits=limits)
        if is_subject:
            self.started.append(running)
        return running

    def log_tail(self, slot: str) -> str:
        """Return the last line of a bot's log, or else of its standard output."""
        file = self.logs / f"{slot}{STDOUT}"
        printed = file.read_text(encoding="utf-8", errors="replace").split("\n") if file.is_file() else []
        return self.inner.log_tail(slot) or next((line for line in reversed(printed) if line.strip()), "")[:LINE]


@asynccontextmanager
async def open_splitting(
    plan: Plan, *, bot: str, started: list[Running], splits: bool = True
) -> AsyncIterator[Backend]:
    """Yield a backend that keeps `bot`'s standard output out of its log; its processes are added to `started`.

    `splits`: False if it cannot, as the bot is in a sandbox.
    """
    async with open_backend(plan) as backend:
        launcher = SplittingLauncher(backend.launcher, bot, logs_of(plan), started, splits=splits)
        yield replace(backend, launcher=launcher)


def default_matches(game: AnyGame, *, places: int) -> int:
    """Return how many matches test a bot: 1 in a real-time game, else 1 to `MOST_MATCHES`.

    That is as many as have `TURNS` turns together, but at least one for each of the `places`, the groups of seats that
    the bot can hold.
    """
    if game.spec.dynamics.value not in TURN_BASED:
        return 1
    chance, turns = random.Random("doctor/length"), 0
    try:
        for _ in moments(game, lambda state, seat: chance.choice(game.legal_actions(state, seat)), max_turns=TURNS):
            turns += 1
    except Exception:  # a bug of the rules: the first match reports it
        return 1
    return max(min(places, MOST_MATCHES), min(MOST_MATCHES, TURNS // max(turns, 1)))
