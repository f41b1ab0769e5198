"""`joust doctor`: test a bot as a tournament would run it, and show what went wrong and where."""

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
from gridjoust.commands.shared.arguments import (
    BotOptionsOption,
    BuildOption,
    CommandOption,
    JsonOption,
    ProtocolOption,
    TrustOption,
    mistakes_of,
)
from gridjoust.commands.shared.bot_argument import (
    format_program,
    game_of_program,
    parse_pair,
    parse_program,
)
from gridjoust.commands.shared.forfeits import ask_command
from gridjoust.commands.shared.output import say
from gridjoust.conformance.bot_matches import places_of
from gridjoust.games.api import AnyGame, Seat
from gridjoust.leaderboard.wording import plain_milliseconds, plural
from gridjoust.recorded.findings import Case, Finding, Verdict, find_all, latencies_ms, verdict_of
from gridjoust.recorded.run import OPPONENT, Evidence, Subject, default_matches, examine, make_doctor_plan
from gridjoust.recorded.session import bot_name
from gridjoust.recorded.shown import histogram, quantiles
from gridjoust.runner.config.load import RESOLVED
from gridjoust.runner.config.values import ResourceLimits, TimeLimits
from gridjoust.runner.results.records.file import record_path
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.text import one_line, plain_text
from gridjoust.tournament import run_loop

LEAST_GRACE_MS = 50
LETTERS = 300  # shown of a line of the bot's log


