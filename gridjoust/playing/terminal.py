"""A match played in a terminal: the board in colours, redrawn in place, with a line to type in; arrow keys move."""

from __future__ import annotations

import asyncio
import os
import sys
import termios
import textwrap
import threading
import tty
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import msgspec
from rich.console import Console, ConsoleDimensions
from rich.text import Text

from gridjoust.drawing.terminal import fitted_text
from gridjoust.games.drawing import Drawing
from gridjoust.person.person import HELP, Lines, Question, advice_text
from gridjoust.person.screen import Screen
from gridjoust.person.viewer import END_OF_INPUT, Keys
from gridjoust.runner.results.records.lines import EndLine, FaultLine, Header, TurnLine
from gridjoust.runner.wire.text import plain_text
from gridjoust.viewer.live_page.match import RunningMatch

GATHER_S = 0.02  # news within this time are drawn as one
TICK_S = 1.0  # between two pictures while a clock of the rules runs
SAID = 3  # last lines of messages that are shown
CHOICES = 3  # most lines of numbered actions
ARROWS = {"\x1b[A": "up", "\x1b[B": "down", "\x1b[C": "right", "\x1b[D": "left"}
PAGES = {"\x1b[5~": -8, "\x1b[6~": 8}  # PageUp and PageDown -> rows by which a large board moves
_WAYS = {"up": ("N", "w"), "down": ("S", "s"), "right": ("E", "d"), "left": ("W", "a")}  # name -> compass, key
_LINE = msgspec.json.Decoder(Header | TurnLine | FaultLine | EndLine)
_BACK = {"\x7f", "\b"}


