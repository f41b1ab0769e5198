"""Watching a match in a terminal: one picture that is redrawn in place, controlled by keys."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from gridjoust.drawing.terminal import board_text
from gridjoust.person.playback import HIDDEN, Playback
from gridjoust.runner.results.records.reasons import ending_of
from gridjoust.runner.wire.text import plain_text

KEYS = "space step, b back, p play, + - speed, e E events, 12 g turn 12, G end, q quit"  # fits 80 columns
SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)  # turns per second
_NEXT, _BACK = {" ", "\n", "\r", "n", "l", "\x1b[C"}, {"b", "h", "\x1b[D"}
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
        if key in ("q", "\x03", "\x04"):
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
            shown = page(cursor, heading=heading, omniscient=omniscient, seat=seat)
            console.clear()
            console.print(shown, end="", overflow="crop", no_wrap=True)
            due = time.monotonic() + 1 / cursor.speed
            key = read_key(max(0.0, due - time.monotonic()) if cursor.is_playing else None)
            if key:
                cursor.press(key)
            elif cursor.is_playing:
                cursor.advance()


def page(cursor: Cursor, *, heading: str, omniscient: bool, seat: int | None = None) -> Text:
    """Return the picture of one turn; for a seat, the board as that seat knew it."""
    playback, turn = cursor.playback, cursor.turn
    shown = Text()
    shown.append(f"{heading}\n", "bold")
    shown.append(f"{caption(playback, turn)}\n\n")
    shown.append_text(_picture(playback, turn, omniscient=omniscient, seat=seat))
    shown.append("\n\n")
    for fault in playback.faults(turn):
        bot = playback.record.header.seats[fault.seat].bot
        shown.append(
            plain_text(f"{bot} (seat {fault.seat}) {fault.fault.words}: {fault.detail}\n", limit=200), "bold red"
        )
    if turn == playback.last:
        shown.append(plain_text(ending_of(playback.record.header, playback.record.end)), "bold")
        shown.append("\n")
    moving = f"playing, {cursor.speed:g} turns per second" if cursor.is_playing else f"paused, {cursor.speed:g}/s"
    typed = f", goto: {cursor.typed}_" if cursor.typed else ""
    shown.append(f"turn {turn} of {playback.last}, {moving}{typed}\n", "reverse")
    shown.append(KEYS, "dim")
    return shown


def caption(playback: Playback, turn: int) -> str:
    """Return the actions that led to a turn."""
    line = playback.moment(turn).line
    if line is None:
        return "turn 0: start position"
    actions = ", ".join(f"seat {seat} {action}" for seat, action in line.actions.items())
    return plain_text(f"turn {turn}: {actions or 'the clock'}", limit=160)


def _picture(playback: Playback, turn: int, *, omniscient: bool, seat: int | None) -> Text:
    state, room = playback.moment(turn).state, playback.drawing_room
    if room is None:
        return Text(playback.game.render(state))
    drawing = room.draw(playback.game, state, playback.states_before(turn), seat=seat)
    return board_text(drawing, hides=HIDDEN if seat is None and not omniscient else "")


@contextmanager
def keys_of_terminal() -> Iterator[ReadKey]:
    """Yield a function that reads single keys; ImportError on systems without such terminals."""
    import select  # noqa: PLC0415 - only needed here
    import termios  # noqa: PLC0415 - not on every system
    import tty  # noqa: PLC0415 - not on every system

    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)

    def read(wait_s: float | None) -> str:
        return _read_key(number) if select.select([number], [], [], wait_s)[0] else ""

    try:
        tty.setcbreak(number)
        yield read
    finally:
        with suppress(termios.error):  # the terminal may have closed meanwhile
            termios.tcsetattr(number, termios.TCSADRAIN, before)


def _read_key(number: int) -> str:
    """Read one key; an arrow key sends three characters at once; the end of the input counts as `q`."""
    try:
        pressed = os.read(number, 8).decode("utf-8", "replace")
    except OSError:  # the terminal has closed
        return "q"
    return (pressed if pressed.startswith("\x1b[") else pressed[:1]) or "q"
