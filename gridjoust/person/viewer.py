"""Watching a match in a terminal: one picture that is redrawn in place, controlled by keys."""

from __future__ import annotations

import codecs
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from rich.console import Console, ConsoleDimensions
from rich.text import Text

from gridjoust.drawing.terminal import fitted_text
from gridjoust.person.playback import HIDDEN, Playback
from gridjoust.runner.results.records.reasons import ending_of
from gridjoust.runner.wire.text import plain_text

KEYS = "space step, b back, p play, + - speed, e E events, 12 g turn 12, G end, q quit"  # fits 80 columns
SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)  # turns per second
_NEXT, _BACK = {" ", "\n", "\r", "n", "l", "\x1b[C"}, {"b", "h", "\x1b[D"}
_KEY = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)
END_OF_INPUT = "\x04"
ROOMY = ConsoleDimensions(80, 200)
ReadKey = Callable[[float | None], str]  # seconds to wait at most (None: no limit) -> a key, "" if none came


@dataclass(slots=True)
class Cursor:
    """The position in a match: the shown turn, playing or paused, and the digits typed so far."""

    playback: Playback
    turn: int = 0
    speed: float = 4.0
    is_playing: bool = False
    typed: str = ""
    is_over: bool = False

    def press(self, key: str) -> None:
        """Handle one key; keys that are not in `KEYS` do nothing."""
        digits, self.typed = self.typed, self.typed + key if key.isdecimal() else ""
        if key in ("q", "\x03", END_OF_INPUT):
            self.is_over = True
        elif key == "p":
            self.is_playing = not self.is_playing
        elif key in ("+", "-"):
            self.speed = _faster(self.speed) if key == "+" else _slower(self.speed)
        elif (turn := self._target(key, digits)) is not None:
            self.turn, self.is_playing = min(max(0, turn), self.playback.last), False

    def _target(self, key: str, digits: str) -> int | None:
        """Return the turn that a key leads to, None for other keys."""
        if key in _NEXT or key in _BACK:
            step = int(digits or 1)
            return self.turn + (step if key in _NEXT else -step)
        if key in ("e", "E"):
            return self.playback.next_event(self.turn, 1 if key == "e" else -1)
        if key == "G" or (key == "g" and digits):
            return int(digits) if key == "g" else self.playback.last
        return None

    def advance(self) -> None:
        """Go to the next turn; stop playing at the end."""
        self.turn = min(self.turn + 1, self.playback.last)
        self.is_playing = self.turn < self.playback.last


def _faster(speed: float) -> float:
    return next((one for one in SPEEDS if one > speed), SPEEDS[-1])


def _slower(speed: float) -> float:
    return next((one for one in reversed(SPEEDS) if one < speed), SPEEDS[0])


def watch(cursor: Cursor, *, heading: str, omniscient: bool, read_key: ReadKey, seat: int | None = None) -> None:
    """Show the match until the person at the keyboard quits; then restore the screen."""
    console = Console(highlight=False)
    with console.screen(hide_cursor=True):
        while not cursor.is_over:
            shown = page(cursor, heading=heading, omniscient=omniscient, seat=seat, size=console.size)
            console.clear()
            console.print(shown, end="", overflow="crop", no_wrap=True)
            due = time.monotonic() + 1 / cursor.speed
            key = read_key(max(0.0, due - time.monotonic()) if cursor.is_playing else None)
            if key:
                cursor.press(key)
            elif cursor.is_playing:
                cursor.advance()