class TerminalPlayer:
    """The user interface of a person who plays in a terminal; typed lines go to `typed`."""

    def __init__(self, name: str, console: Console) -> None:
        """Make the interface without a match; `name`: the person's name in the record."""
        self.typed = Lines()
        self._name = name
        self._console = console
        self._match: RunningMatch | None = None
        self._seat = 0
        self._said: deque[str] = deque(maxlen=SAID)
        self._asked: Question | None = None
        self._screen: Screen | None = None
        self._drawn = ""
        self._line = ""
        self._down = 0
        self._sent = ""  # the last line, which the up arrow fetches
        self._timer: asyncio.TimerHandle | None = None

    def say(self, text: str) -> None:
        """Show a message below the board."""
        for line in text.split("\n"):
            self._said += textwrap.wrap(plain_text(line, limit=400), self._console.size.width)
        self._redraw_soon()

    def ask(self, asked: Question, screen: Screen, drawn: str) -> None:
        """Show an open question; `drawn`, its screen as text, is shown if the game draws no board."""
        self._asked, self._screen, self._drawn, self._down = asked, screen, drawn, 0
        self._redraw_soon()

    def close(self) -> None:
        """Show that no question is open."""
        self._asked = None
        self._redraw_soon()

    def advise(self, answer: str | None, plan: str) -> None:  # noqa: ARG002 - the board stays as it is
        """Show a bot's advice as a message."""
        self.say(advice_text(answer))

    def on_lines(self, _topic: str, payload: bytes) -> None:
        """Take lines of the match's record, and draw the board soon."""
        match lines := [_LINE.decode(line) for line in payload.split(b"\n")]:
            case [Header() as header]:
                self._seat = next(number for number, entry in enumerate(header.seats) if entry.bot == self._name)
                self._match = RunningMatch(header, seat=self._seat)
            case _ if self._match is not None:
                self._match.hear(line for line in lines if not isinstance(line, Header))
        self._redraw_soon()

    def on_key(self, key: str) -> None:
        """Edit the line that is typed; Enter sends it, and an arrow key sends its move at once."""
        if key == END_OF_INPUT:
            self.typed.add(None)
        elif key in ("\n", "\r"):
            self._sent, self._line = self._line, ""
            self.typed.add(self._sent)
        elif key in _BACK:
            self._line = self._line[:-1]
        elif key in ARROWS:
            self._move(ARROWS[key])
        elif key in PAGES:
            self._down += PAGES[key]
        elif key.isprintable():
            self._line += key
        self._redraw_soon()

    def page(self, size: ConsoleDimensions) -> Text:
        """Return what the terminal shows, at most `size`."""
        width = size.width
        said = [*self._choices(width), *(line[:width] for line in self._said)]  # it may have become narrower
        keys = "" if self._screen is None else f"{HELP} explains, quit leaves; {self._screen.keys}"
        rows = size.height - len(said) - 3  # heading, typed line, keys
        if self._match is not None:
            self._match.line = self._line
        drawing = None if self._match is None else self._match.drawing()
        picture, needed = self._picture(drawing, rows, width)
        more = f"; PgUp PgDn: {needed + len(said) + 3} rows" if needed else ""
        title = "" if drawing is None else drawing.title
        shown = Text(f"{self._heading(title)}{more}"[:width] + "\n", "bold")
        shown.append_text(picture)
        for line in said:
            shown.append(f"\n{line}")
        shown.append(f"\n> {self._line}_"[: width + 1], "reverse" if self._asked is not None else "dim")
        shown.append(f"\n{keys[:width]}", "dim")
        return shown

    def _heading(self, title: str) -> str:
        if self._match is None:
            return "the match begins"
        name = title or self._match.header.variant
        if self._match.end is not None:
            return f"{name}; over"
        left_s = self._match.left_s()
        clock = "" if left_s is None else f", {left_s:.0f} s left"
        who = "the others move" if self._asked is None else f"turn {self._asked.turn}: your move"
        return f"{name}; {who}{clock}"

    def _picture(self, drawing: Drawing | None, rows: int, columns: int) -> tuple[Text, int]:
        if drawing is None:
            lines = self._drawn.split("\n")[:rows]
            return Text("\n".join(line[:columns] for line in lines)), 0
        return fitted_text(drawing, rows=rows, columns=columns, follow=self._seat, down=self._down)

    def _choices(self, width: int) -> list[str]:
        """Return the numbered actions of a game without keys of its own, on a few lines."""
        if self._asked is None or type(self._screen) is not Screen:
            return []
        words = (f"{number}\N{NO-BREAK SPACE}{text}" for number, text in enumerate(self._asked.legal, 1))
        return textwrap.wrap("   ".join(words), width, max_lines=CHOICES, placeholder=" …")

    def _move(self, way: str) -> None:
        """Send the action that moves in a direction, if there is one."""
        if self._asked is None or self._screen is None:
            return
        text = arrow_action(way, self._asked, self._screen)
        if text:
            self.typed.add(text)
        elif way == "up" and self._sent:
            self._line = self._sent
        else:
            self.say(f"there is no move {way} now")

    def _redraw_soon(self) -> None:
        if self._timer is None or self._timer.when() > asyncio.get_running_loop().time() + GATHER_S:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_later(GATHER_S, self._redraw)

    def _redraw(self) -> None:
        clock_runs = self._match is not None and self._match.left_s() is not None
        self._timer = asyncio.get_running_loop().call_later(TICK_S, self._redraw) if clock_runs else None
        shown = self.page(self._console.size)
        self._console.clear()
        self._console.print(shown, end="", overflow="crop", no_wrap=True)


def arrow_action(way: str, asked: Question, screen: Screen) -> str:
    """Return the legal action for an arrow key (up, down, right, left), "" if the game has none now."""
    compass, key = _WAYS[way]
    legal: Sequence[str] = asked.legal
    for text in (way, compass, f"move {compass}", f"walk {compass}"):
        if text in legal:
            return text
    with suppress(ValueError):
        text = screen.parse(key, asked.view, legal)
        if text in legal and text.split()[-1] in (way, compass):
            return text
    return ""


@contextmanager
def keys_to(player: TerminalPlayer) -> Iterator[None]:
    """Pass single keys of the terminal to the player, from a thread, while the context is open."""
    number, loop = sys.stdin.fileno(), asyncio.get_running_loop()
    before = termios.tcgetattr(number)
    keys = Keys(lambda: os.read(number, 1024))

    def read() -> None:
        key = ""
        while key != END_OF_INPUT:
            key = keys.next()
            with suppress(RuntimeError):  # the match is over and its loop closed
                loop.call_soon_threadsafe(player.on_key, key)

    try:
        tty.setcbreak(number)
        threading.Thread(target=read, name="keyboard", daemon=True).start()
        yield
    finally:
        with suppress(termios.error):  # the terminal may have closed meanwhile
            termios.tcsetattr(number, termios.TCSADRAIN, before)
