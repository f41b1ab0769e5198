"""What the referee says: messages to the bots (start, question, event, end), and lines of the record (answer, end)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET

from gridjoust.games.api import AnyGame, ParamValue, Seat, Utility
from gridjoust.games.grammar import choices_text
from gridjoust.runner.config.values import TimeLimits
from gridjoust.runner.processes.history import Spent
from gridjoust.runner.referee.values import Question, SeatState
from gridjoust.runner.results.records.lines import AnswerLine, EndLine, Termination
from gridjoust.runner.results.scoring import rank_seats, settle_returns, share_points
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.protocol import End, Event, Limits, Start

T = TypeVar("T")


def start_message(
    game: AnyGame,
    state: Any,
    *,
    match_id: str,
    variant: str,
    seats: Sequence[Seat],
    bot_seed: int,
    time: TimeLimits,
    options: Mapping[str, ParamValue],
) -> Start:
    """Return the message that an entrant with these `seats` gets before the first turn; `state` is the initial one."""
    return Start(
        match=match_id,
        game=game.spec.name,
        game_version=game.spec.version,
        variant=variant,
        params=dict(game.public_params),
        seats=list(seats),
        seat_count=game.seats,
        teams=list(game.teams),
        roles=list(game.roles),
        dynamics=game.spec.dynamics.value,
        briefing={str(seat): game.briefing(state, seat) for seat in seats},
        bot_seed=bot_seed,
        limits=_limits(time),
        options=dict(options),
    )


def _limits(time: TimeLimits) -> Limits:
    """Return the time limits as a bot gets them in messages; limits of work (successors) only if work is the clock."""
    limits = Limits(
        turn_ms=time.turn_ms,
        bank_ms=time.bank_ms,
        increment_ms=time.increment_ms,
        start_ms=time.start_ms,
        clock=time.clock,
    )
    if time.clock != "work":
        return limits
    return msgspec.structs.replace(
        limits, turn_work=time.turn_work, bank_work=time.bank_work, increment_work=time.increment_work
    )


class RulesError(BaseException):
    """An exception of a game while a bot reads its question; no bot is to catch it."""


class TurnMessage(protocol.TurnMessage, frozen=True, kw_only=True, tag="turn", dict=True):
    """A question that makes its contents when they are read, for bots of this process.

    It has the name of its base class, as errors in a bot's code name it.
    """

    source: tuple[Messages, AnyGame, Any]  # with the state

    @cached_property  # type: ignore[misc]
    def view(self) -> dict[str, Any]:
        """Facts that the seat may know now: a copy that the bot may change."""
        _, game, state = self.source
        view = _of_rules(game.observation, state, self.seat)
        return view if game.views_are_fresh else msgspec.json.decode(msgspec.json.encode(view))

    @cached_property  # type: ignore[misc]
    def legal(self) -> list[str]:
        """Texts of the legal actions, as a list that the bot may change."""
        messages, _, state = self.source
        return _of_rules(messages.legal, state, self.seat)

    @cached_property  # type: ignore[misc]
    def legal_complete(self) -> bool:
        """True if `legal` lists every legal action."""
        _, game, state = self.source
        return _of_rules(game.legal_complete, state, self.seat)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle the question with its contents."""
        names = protocol.TurnMessage.__struct_fields__
        return _whole, ({name: getattr(self, name) for name in names},)

    def __repr__(self) -> str:
        """Return the text of the question with its contents."""
        make, arguments = self.__reduce__()
        return repr(make(*arguments))


def _whole(values: dict[str, Any]) -> protocol.TurnMessage:
    return protocol.TurnMessage(**values)


def _of_rules(method: Callable[[Any, Seat], T], state: Any, seat: Seat) -> T:
    try:
        return method(state, seat)
    except Exception as error:
        raise RulesError from error


class Messages:
    """Makes the messages that the referee sends in one match."""

    def __init__(self, game: AnyGame, match_id: str) -> None:
        self._game = game
        self._match_id = match_id
        self._legal_texts: tuple[tuple[Any, ...], list[str]] = ((), [])

    def question(self, state: Any, seat: Seat, question: Question, *, turn: int, now_ms: float) -> protocol.TurnMessage:
        """Return a seat's open question: what it sees, its legal actions, and the time left, in ms."""
        left_ms = None if question.deadline_ms is None else int(question.deadline_ms - now_ms)
        if question.backstop_ms is not None and question.limit_ms is not None:
            left_ms = int(question.limit_ms)
        return protocol.TurnMessage(
            match=self._match_id,
            ask=question.number,
            seat=seat,
            turn=turn,
            view=self._game.observation(state, seat),
            legal=self.legal(state, seat),
            legal_complete=self._game.legal_complete(state, seat),
            limit_ms=left_ms,
            limit_work=UNSET if question.limit_work is None else question.limit_work,
        )

    def outline(self, state: Any, seat: Seat, number: int, *, turn: int, limit_ms: int | None) -> protocol.TurnMessage:
        """Return a question whose view and legal actions are made when they are read."""
        return TurnMessage(
            match=self._match_id,
            ask=number,
            seat=seat,
            turn=turn,
            view={},
            legal=[],
            legal_complete=True,
            limit_ms=limit_ms,
            source=(self, self._game, state),
        )

    def event(self, state: Any, seat: Seat, question: Question, *, turn: int) -> Event:
        """Return the message that tells a seat of a change while its question stays open."""
        return Event(
            match=self._match_id,
            ask=question.number,
            seat=seat,
            turn=turn,
            view=self._game.observation(state, seat),
            legal=self.legal(state, seat),
            legal_complete=self._game.legal_complete(state, seat),
        )

    def end(self, end: EndLine) -> End:
        """Return the last message of a match."""
        return End(
            match=self._match_id,
            termination=end.termination.value,
            reason=end.reason,
            returns=end.returns,
            ranks=end.ranks,
        )

    def illegal(self, state: Any, seat: Seat, action: Any) -> str:
        """Say why a valid action is refused: it is not legal now."""
        expected = choices_text(self.legal(state, seat), is_complete=self._game.legal_complete(state, seat))
        return f"action {str(action)[:80]!r} is not legal now; expected {expected}"

    def legal(self, state: Any, seat: Seat) -> list[str]:
        """Return the texts of the legal actions as a new list.

        The texts are cached, as many games return the same tuple of actions again.
        """
        actions = self._game.legal_actions(state, seat)
        if actions is not self._legal_texts[0]:
            self._legal_texts = (actions, [str(action) for action in actions])
        return self._legal_texts[1].copy()


def measured_line(
    answer: protocol.Action, text: str, *, turn: int, latency_ms: float | None, is_final: bool, spent: Spent | None
) -> AnswerLine:
    """Return the record's line of an answer: the action's text, the bot's own measures and those of the referee."""
    cpu_ms, waited_ms, forced = (None, None, None) if spent is None else spent
    line = AnswerLine(
        turn=turn,
        seat=answer.seat,
        action=text,
        planning_ms=answer.planning_ms,
        latency_ms=latency_ms,
        cpu_ms=cpu_ms,
        waited_ms=waited_ms,
        forced=forced,
        final=is_final,
    )
    return line if answer.stats is None else msgspec.structs.replace(line, **msgspec.structs.asdict(answer.stats))


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
