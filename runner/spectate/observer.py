"""Observers of a match, and the group of them that one match tells what is new."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gridjoust.games.api import AnyGame
from gridjoust.runner.results.records.lines import EndLine, FaultLine, Header, TurnLine

MatchLine = TurnLine | FaultLine
Message = tuple[str, bytes]  # topic and payload


class MatchObserver:
    """Base class of whatever follows one match while it is played.

    Each method may return messages for the bus, which leave after those to the bots. Override what you need.
    """

    def begin(self, game: AnyGame, header: Header) -> Sequence[Message]:  # noqa: ARG002 - for subclasses
        """Learn what is played; a match that is played again begins again."""
        return ()

    def turn(self, state: Any, lines: Sequence[MatchLine]) -> Sequence[Message]:  # noqa: ARG002 - for subclasses
        """Learn the state after a turn, and the lines of the record since the turn before."""
        return ()

    def search(self, slot: str, answer: bytes) -> None:
        """Learn that the bot in a slot has put its search into an answer."""

    def end(self, lines: Sequence[MatchLine | EndLine]) -> Sequence[Message]:  # noqa: ARG002 - for subclasses
        """Learn the last lines of the record."""
        return ()


class ObserverGroup:
    """Tells all observers of one match what is new; False if there are none."""

    def __init__(self, observers: Sequence[MatchObserver]) -> None:
        self._observers = observers
        self._line_count = 0  # that they have learned

    def __bool__(self) -> bool:
        return bool(self._observers)

    def begin(self, game: AnyGame, header: Header) -> list[Message]:
        """Tell them that the match begins; return their messages."""
        return [message for observer in self._observers for message in observer.begin(game, header)]

    def turn(self, state: Any, lines: Sequence[MatchLine]) -> list[Message]:
        """Tell them what `lines`, all so far, say that is new; return their messages."""
        news, self._line_count = lines[self._line_count :], len(lines)
        messages: list[Message] = []
        if news:
            for observer in self._observers:  # a loop: this runs in every turn
                messages += observer.turn(state, news)
        return messages

    def search(self, slot: str, answer: bytes) -> None:
        """Pass an answer on that carries its bot's search."""
        for observer in self._observers:
            observer.search(slot, answer)

    def end(self, lines: Sequence[MatchLine], end: EndLine) -> list[Message]:
        """Tell them how the match ended; return their messages."""
        news = [*lines[self._line_count :], end]
        return [message for observer in self._observers for message in observer.end(news)]
