"""Replays a record of another rules version up to the first difference."""

from __future__ import annotations

import msgspec

from gridjoust import games
from gridjoust.games.api import AnyGame, IllegalAction, Turn
from gridjoust.runner.results.records.chain import HASH_EVERY, Chain, seal_end
from gridjoust.runner.results.records.lines import FaultLine, MatchRecord, TurnLine
from gridjoust.runner.wire.errors import RecordError


def as_installed(record: MatchRecord) -> MatchRecord:
    """Return the record; if other rules are installed, with only the turns that surely agree with them.

    Then the reason of its end says so. RecordError if the game is not installed or refuses the parameters.
    """
    header = record.header
    try:
        game = games.make(header.game, header.params, seats=len(header.seats))
    except ValueError as error:
        raise RecordError(f"{header.match_id}: game: {error}") from None
    if game.spec.version == header.game_version:
        return record
    turns, where = _agreement(record, game)
    played = f"played by rules {header.game_version}; rules {game.spec.version} are installed"
    if not where:
        reason = f"{record.end.reason} ({played} and give the same turns)"
        return _cut(record, turns, version=game.spec.version, reason=reason)
    return _cut(record, turns, version=game.spec.version, reason=f"{played}: {where}; the turns before are shown")


def _agreement(record: MatchRecord, game: AnyGame) -> tuple[int, str]:
    """Return the number of turns that surely agree with the installed rules, and a text on the difference, else ""."""
    header, turn, known = record.header, 0, 0
    state = game.initial_state(header.seed)
    # a chain with the recorded version: its hashes match the record as long as the installed rules give equal states
    chain = Chain(
        game=header.game,
        game_version=header.game_version,
        params=header.params,
        seats=len(header.seats),
        seed=header.seed,
    )
    chain.deal(game.encode(state))
    for line in record.lines:
        turn = line.turn
        if isinstance(line, FaultLine):
            chain.fault(turn, line.seat, line.fault.value, line.detail)
            continue
        try:
            actions = {int(seat): game.parse_action(text) for seat, text in line.actions.items()}
            state = game.apply(state, Turn(actions, line.stamp))
        except (IllegalAction, ValueError) as error:
            return known, f"they do not allow turn {turn} ({error})"
        link = chain.turn(turn, line.stamp, line.actions, game.encode(state))
        if line.hash and link != line.hash:
            return known, _between(known, turn)
        known = turn if line.hash else known
    if seal_end(chain, record.end).hash != record.end.hash:
        return known, _between(known, turn)
    return turn, ""


def _between(known: int, last: int) -> str:
    """Return a text about the turns that may differ: those after turn `known` (the last that agrees) up to `last`."""
    first = known + 1
    if not known and last <= HASH_EVERY:
        return f"they differ in the start position or in one of the turns to {last}"
    return f"they differ in one of the turns {first} to {last}"


def _cut(record: MatchRecord, turns: int, *, version: str, reason: str) -> MatchRecord:
    replace = msgspec.structs.replace
    kept = [line for line in record.lines if line.turn <= turns]
    return replace(
        record,
        header=replace(record.header, game_version=version),
        lines=kept,
        answers=[answer for answer in record.answers if answer.turn <= turns],
        end=replace(record.end, turns=sum(isinstance(line, TurnLine) for line in kept), reason=reason),
    )
