"""`joust doctor`: is this bot fit to play? Starts it as a tournament would and says what went wrong, and where."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer

from gridjoust import games
from gridjoust.commands.arguments import (
    BotOptionsOption,
    BuildOption,
    CommandOption,
    JsonOption,
    ProtocolOption,
    TrustOption,
    mistakes_of,
)
from gridjoust.commands.bot_argument import ask_command, format_program, game_of_program, parse_pair, parse_program
from gridjoust.conformance.bot_matches import places_of
from gridjoust.games.api import AnyGame, Seat
from gridjoust.recorded.backend import bot_name
from gridjoust.recorded.findings import Case, Finding, Verdict, find_all, latencies_ms, verdict_of
from gridjoust.recorded.length import default_matches
from gridjoust.recorded.run import OPPONENT, Evidence, Subject, examine, make_doctor_plan
from gridjoust.recorded.shown import histogram, one_line, quantiles
from gridjoust.runner.config.resolved import RESOLVED
from gridjoust.runner.config.values import ResourceLimits, TimeLimits
from gridjoust.runner.results.records.file import record_path
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.text import plain_text
from gridjoust.tournament import run_loop

LEAST_GRACE_MS = 50
LETTERS = 300  # of a line of the bot's log


def doctor(
    bot: Annotated[
        str | None, typer.Argument(help="A name, file.py:Class, or file.py if it holds one bot; or see --command.")
    ] = None,
    game: Annotated[str | None, typer.Option(help="The game; default: the one that the bot says it plays.")] = None,
    command: CommandOption = None,
    protocol: ProtocolOption = None,
    build: BuildOption = None,
    option: BotOptionsOption = None,
    param: Annotated[list[str] | None, typer.Option(help="A parameter of the game, name=value.")] = None,
    seats: Annotated[int | None, typer.Option(help="How many seats; default: the game's fewest.")] = None,
    role: Annotated[list[str] | None, typer.Option(help="Only this role is the bot's; may be repeated.")] = None,
    against: Annotated[str, typer.Option(help="Who plays in the other seats.")] = "random",
    matches: Annotated[
        int | None,
        typer.Option(min=1, help="How many matches, each place in turn; default: 1 to 4, by their length."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Other matches.")] = 1,
    turn_ms: Annotated[int, typer.Option(min=1, help="Time for an answer.")] = 100,
    start_ms: Annotated[int, typer.Option(min=1, help="Time to start, and to get ready for a match.")] = 10_000,
    out: Annotated[Path, typer.Option(help="Records and logs go to doctor-<bot>/ in it.")] = Path("results"),
    trust: TrustOption = False,
    as_json: JsonOption = False,
) -> int:
    """Examine a bot: protocol, legality, time, determinism, memory, manners; what goes wrong is shown where it does."""
    program = parse_program(bot, command=command, protocol=protocol, build=build, options=option or [])
    try:
        opponent = parse_program(against, command=None)
    except ConfigError as error:
        raise ConfigError(str(error).replace("BOT", "--against", 1)) from None
    params = dict(parse_pair("--param", text) for text in param or [])
    with mistakes_of("doctor"):
        made = games.make(game or game_of_program(program), params, seats=seats)
    places = _places(made, role or [])
    name = bot_name(program)
    subject = Subject(
        name=f"my-{name}" if name.startswith(OPPONENT) else name,  # not to be taken for one of the others
        program=program,
        game=made,
        places=places,
        opponent=opponent,
        matches=default_matches(made, places=len(places)) if matches is None else matches,
        seed=seed,
        time=TimeLimits(
            turn_ms=turn_ms,
            start_ms=start_ms,
            grace_ms=max(LEAST_GRACE_MS, turn_ms // 2),  # rather void than a bot blamed for a busy machine
        ),
        limits=ResourceLimits(),
        folder=Path.cwd(),
        is_trusted=trust,
    )
    folder = out / f"doctor-{subject.name}"
    _make_room(folder)
    steps = Steps(shown=not as_json)
    try:
        evidence = run_loop(examine(subject, make_doctor_plan(subject, folder), on_step=steps.begin))
    finally:
        steps.end()
    findings = find_all(evidence)
    (_print_json if as_json else _print)(evidence, findings, folder)
    return 0 if _is_fit(findings) else 1


class Steps:
    """What is done now and how long the last thing took: a line each, on standard error."""

    def __init__(self, *, shown: bool) -> None:
        self._shown = shown
        self._began_s: float | None = None

    def begin(self, what: str) -> None:
        """The step before has ended."""
        self.end()
        self._began_s = time.monotonic()
        if self._shown:
            print(f"{what} ...", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """All is done."""
        if self._shown and self._began_s is not None:
            print(f" {time.monotonic() - self._began_s:.1f} s", file=sys.stderr, flush=True)
        self._began_s = None


def _places(game: AnyGame, roles: Sequence[str]) -> tuple[tuple[Seat, ...], ...]:
    """What a bot holds together: a team, or its seats of some roles."""
    known = tuple(dict.fromkeys(game.roles))
    for role in roles:
        if role not in known:
            expected = f"one of {', '.join(known)}" if known != ("",) else f"none, as {game.spec.name} has no roles"
            raise ConfigError(f"--role: expected {expected}, got {role!r}")
    return places_of(game, roles)


def _make_room(out: Path) -> None:
    """An examination replaces the one before; nothing else is ever deleted."""
    if not out.exists():
        return
    if not (out / RESOLVED).is_file() or f"tournament: {out.name}" not in (out / RESOLVED).read_text("utf-8"):
        raise ConfigError(f"{out}: expected nothing, or an earlier examination, got something else")
    shutil.rmtree(out)


def _is_fit(findings: Mapping[str, Finding]) -> bool:
    return not any(finding.verdict is Verdict.FAIL for finding in findings.values())


def _print(evidence: Evidence, findings: Mapping[str, Finding], out: Path) -> None:
    print(f"{format_program(evidence.subject.program)} in {evidence.subject.game.spec.name}")
    for check, finding in findings.items():
        word = "FAIL" if finding.verdict is Verdict.FAIL else finding.verdict.value
        print(f"{word}  {check:<9} {one_line(finding.sentence)}")
        for case in finding.cases:
            _print_case(case, evidence.subject, out)
    times_ms = latencies_ms(evidence)
    if (found := quantiles(times_ms)) is not None:
        p50, p95, slowest = (f"{time_ms:.2f} ms" for time_ms in (found.p50_ms, found.p95_ms, found.max_ms))
        print(f"\nlatency of {len(times_ms)} answers: p50 {p50}, p95 {p95}, max {slowest}")
        print("\n".join(histogram(times_ms)))
    if evidence.log.last_lines and not _is_fit(findings):
        print("\nits last words:", *(f"    {line}" for line in _folded(evidence.log.last_lines)), sep="\n")
    if result := _result(evidence):
        print(f"\n{result}")
    print(f"\nverdict: {verdict_of(findings)}\nrecords and logs: {out}")


def _print_case(case: Case, subject: Subject, out: Path) -> None:
    print(f"        seat {case.seat}, turn {case.turn}, match {case.match_id}: {one_line(case.detail)}")
    if case.message is not None:
        print("        it saw", *(f"            {plain_text(line)}" for line in case.board.splitlines()), sep="\n")
        print(f"        it answered    {one_line(case.answer) or 'nothing'}")
        print(f"        once more      {_ask_command(case, subject, out)}")


def _folded(lines: Sequence[str]) -> Iterator[str]:
    """The lines, with their indentation; equal ones in a row are one with their number."""
    for line, alike in groupby(lines):
        count = len([*alike])
        yield plain_text(line.expandtabs(4), limit=LETTERS) + (f"  ({count} times)" if count > 1 else "")


def _ask_command(case: Case, subject: Subject, out: Path) -> str:
    return ask_command(record_path(out, case.match_id), turn=case.turn, seat=case.seat, program=subject.program)


def _result(evidence: Evidence) -> str:
    """How it did, which is no check: who plays legal nonsense is fit to play. "" without a match."""
    subject = evidence.subject
    own = [(record.end, subject.seats_in(record)[0]) for record in evidence.records if record.end.counted]
    points = [end.points[seat] for end, seat in own]
    if not points:
        return ""
    if None in points:
        returns = [end.returns[seat] for end, seat in own]
        return f"returns alone: {', '.join('none' if value is None else f'{value:g}' for value in returns)}"
    won, lost = points.count(1.0), points.count(0.0)
    against = subject.opponent.bot or subject.opponent.path
    return f"against {against}: {won} won, {len(points) - won - lost} drawn or between, {lost} lost"


def _print_json(evidence: Evidence, findings: Mapping[str, Finding], out: Path) -> None:
    subject, found = evidence.subject, quantiles(latencies_ms(evidence))
    shown = {
        "bot": format_program(subject.program),
        "game": subject.game.spec.name,
        "matches": len(evidence.records),
        "is_fit": _is_fit(findings),
        "verdict": verdict_of(findings),
        "findings": [
            {
                "check": check,
                "verdict": finding.verdict.value,
                "sentence": finding.sentence,
                "cases": [asdict(case) | {"ask": _ask_command(case, subject, out)} for case in finding.cases],
            }
            for check, finding in findings.items()
        ],
        "latency_ms": None if found is None else asdict(found),
        "output": list(evidence.log.last_lines),
        "results": str(out),
    }
    print(json.dumps(shown))