def doctor(
    bot: Annotated[
        str | None, typer.Argument(help="A name, file.py:Class, or file.py if it contains one bot; or use --command.")
    ] = None,
    game: Annotated[str | None, typer.Option(help="The game; default: the one in the bot's `plays`.")] = None,
    command: CommandOption = None,
    protocol: ProtocolOption = None,
    build: BuildOption = None,
    option: BotOptionsOption = None,
    param: Annotated[list[str] | None, typer.Option(help="A parameter of the game, name=value.")] = None,
    seats: Annotated[int | None, typer.Option(help="Number of seats; default: the game's minimum.")] = None,
    role: Annotated[list[str] | None, typer.Option(help="Test the bot in this role only; may be repeated.")] = None,
    against: Annotated[str, typer.Option(help="The bot in the other seats.")] = "random",
    matches: Annotated[
        int | None,
        typer.Option(min=1, help="Number of matches; the bot changes seats. Default: 1 to 4, fewer if they are long."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the matches.")] = 1,
    turn_ms: Annotated[int, typer.Option(min=1, help="Time limit for an answer, in ms.")] = 100,
    start_ms: Annotated[int, typer.Option(min=1, help="Time limit for the start and for match setup, in ms.")] = 10_000,
    out: Annotated[Path, typer.Option(help="Folder in which doctor-<bot>/ with records and logs is made.")] = Path(
        "results"
    ),
    trust: TrustOption = False,
    as_json: JsonOption = False,
) -> int:
    """Test a bot: startup, protocol, legal actions, time, determinism, memory, shutdown; show where it fails."""
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
        name=f"my-{name}" if name.startswith(OPPONENT) else name,  # opponents have names with this prefix
        program=program,
        game=made,
        places=places,
        opponent=opponent,
        matches=default_matches(made, places=len(places)) if matches is None else matches,
        seed=seed,
        time=TimeLimits(
            turn_ms=turn_ms,
            start_ms=start_ms,
            grace_ms=max(LEAST_GRACE_MS, turn_ms // 2),  # a busy machine makes a match void; the bot is not blamed
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
    """Prints progress to standard error: a line for each step, with the seconds that it took."""

    def __init__(self, *, shown: bool) -> None:
        self._shown = shown
        self._began_s: float | None = None

    def begin(self, what: str) -> None:
        """End the previous step and print the name of this one."""
        self.end()
        self._began_s = time.monotonic()
        if self._shown:
            print(f"{what} ...", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Print how long the last step took."""
        if self._shown and self._began_s is not None:
            print(f" {time.monotonic() - self._began_s:.1f} s", file=sys.stderr, flush=True)
        self._began_s = None


def _places(game: AnyGame, roles: Sequence[str]) -> tuple[tuple[Seat, ...], ...]:
    """Return the groups of seats that one bot holds in a match: teams, or the seats of some roles of a team."""
    known = tuple(dict.fromkeys(game.roles))
    for role in roles:
        if role not in known:
            expected = f"one of {', '.join(known)}" if known != ("",) else f"none, as {game.spec.name} has no roles"
            raise ConfigError(f"--role: expected {expected}, got {role!r}")
    return places_of(game, roles)


def _make_room(out: Path) -> None:
    """Delete the results of an earlier doctor run; ConfigError if the folder contains anything else."""
    if not out.exists():
        return
    if not (out / RESOLVED).is_file() or f"tournament: {out.name}" not in (out / RESOLVED).read_text("utf-8"):
        raise ConfigError(f"{out} exists and is not from an earlier `joust doctor` run; choose another --out")
    shutil.rmtree(out)


def _is_fit(findings: Mapping[str, Finding]) -> bool:
    return not any(finding.verdict is Verdict.FAIL for finding in findings.values())


def _print(evidence: Evidence, findings: Mapping[str, Finding], out: Path) -> None:
    print(f"{format_program(evidence.subject.program)} in {evidence.subject.game.spec.name}")
    for check, finding in findings.items():
        word = "FAIL" if finding.verdict is Verdict.FAIL else finding.verdict.value
        say(f"{word}  {check:<11} {one_line(finding.sentence)}", indent=" " * 18)
        for case in finding.cases:
            _print_case(case, evidence.subject, out)
        if finding.more:
            print(f"        and {finding.more} more")
    times_ms = latencies_ms(evidence)
    if (found := quantiles(times_ms)) is not None:
        p50, p95, slowest = map(plain_milliseconds, (found.p50_ms, found.p95_ms, found.max_ms))
        print(f"\nlatency of {len(times_ms)} answers: p50 {p50}, p95 {p95}, max {slowest}")
        print("\n".join(histogram(times_ms)))
    if evidence.log.last_lines and (evidence.log.tracebacks or not _is_fit(findings)):
        print("\nend of its log:", *(f"    {line}" for line in _folded(evidence.log.last_lines)), sep="\n")
    if result := _result(evidence):
        say(f"\n{result}")
    print(f"\nresult: {verdict_of(findings)}\nrecords and logs: {out}")


def _print_case(case: Case, subject: Subject, out: Path) -> None:
    say(f"        seat {case.seat}, turn {case.turn}, match {case.match_id}: {one_line(case.detail)}", indent=" " * 12)
    if case.message is not None:
        print("        it saw", *(f"            {plain_text(line)}" for line in case.board.splitlines()), sep="\n")
        print(f"        it answered    {one_line(case.answer) or 'nothing'}")
        print(f"        ask again      {_ask_command(case, subject, out)}")


def _folded(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines for a terminal: tabs expanded, long ones cut, equal neighbours as one line with their count."""
    for line, alike in groupby(lines):
        count = len([*alike])
        yield plain_text(line.expandtabs(4), limit=LETTERS) + (f"  ({count} times)" if count > 1 else "")


def _ask_command(case: Case, subject: Subject, out: Path) -> str:
    record, bot = record_path(out, case.match_id), format_program(subject.program)
    return ask_command(record, turn=case.turn, seat=case.seat, bot=bot)


def _result(evidence: Evidence) -> str:
    """Return the bot's wins, draws and losses, or its returns in a single-player game; "" without a match."""
    subject = evidence.subject
    own = [(record.end, subject.seats_in(record)[0]) for record in evidence.records if record.end.counted]
    points = [end.points[seat] for end, seat in own]
    if not points:
        return ""
    if None in points:
        returns = [end.returns[seat] for end, seat in own]
        return f"returns: {', '.join('none' if value is None else f'{value:g}' for value in returns)}"
    wins, losses = points.count(1.0), points.count(0.0)
    against = subject.opponent.bot or subject.opponent.path
    between = plural(len(points) - wins - losses, "draw" if set(points) <= {0.0, 0.5, 1.0} else "middle rank")
    return f"against {against}: {plural(wins, 'win')}, {between}, {plural(losses, 'loss')}"


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
                "more": finding.more,
                "cases": [asdict(case) | {"ask": _ask_command(case, subject, out)} for case in finding.cases],
            }
            for check, finding in findings.items()
        ],
        "latency_ms": None if found is None else asdict(found),
        "output": list(evidence.log.last_lines),
        "results": str(out),
    }
    print(json.dumps(shown))
