"""A match played in the browser: it sends questions, boards and messages to the page and receives typed lines.

A page can be closed and opened again: it gets everything that it needs to go on. Several pages show the same match.
"""

from __future__ import annotations

import asyncio
import string
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from gridjoust.drawing.find import ROOM
from gridjoust.games import find_room
from gridjoust.person.person import Lines, Question, advice_text
from gridjoust.person.screen import Screen
from gridjoust.runner.results.records.lines import EndLine, FaultLine, Header, TurnLine
from gridjoust.runner.wire.text import plain_text
from gridjoust.viewer.live_page.match import RunningMatch

GATHER_S = 0.02  # turns within this time are drawn as one
END_S = 10.0  # that the last line of a match may take
MOST_WAITING = 2000  # queued events of a page that does not read
MOST_TYPED = 2000  # characters of a typed line
MOST_BUTTONS = 120
TRIED = "\t"  # begins a line that is only tried on the board
_SAID = 60  # last messages that a new page gets
_KEYS = string.ascii_letters + string.digits + ".,-"
_MOST_LETTERS = 4000
_LINE = msgspec.json.Decoder(Header | TurnLine | FaultLine | EndLine)
_REFUSED = 1008  # websocket status "policy violation"

Event = dict[str, Any]


class PagePlayer:
    """The user interface of a person who plays in the browser; lines from the pages go to `typed`."""

    def __init__(self, name: str) -> None:
        """Make the interface without a match; `name`: the person's name in the record."""
        self.typed = Lines()
        self.opened = asyncio.Event()
        self._ended = asyncio.Event()  # the last line of the match has come
        self._name = name
        self._pages: set[asyncio.Queue[bytes | None]] = set()
        self._match: RunningMatch | None = None
        self._boards: list[Event] = []
        self._said: deque[Event] = deque(maxlen=_SAID)
        self._open: Event = {"kind": "closed"}
        self._timer: asyncio.TimerHandle | None = None

    def say(self, text: str) -> None:
        """Show a message below the others."""
        event = {"kind": "say", "text": plain_text(text, limit=_MOST_LETTERS)}
        self._said.append(event)
        self._send(event)

    def ask(self, asked: Question, screen: Screen, drawn: str) -> None:
        """Show buttons and keys for the legal actions."""
        game = "" if self._match is None else self._match.header.game
        is_drawn = bool(game) and find_room(game, ROOM) is not None
        self._open = {
            "kind": "ask",
            "turn": asked.turn,
            "legal": list(asked.legal[:MOST_BUTTONS]),
            "more": max(0, len(asked.legal) - MOST_BUTTONS),
            "is_complete": asked.legal_complete,
            "keys": keys_of(screen, asked.view, asked.legal),
            "reserved": dict(screen.reserved),
            "help": screen.keys,
            "picked": screen.picked,
            "drawn": "" if is_drawn else drawn,
        }
        self._send(self._open)

    def close(self) -> None:
        """Show that no question is open."""
        self._open = {"kind": "closed"}
        self._send(self._open)

    def advise(self, answer: str | None, plan: str) -> None:  # noqa: ARG002 - the page draws no plan
        """Show a bot's advice as a message, and mark the button of the advised action."""
        self.say(advice_text(answer))
        self._send({"kind": "advice", "action": answer or ""})

    def on_lines(self, _topic: str, payload: bytes) -> None:
        """Take lines of the match's record and draw the board soon."""
        lines = [_LINE.decode(line) for line in payload.split(b"\n")]
        match lines:
            case [Header() as header]:
                seat = next(number for number, entry in enumerate(header.seats) if entry.bot == self._name)
                self._match = RunningMatch(header, seat=seat)
                self._ended.clear()
                self._boards = []
                self._show(self._match.begin())
            case _ if self._match is not None:
                self._match.hear(line for line in lines if not isinstance(line, Header))
                if self._match.end is not None:
                    self._ended.set()
        self._draw_soon()

    async def heard_the_end(self) -> None:
        """Wait until the match's last line has come over the broker, as the run does not wait for it."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), END_S)

    async def finish(self) -> None:
        """Send every page the remaining events and close it."""
        if self._timer is not None:
            self._timer.cancel()
            self._draw()
        for page in self._pages:
            page.put_nowait(None)

    async def serve(self, socket: WebSocket) -> None:
        """Serve one page until it is closed or the match is over."""
        if not is_own(socket.headers.get("origin", ""), socket.headers.get("host", "")):
            await socket.close(_REFUSED)
            return
        await socket.accept()
        async with self._page() as events, asyncio.TaskGroup() as group:
            hearing = group.create_task(self._hear(socket, events), name="play.hear")
            while (event := await events.get()) is not None:
                await socket.send_bytes(event)
            hearing.cancel()

    async def _hear(self, socket: WebSocket, events: asyncio.Queue[bytes | None]) -> None:
        try:
            while True:
                self._take((await socket.receive_text())[:MOST_TYPED])
        except WebSocketDisconnect:
            events.put_nowait(None)

    def _take(self, text: str) -> None:
        """Take a line of the person; TRIED in front marks a line that is still being typed."""
        if not text.startswith(TRIED):
            self.typed.add(text)
        elif self._match is not None:
            self._match.line = text.removeprefix(TRIED)
            self._draw_soon()

    def _draw_soon(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GATHER_S, self._draw)

    @asynccontextmanager
    async def _page(self) -> AsyncIterator[asyncio.Queue[bytes | None]]:
        """Yield the queue of events for a page that has opened, beginning with all events so far."""
        events: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._draw()  # the clock of the last drawing is out of date
        for event in (*self._boards, *self._said, self._open):
            events.put_nowait(msgspec.json.encode(event))
        self._pages.add(events)
        self.opened.set()
        try:
            yield events
        finally:
            self._pages.discard(events)

    def _send(self, event: Event) -> None:
        text = msgspec.json.encode(event)
        for page in self._pages:
            if page.qsize() < MOST_WAITING:
                page.put_nowait(text)
            else:
                page.put_nowait(None)  # the page reconnects

    def _show(self, event: Event) -> None:
        event = {"kind": "board", **event}
        self._boards.append(event)
        self._send(event)

    def _draw(self) -> None:
        self._timer = None
        if self._match is not None:
            self._show(self._match.draw())


def keys_of(screen: Screen, view: Mapping[str, Any], legal: Sequence[str]) -> dict[str, str]:
    """Return the keys with which the game lets a person choose, each with the legal action's text."""
    found, allowed = {}, set(legal)
    for key in _KEYS:
        if key in screen.reserved:
            continue
        try:
            text = screen.parse(key, view, legal)
        except ValueError:
            continue
        if text in allowed:
            found[key] = text
    return found


def is_own(origin: str, host: str) -> bool:
    """Return True if the request comes from a page of this server; other sites send another origin.

    >>> is_own("http://127.0.0.1:8080", "127.0.0.1:8080"), is_own("http://evil.example", "127.0.0.1:8080")
    (True, False)
    """
    return bool(host) and urlsplit(origin).netloc == host
