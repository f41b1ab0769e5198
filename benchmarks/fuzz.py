"""Feed mutated messages and files to everything that reads foreign input; only documented exceptions are allowed.

`python -m benchmarks.fuzz [--messages N] [--seed S] [--only READER | --guided READER]`

The readers are the decoders of the protocol, records, questions of `joust ask`, the referee in live matches of all
games, and every kind of file that users provide. Some inputs are valid, so that matches go on. No input may take more
than `LIMIT_S` seconds or `LIMIT_MB`. Chance depends on the seed and the reader alone, so `--only` repeats a reader's
inputs. `--guided` keeps inputs that reach new code and mutates them further, up to the first fault; it needs atheris.
"""

from __future__ import annotations

import argparse
import itertools
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.figures import Figures
from benchmarks.fuzz_files import file_readers
from benchmarks.fuzz_guided import can_guide, run_guided
from benchmarks.mutations import mutate, mutate_text
from benchmarks.report import print_table
from gridjoust import games
from gridjoust.recorded.question import load_question, message_of, save_question
from gridjoust.runner.config.values import TimeLimits
from gridjoust.runner.referee.messages import start_message
from gridjoust.runner.results.records.chain import check_seal
from gridjoust.runner.results.records.file import list_records, parse_record
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.errors import ConfigError, ProtocolFault, RecordError
from gridjoust.runner.wire.protocol import Action, BotError, Hello, Ready, Start, Stats, Status, Stop
from tests.runner.referee.court import MATCH, Court

