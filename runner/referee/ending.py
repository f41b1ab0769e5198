"""How a match ended, as the last line of its record. Decides nothing."""

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
    """The end in this state (None: there is none), not yet sealed; no `seats`: nobody did anything wrong.

    `lost_at` has the turn in which a team forfeited. Nobody gets points if the match is void.
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
        # numbers as they come back from a record: 3 and 3.0 are not the same text in a hash
        metrics=[{name: float(value) for name, value in own.items()} for own in metrics],
        faults=[seat_state.faults for seat_state in seats] or [0] * game.seats,
        forfeited=forfeited,
        turns=turns,
        hash="",
    )
