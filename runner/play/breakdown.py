"""Matches that an error of the runner or of a game's rules ends: they are void, and a file keeps the traceback.

Such a match does not count, and the other matches continue. At the end of a tournament `check_unbroken` reports it.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from gridjoust import games
from gridjoust.games.api import AnyGame
from gridjoust.runner.play.heading import make_header, make_usage
from gridjoust.runner.processes.process import Usage
from gridjoust.runner.referee.messages import make_end
from gridjoust.runner.results.records.chain import open_chain, seal_end
from gridjoust.runner.results.records.lines import EndLine, MatchRecord, Termination
from gridjoust.runner.schedule import Pairing
from gridjoust.runner.wire.errors import BugError
from gridjoust.runner.wire.protocol import Ready
from gridjoust.runner.wire.text import plain_text

LOGS = "logs"  # folder within a tournament's results
_SUFFIX = ".traceback"
_MOST = 500  # characters of an error that reach the record


def is_of_the_rules(error: Exception, game: str) -> bool:
    """Return True if an error came from a game's own code, so that matches of other games can go on."""
    module = games.load_game(game).__module__
    package = module.rpartition(".")[0] or module
    names = (str(frame.f_globals.get("__name__")) for frame, _ in traceback.walk_tb(error.__traceback__))
    return any(name == package or name.startswith(f"{package}.") for name in names)


def keep_traceback(results: Path, match_id: str, error: Exception) -> str:
    """Write the traceback into a file; return the cause of the end as a sentence that names the file."""
    file = traceback_file(Path(), match_id)
    lines = "".join(traceback.format_exception(error)).splitlines()
    (results / file).write_text("\n".join([*map(plain_text, lines), ""]), encoding="utf-8")
    what = plain_text(f"{type(error).__name__}: {error}", limit=_MOST)
    return f"broke off on an error of the runner or the rules, traceback in {file.as_posix()}: {what}"


def traceback_file(results: Path, match_id: str) -> Path:
    """Return the path of the traceback of a match that broke off."""
    return results / LOGS / f"{match_id}{_SUFFIX}"


def broken_record(
    pairing: Pairing, reason: str, *, tournament: str, ready: Sequence[Ready | None], started: datetime, attempt: int
) -> MatchRecord:
    """Return the record of a match that an error of runner or rules has ended: start position and a void end."""
    game = games.make(pairing.game, dict(pairing.params), seats=pairing.seats)
    unknown = [Usage(None, None)] * len(pairing.entrants)
    duration_ms = (datetime.now(UTC) - started).total_seconds() * 1000
    usage = make_usage(pairing, started, duration_ms=duration_ms, attempt=attempt, before=unknown, after=unknown)
    header = make_header(pairing, game, tournament=tournament, ready=ready)
    return MatchRecord(header=header, lines=[], answers=[], usage=usage, end=_void_end(game, pairing.seed, reason))


def _void_end(game: AnyGame, seed: int, reason: str) -> EndLine:
    """Return a void end, sealed by the hash chain if the rules can still make the start position."""
    try:
        state = game.initial_state(seed)
        end = make_end(game, state, Termination.VOID, reason)
        chain = open_chain(game, seed=seed, initial_state=state)
    except Exception:  # the traceback that is kept is its own, too
        return make_end(game, None, Termination.VOID, reason)
    return seal_end(chain, end)


def tracebacks(results: Path) -> list[Path]:
    """Return the files with tracebacks of matches that broke off."""
    return sorted((results / LOGS).glob(f"*{_SUFFIX}"))


def check_unbroken(results: Path) -> None:
    """Raise BugError with the file of the traceback if a match of this run broke off."""
    if found := tracebacks(results):
        count = "1 match" if len(found) == 1 else f"{len(found)} matches"
        what = _error_of(found[0].read_text(encoding="utf-8"))
        raise BugError(f"{count} broke off on an error of the runner or the rules: {what}; traceback: {found[0]}")


def _error_of(text: str) -> str:
    """Return the error of a traceback's text, and the line of code that raised it."""
    error = text.rstrip().rpartition("\n")[2]
    places = re.findall(r'^ +File "(.+)", line (\d+), in (\S+)$', text, re.MULTILINE)
    return error + "".join(f" ({Path(file).name} line {line}, in {name})" for file, line, name in places[-1:])
