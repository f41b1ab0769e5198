"""The last line of a match's record: how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gridjoust.games.api import AnyGame, Utility
from gridjoust.runner.referee.seat_state import SeatState
from gridjoust.runner.results.records.lines import EndLine, Termination
from gridjoust.runner.results.scoring import rank_seats, settle_returns, share_points


def make_end(
    game: AnyGame,
    state: Any,
    termination: Termination,
    reason: str,
    *,
    seats: Sequence[SeatState] = (),
    lost_at: Mapping[int, int] | None = None,
    turns: int = 0,
) -> EndLine:
    """Return the end line for this state, not yet sealed.

    `state` is None if the match broke off before it had one. Without `seats` there are no faults and no forfeits.
    `lost_at` maps a team to the turn in which it forfeited. A void match gives no points.
    """
    returns = [0.0] * game.seats if state is None else [float(value) for value in game.returns(state)]
    metrics: Sequence[Mapping[str, float]] = [{}] * game.seats if state is None else game.metrics(state)
    ranks = rank_seats(game.teams, returns, lost_at or {})
    is_void = termination is Termination.VOID
    forfeited = [seat for seat, seat_state in enumerate(seats) if seat_state.forfeited]
    return EndLine(
        termination=termination,
        reason=reason,
        counted=not is_void,
        returns=settle_returns(
            game.teams,
            returns,
            ranks,
            [] if is_void else forfeited,
            is_zero_sum=game.spec.utility is Utility.ZERO_SUM,
            is_completed=termination is Termination.COMPLETED,
        ),
        ranks=ranks,
        points=[None] * game.seats if is_void else share_points(game.teams, ranks),
        # floats, as a record returns them: the texts 3 and 3.0 have different hashes
        metrics=[{name: float(value) for name, value in own.items()} for own in metrics],
        faults=[seat_state.faults for seat_state in seats] or [0] * game.seats,
        forfeited=forfeited,
        turns=turns,
        hash="",
    )
