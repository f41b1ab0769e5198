"""Re-apply a record by the rules: every state of a match, and whether the record tells the truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import games
from games.api import AnyGame, IllegalAction, Turn
from runner.record.chain import open_chain, seal_end
from runner.record.lines import EndLine, FaultLine, MatchRecord, Termination, TurnLine
from runner.scoring import share_points
from runner.wire.errors import RecordError


@dataclass(frozen=True, slots=True)
class Moment:
    """One point of a replay: the state after `turn` turns; `line` is the turn that led there, None at the start."""

    turn: int
    state: Any
    line: TurnLine | None


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first place where a record and the rules disagree; turn 0 is the deal."""

    turn: int
    detail: str


def game_of(record: MatchRecord) -> AnyGame:
    """The game with the record's parameters; RecordError if it is not here or another version of the rules."""
    header = record.header
    try:
        game = games.make(header.game, header.params, seats=len(header.seats))
    except ValueError as error:
        raise RecordError(f"{header.match_id}: game: {error}") from None
    if game.spec.version != header.game_version:
        expected = f"rules of {header.game} {header.game_version}"
        raise RecordError(f"{header.match_id}: expected {expected}, got {game.spec.version} installed")
    return game


def replay(record: MatchRecord) -> Iterator[Moment]:
    """Every state of the match from the deal on; RecordError where a turn cannot be applied."""
    game = game_of(record)
    state = game.initial_state(record.header.seed)
    yield Moment(0, state, None)
    for line in record.lines:
        if isinstance(line, TurnLine):
            state = _apply(game, state, line)
            yield Moment(line.turn, state, line)


def verify(record: MatchRecord) -> Divergence | None:
    """Re-apply every turn, check every hash and the end; None if all agree."""
    game = game_of(record)
    state = game.initial_state(record.header.seed)
    chain = open_chain(game, seed=record.header.seed, initial_state=state)
    turn = 0
    for line in record.lines:
        if isinstance(line, FaultLine):
            link = chain.fault(line.turn, line.seat, line.fault.value, line.detail)
        else:
            turn += 1
            if line.turn != turn:
                return Divergence(turn, f"expected turn {turn}, got turn {line.turn}")
            try:
                state = _apply(game, state, line)
            except RecordError as error:
                return Divergence(turn, str(error))
            link = chain.turn(line.stamp, line.actions, game.encode(state))
        if link != line.hash:
            return Divergence(line.turn, f"expected hash {link} by the rules, got {line.hash}")
    return _check_end(record, game, state, seal_end(chain, record.end))


def _apply(game: AnyGame, state: Any, line: TurnLine) -> Any:
    try:
        actions = {int(seat): game.parse_action(text) for seat, text in line.actions.items()}
        return game.apply(state, Turn(actions, line.stamp))
    except (IllegalAction, ValueError) as error:
        raise RecordError(f"turn {line.turn} cannot be applied: {error}") from None


def _check_end(record: MatchRecord, game: AnyGame, state: Any, sealed: EndLine) -> Divergence | None:
    end, turns = record.end, sum(isinstance(line, TurnLine) for line in record.lines)
    blamed = [line.seat for line in record.lines if isinstance(line, FaultLine)]
    if sealed.hash != end.hash:
        return Divergence(turns, f"end: expected hash {sealed.hash}, got {end.hash}")
    if end.termination is Termination.COMPLETED and not game.is_terminal(state):
        return Divergence(turns, "end: expected a finished match, got one that goes on by the rules")
    claims = {
        "turns": (turns, end.turns),
        "returns": ([float(value) for value in game.returns(state)], end.returns),
        "metrics": ([dict(metrics) for metrics in game.metrics(state)], end.metrics),
        "faults": ([blamed.count(seat) for seat in range(len(record.header.seats))], end.faults),
    }
    if end.counted:
        claims["points"] = (share_points(game.teams, end.ranks), end.points)
    for name, (expected, got) in claims.items():
        if expected != got:
            return Divergence(turns, f"end: expected {name} {expected} by the rules, got {got}")
    return None
