"""Repeats matches in a new interpreter with another hash seed, to find dependence on set order or process memory.

There is one interpreter per game or bot. It reads a job from standard input and writes digests to standard output; the
output of the tested code goes to standard error.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from gridjoust.conformance.matches import PlayedMatch, Style, play_match
from gridjoust.conformance.subject import Case, Subject, Target, Variant, find_class, spread, target_of
from gridjoust.games.api import AnyGame

LIMIT_S = 300.0
VIEWED_MOMENTS = 12
_START = (
    "import sys, json; job = sys.stdin.buffer.read(); sys.path[:] = json.loads(job)['path'];"
    "from gridjoust.conformance import fresh; fresh.do_job(job)"
)

_ENCODER = msgspec.json.Encoder(enc_hook=lambda value: type(value).__name__)  # whether it is JSON is another check


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """The job of the other Python process; `work` names its function, `module:function`, from job to digest lists."""

    path: list[str]
    work: str
    game: Target
    variants: list[tuple[tuple[tuple[str, Any], ...], int]]  # (parameters, seats)
    seed: int
    bot: Target | None = None
    seats: tuple[int, ...] = ()  # held by the bot
    options: dict[str, Any] = {}  # of the bot

    def cases(self) -> list[Case]:
        """Return the variants to play, with their seeds."""
        game_class = find_class(self.game)
        return [Case(game_class, Variant(params, seats), (self.seed,)) for params, seats in self.variants]


def digests_elsewhere(cases: Sequence[Case], *, work: str, **bot: Any) -> list[list[str]]:
    """Return the digests of each case's match on its first seed, computed by another Python process.

    There is at least one case. `work` and `bot` (its class's target, seats, options) as in `Job`. ValueError if the
    process fails or cannot find a class.
    """
    variants = [(case.variant.params, case.variant.seats) for case in cases]
    game, seed = target_of(cases[0].game_class), cases[0].seeds[0]
    job = Job(path=sys.path, work=work, game=game, variants=variants, seed=seed, **bot)
    held = os.environ.get("PYTHONHASHSEED")
    environment = {**os.environ, "PYTHONHASHSEED": "1" if held != "1" else "2"}
    command = [sys.executable, "-P", "-c", _START]
    try:
        done = subprocess.run(
            command, input=msgspec.json.encode(job), capture_output=True, env=environment, timeout=LIMIT_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise ValueError(f"expected an answer within {LIMIT_S:g} s, got none") from None
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["nothing on standard error"]
        raise ValueError(f"expected exit code 0, got {done.returncode}: {last[0]}")
    return msgspec.json.decode(done.stdout, type=list[list[str]])


def do_job(payload: bytes) -> None:
    """Run a job and print its digests; this runs in a fresh Python process."""
    job = msgspec.json.decode(payload, type=Job)
    module, _, function = job.work.partition(":")
    with contextlib.redirect_stdout(sys.stderr):
        digests = getattr(importlib.import_module(module), function)(job)
    sys.stdout.buffer.write(msgspec.json.encode(digests))


def game_digests(job: Job) -> list[list[str]]:
    """Return the digests of one seeded match for every variant, a digest per state."""
    return [digest_match(case.game, play_match(case.game, job.seed, Style.RANDOM)) for case in job.cases()]


def fresh_interpreter_plays_the_same(subject: Subject) -> Iterator[str]:
    """Check that an interpreter with another PYTHONHASHSEED plays the same turns with the same states and views."""
    if not subject.cases:
        return
    try:
        elsewhere = digests_elsewhere(subject.cases, work=f"{__name__}:game_digests")
    except ValueError as error:
        yield f"expected a fresh interpreter to play the game, got {error}"
        return
    for case, digests in zip(subject.cases, elsewhere, strict=True):
        if fault := first_difference(digest_match(case.game, case.matches[0]), digests):
            yield f"{case.variant.label}: {fault}"


def first_difference(here: list[str], elsewhere: list[str]) -> str:
    """Return the first difference of two lists of digests; "" if they are equal."""
    for number, (one, other) in enumerate(zip(here, elsewhere, strict=False)):
        if one != other:
            return f"expected the same in a fresh interpreter, got a difference at turn {number}"
    if len(here) != len(elsewhere):
        return f"expected {len(here)} moments in a fresh interpreter, got {len(elsewhere)}"
    return ""


def digest_match(game: AnyGame, played: PlayedMatch) -> list[str]:
    """Return a digest per state of a match: of the state's code, the next turn and, for some states, all views."""
    viewed = {id(moment) for moment in spread(played.moments, VIEWED_MOMENTS)}
    digests = []
    for moment in played.moments:
        digest = hashlib.blake2b(moment.code, digest_size=8)
        if moment.turn is not None:
            digest.update(repr([(s, str(a)) for s, a in moment.turn.actions.items()]).encode())
        if id(moment) in viewed:
            digest.update(_told(game, moment.state))
        digests.append(digest.hexdigest())
    return digests


def _told(game: AnyGame, state: Any) -> bytes:
    parts: list[Any] = [game.public_view(state), game.returns(state), game.metrics(state)]
    for seat in range(game.seats):
        parts += [game.observation(state, seat), game.briefing(state, seat)]
        parts.append([str(action) for action in game.legal_actions(state, seat)])
    return _ENCODER.encode(parts)
