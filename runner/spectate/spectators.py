"""Defines what the spectators of a run get, from the plan to every match, and the observers that send it.

Public views are for anyone on the bus. The lines of a record also hold what the rules hide. On the bus, the broker lets
only the live page read them; inside this process, they go directly to the page.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from gridjoust.games.api import AnyGame
from gridjoust.runner.broker import Account
from gridjoust.runner.config.values import Execution
from gridjoust.runner.results.records.lines import EndLine, FaultLine, Header, TurnLine
from gridjoust.runner.wire.bus import Bus
from gridjoust.runner.wire.inbox import Pace
from gridjoust.runner.wire.protocol import bot_prefix, lines_topic, shown_topic, view_topic
from gridjoust.runner.wire.text import UNREADABLE

MatchLine = TurnLine | FaultLine
Message = tuple[str, bytes]  # topic and payload


class MatchObserver:
    """Base class of observers, which follow one match while it is played.

    `begin`, `turn` and `end` may return messages for the bus, which leave after those to the bots.
    Override what you need.
    """

    def begin(self, game: AnyGame, header: Header) -> Sequence[Message]:  # noqa: ARG002 - for subclasses
        """Take the header of a match that begins, or begins again because it is played again."""
        return ()

    def turn(self, state: Any, lines: Sequence[MatchLine]) -> Sequence[Message]:  # noqa: ARG002 - for subclasses
        """Take the state after a turn, and the lines of the record since the turn before."""
        return ()

    def search(self, slot: str, answer: bytes) -> None:
        """Take an answer in which the bot process `slot` (`<bot>.<number>`) shows its search."""

    def end(self, lines: Sequence[MatchLine | EndLine]) -> Sequence[Message]:  # noqa: ARG002 - for subclasses
        """Take the last lines of the record."""
        return ()


class ObserverGroup:
    """Passes news of one match to all its observers."""

    def __init__(self, observers: Sequence[MatchObserver]) -> None:
        self._observers = observers
        self.is_needed = bool(observers)
        self._line_count = 0  # that they have learned

    def begin(self, game: AnyGame, header: Header) -> list[Message]:
        """Tell all observers that the match begins; return their messages for the bus."""
        return [message for observer in self._observers for message in observer.begin(game, header)]

    def turn(self, state: Any, lines: Sequence[MatchLine]) -> list[Message]:
        """Tell all observers the record's new lines; return their messages for the bus. `lines`: all lines so far."""
        news, self._line_count = lines[self._line_count :], len(lines)
        messages: list[Message] = []
        if news:
            for observer in self._observers:  # a loop: this runs in every turn
                messages += observer.turn(state, news)
        return messages

    def search(self, slot: str, answer: bytes) -> None:
        """Pass an answer that contains the bot's search on to all observers."""
        for observer in self._observers:
            observer.search(slot, answer)

    def end(self, lines: Sequence[MatchLine], end: EndLine) -> list[Message]:
        """Tell all observers how the match ended; return their messages for the bus."""
        news = [*lines[self._line_count :], end]
        return [message for observer in self._observers for message in observer.end(news)]


RecordLine = Header | MatchLine | EndLine
OnLines = Callable[[str, Sequence[RecordLine]], None]  # id of a match, its next lines
OnSearch = Callable[[str, bytes], None]  # topic of a bot's search, its message


@dataclass(frozen=True, slots=True, kw_only=True)
class Spectators:
    """What spectators of a run's matches get, such as public views or record lines; nothing by default."""

    has_views: bool = False  # the public view after every turn, on the bus
    stream_search: bool = False  # what bots search, from those whose account may publish it
    page: Account | None = None  # of the live page, which reads lines and searches on the bus
    on_lines: OnLines | None = None  # or takes the lines here, if bots could read them on the bus
    on_search: OnSearch | None = None  # takes the searches here

    @property
    def need_bus(self) -> bool:
        """True if spectators get anything over the bus."""
        return self.has_views or self.stream_search or self.page is not None

    @property
    def accounts(self) -> tuple[Account, ...]:
        """The broker accounts of the run's spectators."""
        return () if self.page is None else (self.page,)

    def observe(self, run: str, match_id: str) -> list[MatchObserver]:
        """Return the observers of one match."""
        observers: list[MatchObserver] = []
        if self.stream_search:  # before the line that closes the turn
            observers.append(SearchPublisher(run))
        if self.has_views:
            observers.append(ViewPublisher(view_topic(run, match_id)))
        if self.on_lines is not None:
            observers.append(LineGiver(match_id, self.on_lines))
        elif self.page is not None:
            observers.append(LinePublisher(lines_topic(run, match_id)))
        return observers

    async def hear_search(self, bus: Bus, run: str) -> None:
        """Subscribe `on_search`, if it is set, to the searches that the bots of a run publish."""
        if self.stream_search and self.on_search is not None:
            await bus.subscribe(shown_topic(bot_prefix(run, "+")), self.on_search)


