"""`joust ask`: ask one bot one question of a match or of a file; print its answer, the cost and the bot's output."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from gridjoust import games
from gridjoust.commands.shared.arguments import (
    BotOptionsOption,
    BuildOption,
    CommandOption,
    JsonOption,
    ProtocolOption,
    mistakes_of,
)
from gridjoust.commands.shared.bot_argument import parse_pair, parse_program
from gridjoust.commands.shared.consent import YesOption, require_consent
from gridjoust.commands.shared.output import say
from gridjoust.games.api import AnyGame
from gridjoust.recorded import question as questions
from gridjoust.recorded.question import Answered, Question, judge, load_question, message_of
from gridjoust.recorded.session import Reply, bot_name, bot_output, entrant_alone, logs_of, open_session, plan_alone
from gridjoust.recorded.shown import excerpt_text
from gridjoust.recorded.source import entrant_at, load_source, resolve_record
from gridjoust.runner.config.values import ResourceLimits, RoleProgram, TimeLimits
from gridjoust.runner.plan import Backend, Plan
from gridjoust.runner.referee.messages import start_message
from gridjoust.runner.results.records.lines import FaultLine
from gridjoust.runner.results.replay import game_of
from gridjoust.runner.tournament import open_backend
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.protocol import Action, Start
from gridjoust.runner.wire.text import one_line, plain_text
from gridjoust.tournament import run_loop

MATCH = "asked"  # match id of a question without a `start` message
LEGAL = "legal"
SILENT = "no answer, which is no fault in this game"
SHOWN_ANSWERS = 5  # of an anytime bot, the last ones
A_DAY_MS = 86_400_000  # the start limit with `--debugger`


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question from a match or file, and the bot that is asked."""

    title: str
    program: RoleProgram
    question: Question
    folder: Path  # the bot's working folder


@dataclass(frozen=True, slots=True)
class _Outcome:
    """A bot's answer; `verdict` is `LEGAL`, `SILENT`, or what is wrong, beginning with the kind of fault."""

    answered: Answered
    output: list[str]  # lines that the bot wrote
    verdict: str


