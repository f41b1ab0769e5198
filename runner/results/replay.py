"""Re-applies a record by the rules: returns every state of a match, and checks that the record is genuine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gridjoust import games
from gridjoust.games.api import AnyGame, IllegalAction, Turn, Utility
from gridjoust.runner.results.records.chain import HASH_EVERY, check_seal, open_chain, seal_end
from gridjoust.runner.results.records.file import parse_record, read_sealed
from gridjoust.runner.results.records.lines import (
    RETURNS_OF_FORFEITS,
    EndLine,
    FaultLine,
    Header,
    MatchRecord,
    Termination,
    TurnLine,
)
from gridjoust.runner.results.scoring import settle_returns, share_points
from gridjoust.runner.wire.errors import OtherVersionError, RecordError


@dataclass(frozen=True, slots=True)
class Moment:
    """One point of a replay: the state after `turn` turns; `line` is its turn line, None at the start position."""

    turn: int
    state: Any
    line: TurnLine | None


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first place where a record and the rules differ; turn 0 is the start position.

    If only the hash of a later turn shows the difference, it is in one of the turns from `turn` to `last`.
    """

    turn: int
    detail: str
    last: int | None = None


def game_of(record: MatchRecord) -> AnyGame:
    """Make the record's game; RecordError if it is not installed, OtherVersionError if its rules have changed."""
    return game_for(record.header)


def game_for(header: Header) -> AnyGame:
    """Make the game of a match that may still be running; errors as for `game_of`."""
    try:
        game = games.make(header.game, header.params, seats=len(header.seats))
    except ValueError as error:
        raise RecordError(f"{header.match_id}: game: {error}") from None
    if game.spec.version != header.game_version:
        expected = f"rules of {header.game} {header.game_version}"
        raise OtherVersionError(f"{header.match_id}: expected {expected}, got {game.spec.version} installed")
    return game


def replay(record: MatchRecord) -> Iterator[Moment]:
    """Yield every state of the match, the start position first; RecordError if a turn cannot be applied."""
    game = game_of(record)
    state = game.initial_state(record.header.seed)
    yield Moment(0, state, None)
    for line in record.lines:
        if isinstance(line, TurnLine):
            state = apply_line(game, state, line)
            yield Moment(line.turn, state, line)


def verify(record: MatchRecord) -> Divergence | None:
    """Re-apply every turn and check every hash and the end; return the first difference, or None."""
    game = game_of(record)
    state = game.initial_state(record.header.seed)
    chain = open_chain(game, seed=record.header.seed, initial_state=state)
    turn = 0
    for line in record.lines:
        if isinstance(line, FaultLine):
            chain.fault(line.turn, line.seat, line.fault.value, line.detail)
            continue
        turn += 1
        if line.turn != turn:
            return Divergence(turn, f"expected turn {turn}, got turn {line.turn}")
        try:
            state = apply_line(game, state, line)
        except RecordError as error:
            return Divergence(turn, str(error))
        link = chain.turn(turn, line.stamp, line.actions, game.encode(state))
        if link != line.hash:
            return _hash_divergence(turn, expected=link, got=line.hash)
    return _check_end(record, game, state, seal_end(chain, record.end))


def verify_file(path: Path, keys: Sequence[bytes]) -> Divergence | None:
    """Verify a record's file: first by the rules, as they tell the place of a difference, then by its seal.

    RecordError if the file is damaged or its seal is invalid.
    """
    raw, keys = read_sealed(path, keys)
    divergence = verify(parse_record(path, raw))
    if divergence is None:
        check_seal(path, raw, keys)
    return divergence


def _hash_divergence(turn: int, *, expected: str, got: str) -> Divergence:
    """Return the divergence that a turn's wrong hash shows; it may lie in any turn after the hash before."""
    detail = f"expected {f'hash {expected} by the rules' if expected else 'no hash'}, got {got or 'none'}"
    is_of_many = expected and got
    return Divergence(turn - HASH_EVERY + 1, detail, turn) if is_of_many else Divergence(turn, detail)


def apply_line(game: AnyGame, state: Any, line: TurnLine) -> Any:
    """Return the state after a turn; RecordError if the rules refuse it."""
    try:
        actions = {int(seat): game.parse_action(text) for seat, text in line.actions.items()}
        return game.apply(state, Turn(actions, line.stamp))
    except (IllegalAction, ValueError) as error:
        raise RecordError(f"turn {line.turn} cannot be applied: {error}") from None


def _returns(record: MatchRecord, game: AnyGame, state: Any) -> list[float | None]:
    """Return the returns that follow from the last state and, in newer records, from the forfeits."""
    end, is_settled = record.end, record.header.format >= RETURNS_OF_FORFEITS
    return settle_returns(
        game.teams,
        [float(value) for value in game.returns(state)],
        end.ranks,
        end.forfeited if is_settled and end.termination is not Termination.VOID else [],
        is_zero_sum=game.spec.utility is Utility.ZERO_SUM,
        is_completed=end.termination is Termination.COMPLETED,
    )


def _check_end(record: MatchRecord, game: AnyGame, state: Any, sealed: EndLine) -> Divergence | None:
    end, turns = record.end, sum(isinstance(line, TurnLine) for line in record.lines)
    blamed = [line.seat for line in record.lines if isinstance(line, FaultLine)]
    if end.termination is Termination.COMPLETED and not game.is_terminal(state):
        return Divergence(turns, "end: expected a finished match, got one that goes on by the rules")
    claims = {
        "turns": (turns, end.turns),
        "returns": (_returns(record, game, state), end.returns),
        "metrics": ([dict(metrics) for metrics in game.metrics(state)], end.metrics),
        "faults": ([blamed.count(seat) for seat in range(len(record.header.seats))], end.faults),
    }
    if end.counted:
        claims["points"] = (share_points(game.teams, end.ranks), end.points)
    for name, (expected, got) in claims.items():
        if expected != got:
            return Divergence(turns, f"end: expected {name} {expected} by the rules, got {got}")
    if sealed.hash != end.hash:
        first = min(turns, turns - turns % HASH_EVERY + 1)
        return Divergence(first, f"end: expected hash {sealed.hash} by the rules, got {end.hash}", turns)
    return None