NO_SPECTATORS = Spectators()


def spectators_of(execution: Execution) -> Spectators:
    """Return what a tournament file lets spectators see."""
    return Spectators(has_views=execution.views)


class ViewPublisher(MatchObserver):
    """Publishes the public view after every turn."""

    def __init__(self, topic: str) -> None:
        self._topic = topic

    def begin(self, game: AnyGame, header: Header) -> Sequence[Message]:  # noqa: ARG002 - the game alone
        """Keep the game, which makes the public views; return no message."""
        self._game = game
        return ()

    def turn(self, state: Any, lines: Sequence[MatchLine]) -> Sequence[Message]:  # noqa: ARG002 - the state alone
        """Return the public view of the state, as a message for the bus."""
        return [(self._topic, msgspec.json.encode(self._game.public_view(state)))]


class LineObserver(MatchObserver, ABC):
    """Base of observers that pass record lines on as they are made: the header, those of each turn, the last ones."""

    def begin(self, game: AnyGame, header: Header) -> Sequence[Message]:  # noqa: ARG002 - the header is a line
        """Pass the record's header on to spectators."""
        return self._pass_on([header])

    def turn(self, state: Any, lines: Sequence[MatchLine]) -> Sequence[Message]:  # noqa: ARG002 - the lines alone
        """Pass the record's new lines on to spectators."""
        return self._pass_on(lines)

    def end(self, lines: Sequence[MatchLine | EndLine]) -> Sequence[Message]:
        """Pass the record's last lines on to spectators."""
        return self._pass_on(lines)

    @abstractmethod
    def _pass_on(self, lines: Sequence[RecordLine]) -> Sequence[Message]: ...


class LinePublisher(LineObserver):
    """Publishes the lines of a running match's record on the bus; those of a turn are one message."""

    def __init__(self, topic: str) -> None:
        self._topic = topic

    def _pass_on(self, lines: Sequence[RecordLine]) -> Sequence[Message]:
        return [(self._topic, b"\n".join(map(msgspec.json.encode, lines)))]


class LineGiver(LineObserver):
    """Passes the lines of a running match's record to a function of this process."""

    def __init__(self, match_id: str, on_lines: OnLines) -> None:
        self._match_id = match_id
        self._on_lines = on_lines

    def _pass_on(self, lines: Sequence[RecordLine]) -> Sequence[Message]:
        self._on_lines(self._match_id, lines)
        return ()


class _Seat(msgspec.Struct):
    """The part of a bot's answer that names its seat."""

    seat: int


_SEAT = msgspec.json.Decoder(_Seat)


class SearchPublisher(MatchObserver):
    """Publishes the searches that bots put into their answers: after the turn, and not too often for each seat."""

    def __init__(self, run: str) -> None:
        self._run = run
        self._pace = Pace()
        self._waiting: dict[bytes, Message] = {}  # by slot and seat, the last of the turn

    def search(self, slot: str, answer: bytes) -> None:
        """Keep an answer that contains a search until the turn is over."""
        try:
            key = f"{slot}/{_SEAT.decode(answer).seat}".encode()
        except UNREADABLE:
            return  # the referee says what is wrong with it
        if self._pace.is_due(key):
            self._waiting[key] = (shown_topic(bot_prefix(self._run, slot)), answer)

    def turn(self, state: Any, lines: Sequence[MatchLine]) -> Sequence[Message]:  # noqa: ARG002 - the answers alone
        """Return the messages with the searches in the answers of the turn."""
        messages, self._waiting = [*self._waiting.values()], {}
        return messages