SAMPLES = Path(__file__).parents[1] / "results" / "sample"
ENDLESS = 10**9  # for the fault limit, and for milliseconds
STEP_MS = 3.0  # between two messages; as many messages as possible are then judged
SHOWN = 10
LIMIT_S, LIMIT_MB = 5.0, 500.0  # for one input; seconds of CPU time, because the machine may be busy
VALID_SHARE = 0.2  # share of unchanged messages in live matches


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader under test: `read` gets a mutated message; `allowed` are the exceptions that it may raise."""

    name: str
    share: int  # share of the messages
    valid: Callable[[random.Random], bytes]
    read: Callable[[bytes], object]
    allowed: tuple[type[Exception], ...] = ()
    mutate: Callable[[bytes, random.Random], bytes] = mutate


class LiveMatch:
    """A match of one game that starts again when it is over."""

    def __init__(self, game: str, rng: random.Random) -> None:
        self._game = games.make(game, {})
        self._rng = rng
        self._court = self._begin()

    def valid(self, rng: random.Random) -> bytes:
        """Return an answer to an open question, or one of the other messages."""
        questions = list(self._court.questions.values())
        if not questions or rng.random() < 0.02:
            return protocol.encode(rng.choice((Ready(protocol=1, match=MATCH), BotError(message="no", match=MATCH))))
        asked = rng.choice(questions)
        return protocol.encode(Action(match=MATCH, ask=asked.ask, seat=asked.seat, action=rng.choice(asked.legal)))

    def read(self, message: bytes) -> None:
        """Send one message from a random seat a moment later."""
        if self._court.is_over:
            self._court = self._begin()
        self._court.wait(STEP_MS)
        self._court.send(self._rng.randrange(self._game.seats), message)

    def _begin(self) -> Court:
        return Court(self._game, time=TimeLimits(turn_ms=ENDLESS), fault_limit=ENDLESS)


def readers(scratch: Path, rng: random.Random) -> list[Reader]:
    """Return all readers under test."""
    live = [(name, LiveMatch(name, rng)) for name in games.game_names()]
    return [
        Reader("messages from bots", 300, pick(from_bots()), protocol.decode_from_bot, (ProtocolFault,)),
        Reader("status", 100, pick([protocol.encode(Status(online=True))]), protocol.decode_status, (ProtocolFault,)),
        Reader("messages to bots", 150, pick(to_bots()), protocol.decode_to_bot, (ProtocolFault,)),
        Reader("records", 100, pick(record_lines()), read_record_line, (RecordError,)),
        Reader("questions", 50, pick(questions(scratch)), question_reader(scratch), (ConfigError,)),
        *(Reader(f"live {name}", 50, match.valid, match.read) for name, match in live),
        *(
            Reader(name, share, pick(examples), read, allowed, mutate_text)
            for name, share, examples, read, allowed in file_readers(scratch, rng)
        ),
    ]


def pick(messages: Sequence[bytes]) -> Callable[[random.Random], bytes]:
    """Return a function that picks one of the messages."""
    return lambda rng: rng.choice(messages)


def from_bots() -> list[bytes]:
    """Return one message of each kind that bots send."""
    action = Action(match=MATCH, ask=3, seat=0, action="wait", planning_ms=1.5, stats=Stats(expanded=4, plan_cost=2.0))
    ready = Ready(protocol=1, match=MATCH, planner="astar", plays=["bomber"], version="1", language="python")
    return [protocol.encode(message) for message in (action, ready, BotError(message="no plan", match=MATCH))]


def to_bots() -> list[bytes]:
    """Return the messages that a bot gets in every game."""
    sent: list[protocol.ToBot] = [Hello(protocol=1, run="r", bot="b"), Stop()]
    for name in games.game_names():
        court = Court(games.make(name, {}))
        sent += [make_start(name), *court.asked]
    return [protocol.encode(message) for message in sent]


def make_start(name: str) -> Start:
    """Return the start message for a bot in seat 0."""
    game = games.make(name, {})
    deal, limits = game.initial_state(1), TimeLimits()
    return start_message(
        game, deal, match_id=MATCH, variant=name, seats=(0,), bot_seed=1, time=limits, options={"depth": 3}
    )


def record_lines() -> list[bytes]:
    """Return lines of real records."""
    return [line for path in list_records(SAMPLES)[:3] for line in path.read_bytes().splitlines()]


def read_record_line(message: bytes) -> None:
    """Read a record with one replaced line, which takes the place of a valid one."""
    path = list_records(SAMPLES)[0]
    lines = path.read_bytes().splitlines()
    place = len(message) % len(lines)
    lines = [*lines[:1], message, *lines[-3:]] if place else [message, *lines[-3:]]
    raw = b"\n".join(lines)
    parse_record(path, raw)
    check_seal(path, raw)


def questions(scratch: Path) -> list[bytes]:
    """Return a question file of each game, as `joust ask --save` writes it."""
    made = []
    for name in games.game_names():
        save_question(scratch / "question.json", make_start(name), Court(games.make(name, {})).asked[0])
        made.append((scratch / "question.json").read_bytes())
    return made


def question_reader(scratch: Path) -> Callable[[bytes], None]:
    """Return a function that reads a question as `joust ask` does."""
    path = scratch / "question.json"

    def read(message: bytes) -> None:
        path.write_bytes(message)
        message_of(load_question(path), match=MATCH, seat=0)

    return read


def fuzz(reader: Reader, count: int, rng: random.Random, figures: Figures) -> None:
    """Give `count` messages to one reader; most of them are mutated."""
    for _ in range(count):
        message = reader.valid(rng)
        if rng.random() >= VALID_SHARE:
            message = reader.mutate(message, rng)
        figures.done[reader.name] += 1
        with noting(reader, message, figures):
            reader.read(message)


@contextmanager
def noting(reader: Reader, message: bytes, figures: Figures) -> Iterator[None]:
    """Note what the reader raises, and whether it passes the limits of time and memory."""
    before_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    signal.setitimer(signal.ITIMER_PROF, LIMIT_S)
    try:
        yield
        more_mb = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kb) / 1024
        if more_mb > LIMIT_MB:
            figures.fail(reader.name, f"{message[:300]!r} took {more_mb:.0f} MB")
    except reader.allowed:
        figures.done[f"{reader.name}: refused"] += 1
    except (Exception, _TooLongError):
        figures.fail(reader.name, f"{message[:300]!r}\n{traceback.format_exc()}")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


class _TooLongError(BaseException):
    """An input took too much time; it is a BaseException, so that no reader takes it for bad input."""


def run_over(_signal: int, _frame: object) -> None:
    """End an input that takes too long; it handles the signal SIGPROF."""
    raise _TooLongError(f"expected an end within {LIMIT_S:.0f} s")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; return 1 if an undocumented exception was raised."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz")
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--only", default="", help="name of the only reader to test, as in the table")
    which.add_argument("--guided", default="", help="name of the reader whose code atheris searches")
    asked = parser.parse_args(arguments)
    if asked.guided and not can_guide():
        parser.exit(2, "benchmarks.fuzz: --guided needs atheris: python -m pip install atheris\n")
    wanted = asked.only or asked.guided
    with tempfile.TemporaryDirectory() as scratch:
        everything = readers(Path(scratch), random.Random(asked.seed))
        chosen = [reader for reader in everything if wanted in ("", reader.name)]
        if not chosen:
            names = ", ".join(reader.name for reader in everything)
            parser.error(f"expected a reader, got {wanted!r} (readers: {names})")
        if asked.guided:
            return fuzz_guided(asked.guided, asked.messages, asked.seed)
        return fuzz_all(chosen, asked.messages, asked.seed)


def fuzz_all(chosen: Sequence[Reader], messages: int, seed: int) -> int:
    """Share the messages out among the readers; print the figures and return 1 if there was a fault."""
    figures, rows = Figures(), []
    signal.signal(signal.SIGPROF, run_over)
    shares = sum(reader.share for reader in chosen)
    counts = [messages * reader.share // shares for reader in chosen]
    counts[0] += messages - sum(counts)
    for reader, count in zip(chosen, counts, strict=True):
        began_s = time.perf_counter()
        fuzz(reader, count, random.Random(f"{seed}/{reader.name}"), figures)
        rate = count / (time.perf_counter() - began_s)
        refused = figures.done[f"{reader.name}: refused"] / max(1, count)
        rows.append((reader.name, str(count), f"{refused:.0%}", f"{rate:.0f}", str(figures.problems[reader.name])))
    heading = ("read by", "messages", "refused", "messages/s", "exceptions")
    total = ("all", str(messages), "", "", str(figures.problems.total()))
    print_table(f"{messages} mutated messages (seed {seed})", heading, [*rows, total])
    for detail in itertools.islice(figures.details, SHOWN):
        print(detail, file=sys.stderr)
    return min(figures.problems.total(), 1)


def fuzz_guided(name: str, count: int, seed: int) -> int:
    """Print the figures of a guided search; return 1 if it found a fault."""
    began_s = time.perf_counter()
    found = run_guided(name, count=count, seed=seed)
    rate = found.inputs / (time.perf_counter() - began_s)
    heading = ("read by", "messages", "branches of examples", "branches", "messages/s", "exceptions")
    row = (name, found.inputs, found.branches_before, found.branches, f"{rate:.0f}", int(found.finding != ""))
    print_table(f"{found.inputs} guided messages (seed {seed})", heading, [tuple(map(str, row))])
    if found.finding:
        repeat = f'python -m benchmarks.fuzz --guided "{name}" --messages {count} --seed {seed}'
        print(f"{found.finding}\nto repeat: {repeat}", file=sys.stderr)
    return int(found.finding != "")


if __name__ == "__main__":
    sys.exit(main())
