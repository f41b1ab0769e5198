"""The self-test of a worker: before its matches count, it replays recorded turns and measures its event loop.

The owner records a short match of every variant. A worker with other rules, another Python or a broken package computes
other hashes. A worker whose event loop is late could not keep time limits.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from statistics import median

import msgspec

from gridjoust.games.api import Turn
from gridjoust.games.play import random_turn
from gridjoust.runner.config.variants import LoadedTournament, Variant
from gridjoust.runner.engines.batch import Milliseconds, Seconds
from gridjoust.runner.results.records.chain import Chain, open_chain

TURNS = 40  # of a recorded match
PULSES, PULSE_S = 25, 0.02  # of the event loop


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """The first turns of one match, which workers replay in their self-test."""

    variant: int
    seed: int
    turns: tuple[tuple[int, dict[int, str]], ...] = ()  # stamp, and actions by seat


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker found in its self-test."""

    hashes: tuple[str, ...]
    late_ms: Milliseconds  # of its event loop, the median
    seconds: Seconds  # that the self-test took


def record_self_test(loaded: LoadedTournament) -> tuple[list[Recorded], tuple[str, ...]]:
    """Record a match of every variant with random legal actions; return the matches and their final hashes."""
    made = [_record(place, variant) for place, variant in enumerate(loaded.variants)]
    return [recorded for recorded, _ in made], tuple(digest for _, digest in made)


async def run_self_test(loaded: LoadedTournament, recorded: Sequence[Recorded]) -> Report:
    """Replay the recorded turns and measure lateness; ValueError or IllegalAction if the rules refuse a turn."""
    began_s = time.monotonic()
    hashes = tuple([await asyncio.to_thread(_apply, loaded.variants[one.variant], one) for one in recorded])
    seconds = time.monotonic() - began_s
    late_ms = []
    for _ in range(PULSES):
        due_s = time.monotonic() + PULSE_S
        await asyncio.sleep(PULSE_S)
        late_ms.append((time.monotonic() - due_s) * 1000)
    return Report(hashes=hashes, late_ms=round(max(0.0, median(late_ms)), 2), seconds=round(seconds, 3))


def _record(place: int, variant: Variant) -> tuple[Recorded, str]:
    game, seed = variant.game, place
    state = game.initial_state(seed)
    chain, stamp = _open(variant, seed, state), 0
    rng = random.Random(f"trial/{place}")
    turns: list[tuple[int, dict[int, str]]] = []
    while not game.is_terminal(state) and len(turns) < TURNS:
        turn = random_turn(game, state, stamp, rng=rng)
        state, stamp = game.apply(state, turn), turn.stamp
        actions = {seat: str(action) for seat, action in turn.actions.items()}
        turns.append((stamp, actions))
        _link(chain, len(turns), stamp, actions, game.encode(state))
    return Recorded(variant=place, seed=seed, turns=tuple(turns)), chain.head


def _apply(variant: Variant, recorded: Recorded) -> str:
    game = variant.game
    state = game.initial_state(recorded.seed)
    chain = _open(variant, recorded.seed, state)
    for number, (stamp, actions) in enumerate(recorded.turns, 1):
        parsed = {seat: game.parse_action(text) for seat, text in actions.items()}
        state = game.apply(state, Turn(parsed, stamp))
        _link(chain, number, stamp, actions, game.encode(state))
    return chain.head


def _open(variant: Variant, seed: int, state: object) -> Chain:
    return open_chain(variant.game, seed=seed, initial_state=state)


def _link(chain: Chain, number: int, stamp: int, actions: dict[int, str], code: bytes) -> None:
    chain.turn(number, stamp, {str(seat): text for seat, text in actions.items()}, code)