def ask(
    bot: Annotated[
        str | None, typer.Argument(help="A name, or file.py:Class; default with --record: the bot that played.")
    ] = None,
    game: Annotated[
        str | None, typer.Option(help="The game; needed for an observation without a start message.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="A match record, RESULTS/ID or ID: ask a question of this match.")
    ] = None,
    turn: Annotated[
        int | None, typer.Option(min=1, help="With --record: ask the seat's last question up to this turn.")
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(min=0, help="The seat; default: the one at fault in the turn, or the first that answered."),
    ] = None,
    observation: Annotated[
        Path | None,
        typer.Option(
            help="A question as JSON: a turn message (observation, seat, turn, legal, limit_ms; and start, the message"
            " at the start of the match), or an observation alone. --save writes such a file."
        ),
    ] = None,
    command: CommandOption = None,
    protocol: ProtocolOption = None,
    build: BuildOption = None,
    option: BotOptionsOption = None,
    param: Annotated[
        list[str] | None, typer.Option(help="With --observation: a parameter of the game; may be repeated.")
    ] = None,
    seats: Annotated[int | None, typer.Option(help="With --observation: number of seats.")] = None,
    save: Annotated[Path | None, typer.Option(help="With --record: write the question to this file.")] = None,
    debugger: Annotated[
        bool,
        typer.Option("--debugger", help="No time limits; a Python bot runs in this process, so breakpoint() works."),
    ] = False,
    yes: YesOption = False,
    as_json: JsonOption = False,
) -> int:
    """Ask one bot for its action in one recorded position; print answer, cost and the bot's output."""
    if record is not None and observation is not None:
        raise ConfigError("--observation: give --record or --observation, not both")
    if observation is not None:
        if save is not None:
            raise ConfigError("--save works only with --record")
        program = parse_program(bot, command=command, protocol=protocol, build=build, options=option or [])
        asked = _from_file(observation, program, game=game, params=param or [], seats=seats, seat=seat)
    elif record is not None:
        is_same = bot is None and command is None
        other = None
        if not is_same:
            other = parse_program(bot, command=command, protocol=protocol, build=build, options=option or [])
        asked = _from_record(record, other, game=game, turn=turn, seat=seat)
        if is_same:
            require_consent(asked.folder, [asked.program], is_given=yes)
        if save is not None:
            questions.save_question(save, asked.question.start, asked.question.message)
    else:
        raise ConfigError("say which position: --record FILE --turn N, or --observation FILE")
    outcome = _ask(asked, is_patient=debugger)
    (_print_json if as_json else _print)(asked, outcome)
    return 0 if outcome.verdict in (LEGAL, SILENT) else 1


def _from_record(
    path: Path, program: RoleProgram | None, *, game: str | None, turn: int | None, seat: int | None
) -> _Asked:
    """Return a question of a recorded match, for this program or, if None, for the bot that played."""
    if turn is None:
        raise ConfigError("--turn is missing: say which turn to ask about")
    source = load_source(resolve_record(path))
    record, header = source.record, source.record.header
    if game not in (None, header.game):
        raise ConfigError(f"--game: expected {header.game}, which was played in this match, got {game!r}")
    if seat is None:  # the lowest seat at fault in the turn, or else the lowest that answered
        at_fault = [line.seat for line in record.lines if isinstance(line, FaultLine) and line.turn == turn]
        seat = min(at_fault or [answer.seat for answer in record.answers if answer.turn == turn], default=0)
    entrant = entrant_at(source, seat)
    name, folder = entrant.bot, path.absolute().parent.parent
    if program is not None:
        entrant, name, folder = replace(entrant, program=program), bot_name(program), Path.cwd()
    if entrant.program.remote:
        raise ConfigError("BOT: a remote bot cannot be started here; name another bot")
    rules, key = game_of(record), source.config.run_key
    question = questions.question_of_record(record, entrant, rules, run_key=key, turn=turn, seat=seat)
    return _Asked(f"{name} in {header.variant}, match {header.match_id}", entrant.program, question, folder)


def _from_file(
    path: Path, program: RoleProgram, *, game: str | None, params: Sequence[str], seats: int | None, seat: int | None
) -> _Asked:
    held = load_question(path)
    start = held.start
    name = game or (start.game if start is not None else None)
    if name is None:
        raise ConfigError(f"--game is missing: {path} has no start message that names the game")
    if start is not None and name != start.game:
        raise ConfigError(f"--game: expected {start.game}, which the file's start names, got {name!r}")
    given = dict(parse_pair("--param", text) for text in params)
    with mistakes_of("ask"):
        if start is not None:  # a start message lacks hidden parameters; unknown ones are ignored
            known = games.load_game(name).spec.params
            given, seats = {key: value for key, value in start.params.items() if key in known}, start.seat_count
        made = games.make(name, given, seats=seats)
    told = start.seats[0] if start is not None and start.seats else 0
    seat = next(s for s in (seat, held.seat, told) if s is not None)
    if not 0 <= seat < made.seats:
        raise ConfigError(f"--seat: expected 0 to {made.seats - 1}, got {seat}")
    start = msgspec.structs.replace(start or _made_start(made, seat), options=dict(program.options))
    question = Question(made, start, (), message_of(held, match=start.match, seat=seat))
    return _Asked(f"{bot_name(program)} in {name}, {path}", program, question, Path.cwd())


def _made_start(game: AnyGame, seat: int) -> Start:
    """Make the `start` message of a match with seed 0, for a question from a file that has none."""
    deal, variant, time = game.initial_state(0), game.spec.name, TimeLimits()
    return start_message(game, deal, match_id=MATCH, variant=variant, seats=(seat,), bot_seed=0, time=time, options={})


def _ask(asked: _Asked, *, is_patient: bool) -> _Outcome:
    """Ask the bot in a tournament of its own; `is_patient`: without time limits."""
    limits = ResourceLimits(memory_mb=None) if is_patient else ResourceLimits()
    game = asked.question.start.game
    with tempfile.TemporaryDirectory(prefix="joust-ask-") as scratch:
        plan = plan_alone(asked.program, game=game, out=Path(scratch), folder=asked.folder, limits=limits)
        logs = logs_of(plan)
        answered = run_loop(_put(plan, asked, is_patient=is_patient))
        written, printed = bot_output(logs, bot_name(asked.program))
        return _Outcome(answered, printed + written, _verdict(asked.question, answered))


async def _put(plan: Plan, asked: _Asked, *, is_patient: bool) -> Answered:
    question = asked.question
    time = TimeLimits(start_ms=A_DAY_MS if is_patient else question.start.limits.start_ms)
    entrant = entrant_alone(plan, asked.program, seats=(question.message.seat,), time=time)
    async with (
        _open(plan, asked.program, is_patient=is_patient) as backend,
        open_session(plan, backend, entrant) as session,
    ):
        if is_patient:
            await _wait_for_debugger(session.pid)
        return await questions.put(question, session, is_patient=is_patient)


def _open(plan: Plan, program: RoleProgram, *, is_patient: bool) -> AbstractAsyncContextManager[Backend]:
    """Open the backend for the bot; with `is_patient` a Python bot runs in this process, so `breakpoint()` works."""
    if is_patient and program.command is None:
        from gridjoust.in_process import open_in_process

        return open_in_process(plan)
    return open_backend(plan)


async def _wait_for_debugger(pid: int | None) -> None:
    if pid is None:
        print(
            f"the bot runs in this process, pid {os.getpid()}: breakpoint() stops here; time limits are off",
            file=sys.stderr,
        )
        return
    print(f"the bot is process {pid}: attach a debugger; time limits are off", file=sys.stderr)
    if sys.stdin.isatty():
        await asyncio.to_thread(input, "Enter: put the question ")


def _verdict(question: Question, answered: Answered) -> str:
    reply = answered.reply
    if reply.is_silent and question.is_timed:
        return SILENT
    if problem := answered.problem or reply.problem:
        return problem
    assert reply.text is not None
    refusal, limit_ms = judge(question, reply.text), question.limit_ms
    if question.start.limits.clock == "cpu":
        return refusal or f"{LEGAL}; its limit is CPU time, which is measured in a match"
    work, most = _work_of(reply), question.limit_work
    if not refusal and most is not None and work > most:
        return f"late: {work} of {most} successors generated"
    if refusal or limit_ms is None or (reply.latency_ms or 0.0) <= limit_ms:
        return refusal or LEGAL
    return f"late: {reply.latency_ms:.0f} ms, limit {limit_ms} ms"


def _work_of(reply: Reply) -> int:
    """Return the work of the last answer, in successors, as the bot declares it; 0 if it declares none."""
    stats = reply.answers[-1].stats if reply.answers else None
    return 0 if stats is None else stats.work or 0


def _print(asked: _Asked, outcome: _Outcome) -> None:
    question, reply = asked.question, outcome.answered.reply
    message, recorded, limit_ms = question.message, question.recorded, question.limit_ms
    print(f"{plain_text(asked.title)}: seat {message.seat}, turn {message.turn}")
    print(f"told:      {excerpt_text(msgspec.to_builtins(message))}")
    if question.earlier:
        print(f"before:    {_earlier_text(question, outcome.answered)}")
    for answer in reply.answers[-SHOWN_ANSWERS:]:
        which = "answer:   " if answer is reply.answers[-1] else "earlier:  "
        print(f"{which} {one_line(answer.action)}{_cost_text(answer)}")
    if reply.latency_ms is not None:
        print(f"latency:   {reply.latency_ms:.1f} ms{f' of {limit_ms} ms' if limit_ms is not None else ''}")
    if recorded is not None:
        fault = f" ({recorded.fault})" if recorded.fault else ""
        print(f"recorded:  {one_line(recorded.action) or 'no action'}{fault}")
    say(f"verdict:   {one_line(outcome.verdict)}", indent=" " * 11)
    if outcome.output:
        print("its output:", *(f"    {plain_text(line)}" for line in outcome.output), sep="\n")


def _earlier_text(question: Question, answered: Answered) -> str:
    count = len(question.earlier)
    if question.is_timed:
        return f"{count} messages of the match"
    if not answered.differences:
        return f"{count} questions of the match, answered as recorded"
    first = answered.differences[0]
    return (
        f"{count} questions of the match, {len(answered.differences)} answered differently: first in turn {first.turn},"
        f" seat {first.seat}: {one_line(f'recorded {first.recorded}, now {first.now}')}"
    )


def _cost_text(answer: Action) -> str:
    stats = {} if answer.stats is None else msgspec.to_builtins(answer.stats)
    parts = [] if answer.planning_ms is None else [f"planning {answer.planning_ms:.1f} ms"]
    parts += [f"{name.replace('_', ' ')} {value:g}" for name, value in stats.items() if value is not None]
    return f"   ({', '.join(parts)})" if parts else ""


def _print_json(asked: _Asked, outcome: _Outcome) -> None:
    question, answered = asked.question, outcome.answered
    shown = {
        "title": asked.title,
        "message": question.message,
        "earlier": len(question.earlier),
        "differences": answered.differences,
        "answers": answered.reply.answers,
        "latency_ms": answered.reply.latency_ms,
        "recorded": question.recorded,
        "is_legal": outcome.verdict in (LEGAL, SILENT),
        "verdict": outcome.verdict,
        "output": outcome.output,
    }
    print(json.dumps(msgspec.to_builtins(shown)))