def page(
    cursor: Cursor,
    *,
    heading: str,
    omniscient: bool,
    seat: int | None = None,
    size: ConsoleDimensions = ROOMY,
) -> Text:
    """Return the picture of one turn that fits a terminal; for a seat, the board as that seat knew it."""
    playback, turn = cursor.playback, cursor.turn
    below = Text()
    for fault in playback.faults(turn):
        bot = playback.record.header.seats[fault.seat].bot
        below.append(
            plain_text(f"{bot} (seat {fault.seat}) {fault.fault.words}: {fault.detail}\n", limit=200), "bold red"
        )
    if turn == playback.last:
        below.append(plain_text(ending_of(playback.record.header, playback.record.end)), "bold")
        below.append("\n")
    moving = f"playing, {cursor.speed:g} turns per second" if cursor.is_playing else f"paused, {cursor.speed:g}/s"
    typed = f", goto: {cursor.typed}_" if cursor.typed else ""
    rows = size.height - _lines_in(below, size.width) - 4  # heading, caption, position, keys
    picture, needed = _picture(playback, turn, omniscient=omniscient, seat=seat, rows=rows, columns=size.width)
    shown = Text()
    shown.append(f"{heading[: size.width]}\n", "bold")
    shown.append(f"{caption(playback, turn)[: size.width]}\n")
    shown.append_text(picture)
    shown.append("\n")
    shown.append_text(below)
    more = f"; the board needs {needed + 4} rows, the terminal has {size.height}" if needed else ""
    shown.append(f"turn {turn} of {playback.last}, {moving}{typed}{more}\n", "reverse")
    shown.append(KEYS, "dim")
    return shown


def _lines_in(text: Text, columns: int) -> int:
    """Return the number of terminal lines of a text that ends with a line break."""
    return sum(max(1, -(-line.cell_len // columns)) for line in text.split("\n")) if text else 0


def caption(playback: Playback, turn: int) -> str:
    """Return the actions that led to a turn."""
    line = playback.moment(turn).line
    if line is None:
        return "turn 0: start position"
    actions = ", ".join(f"seat {seat} {action}" for seat, action in line.actions.items())
    return plain_text(f"turn {turn}: {actions or 'the clock'}", limit=160)


def _picture(
    playback: Playback, turn: int, *, omniscient: bool, seat: int | None, rows: int, columns: int
) -> tuple[Text, int]:
    """Return the part of the board that fits, and how many rows the whole board needs; 0 if all of it fits."""
    moment, room = playback.moment(turn), playback.drawing_room
    if room is None:
        return Text(playback.game.render(moment.state)), 0
    drawing = room.draw(playback.game, moment.state, playback.states_before(turn), seat=seat)
    acting = [] if moment.line is None else list(moment.line.actions)
    follow = seat if seat is not None else int(acting[0]) if len(acting) == 1 else 0
    hides = HIDDEN if seat is None and not omniscient else ""
    return fitted_text(drawing, hides=hides, rows=rows, columns=columns, follow=follow)


@contextmanager
def keys_of_terminal() -> Iterator[ReadKey]:
    """Yield a function that reads single keys; ImportError on systems without such terminals."""
    import select  # noqa: PLC0415 - only needed here
    import termios  # noqa: PLC0415 - not on every system
    import tty  # noqa: PLC0415 - not on every system

    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    keys = Keys(lambda: os.read(number, 1024))

    def read(wait_s: float | None) -> str:
        if keys.are_waiting or select.select([number], [], [], wait_s)[0]:
            return keys.next()
        return ""

    try:
        tty.setcbreak(number)
        yield read
    finally:
        with suppress(termios.error):  # the terminal may have closed meanwhile
            termios.tcsetattr(number, termios.TCSADRAIN, before)


class Keys:
    """Splits what a terminal sends into keys; none is lost if several come at once."""

    def __init__(self, read: Callable[[], bytes]) -> None:
        self._read = read
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._waiting = ""

    @property
    def are_waiting(self) -> bool:
        """True if a key has been read already."""
        return bool(self._waiting)

    def next(self) -> str:
        """Return the next key: a character, the escape sequence of a key such as an arrow, or `END_OF_INPUT`."""
        if not self._waiting:
            try:
                pressed = self._read()
            except OSError:  # the terminal has closed
                pressed = b""
            self._waiting = self._decode(pressed) if pressed else END_OF_INPUT
        found = _KEY.match(self._waiting)
        key = "" if found is None else found[0]
        self._waiting = self._waiting[len(key) :]
        return key
