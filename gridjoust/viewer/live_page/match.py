"""A match that is being played, as the public or one seat sees it: it turns lines of its record into JSON events.

It reveals nothing that its reader may not know: drawings are public or the seat's, scores that the rules hide come
after the end, and faults come without details.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from time import monotonic
from typing import Any

from gridjoust.drawing.find import ROOM
from gridjoust.games import find_room
from gridjoust.games.api import AnyGame, Dynamics, Seat
from gridjoust.games.drawing import PUBLIC, Drawing
from gridjoust.runner.results.records.lines import EndLine, FaultLine, Header, TurnLine
from gridjoust.runner.results.records.reasons import ending_of
from gridjoust.runner.results.replay import apply_line, game_for
from gridjoust.runner.wire.text import plain_text
from gridjoust.viewer.frames import Shapes, Track
from gridjoust.viewer.match import plain_drawing

_MOST_LETTERS = 300
Event = dict[str, Any]


class RunningMatch:
    """One running match: `hear` takes its lines, `draw` returns the changes since the last drawing.

    RecordError if its game or rules version is not installed.
    """

    def __init__(self, header: Header, *, seat: Seat = PUBLIC) -> None:
        self.header = header
        self.end: EndLine | None = None
        self.is_broken = False  # a turn is missing: the state is unknown until the record is complete
        self.line = ""  # typed by the person in the seat: a game with `draw_line` draws what it would do
        self._game: AnyGame = game_for(header)
        self._seat = seat
        self._states: list[Any] = [self._game.initial_state(header.seed)]
        self._stamp = 0
        self._waiting: list[TurnLine] = []
        self._faults = [0] * len(header.seats)
        self._shapes = Shapes()
        self._track = Track(self._shapes)
        self._told: Event = {}
        self._told_shapes = 0
        self._heard_s = monotonic()  # when the newest state came

    @property
    def turn(self) -> int:
        """Number of the last turn that has come."""
        return len(self._states) - 1 + len(self._waiting)

    def hear(self, lines: Iterable[TurnLine | FaultLine | EndLine]) -> None:
        """Take the next lines of the record."""
        for line in lines:
            if isinstance(line, EndLine):
                self.end = line
            elif isinstance(line, FaultLine):
                self._faults[line.seat] += 1
            elif line.turn == self.turn + 1:
                self._waiting.append(line)
            else:
                self.is_broken = True

    def begin(self) -> Event:
        """Return the event with the facts that do not change in a match."""
        header = self.header
        return {
            "match": header.match_id,
            "begin": {
                "game": header.game,
                "variant": header.variant,
                "round": header.round,
                "map": plain_text(header.map, limit=_MOST_LETTERS),
                "seats": [{"bot": seat.bot, "role": seat.role} for seat in header.seats],
                "hides_scores": [one.score for one in self._seen().seats] != [one.score for one in self._true().seats],
            },
        }

    def draw(self) -> Event:
        """Return the changes since the last drawing as an event."""
        self._catch_up()
        frame = self._track.add(self._drawing())
        now = {**self._track.look(), "faults": list(self._faults), "is_broken": self.is_broken}
        news = {name: value for name, value in now.items() if self._told.get(name) != value}
        shapes, self._told_shapes = self._shapes.listed[self._told_shapes :], len(self._shapes.listed)
        self._told = now
        told = {"match": self.header.match_id, "turn": len(self._states) - 1, "stamp": self._stamp}
        if (left_s := self.left_s()) is not None:
            told["left_s"] = round(left_s, 1)
        return {**told, "shapes": shapes, "frame": frame, **news, **self._ending()}

    def drawing(self) -> Drawing | None:
        """Return the drawing of the newest state; None if the game hides things and has no public drawing."""
        self._catch_up()
        can_draw = self._game.spec.perfect_information or find_room(self.header.game, ROOM) is not None
        return self._drawing() if can_draw else None

    def left_s(self) -> float | None:
        """Return the seconds until the rules' next timer in a game in real time; None if none runs."""
        self._catch_up()
        due_ms = None if self.end is not None else self._game.wake_at(self._states[-1])
        if due_ms is None or self._game.spec.dynamics is not Dynamics.REAL_TIME:
            return None
        return max(0.0, (due_ms - self._stamp) / 1000 - (monotonic() - self._heard_s))

    def _catch_up(self) -> None:
        for line in self._waiting:
            self._states.append(apply_line(self._game, self._states[-1], line))
            self._stamp, self._heard_s = line.stamp, monotonic()
        self._waiting = []

    def _drawing(self) -> Drawing:
        """Return the drawing for the reader; scores that the rules hide are in it once the match is over."""
        seen = self._seen()
        if self.end is None or self.is_broken:
            return seen
        scores = {one.seat: one.score for one in self._true().seats}
        return replace(seen, seats=tuple(replace(one, score=scores.get(one.seat, one.score)) for one in seen.seats))

    def _seen(self) -> Drawing:
        """Return the drawing of what the reader may see while the match is played."""
        state, room = self._states[-1], find_room(self.header.game, ROOM)
        if room is not None:
            past, draw_line = self._states[:-1], getattr(room, "draw_line", None)
            drawing: Drawing = (
                room.draw(self._game, state, past, seat=self._seat)
                if draw_line is None or self._seat == PUBLIC
                else draw_line(self._game, state, past, self.line, seat=self._seat)
            )
            return drawing
        if self._game.spec.perfect_information:
            return plain_drawing(self._game, state)
        return Drawing(f"{self.header.game}: it hides things and has no public drawing", 1, 1, ())

    def _true(self) -> Drawing:
        """Return the drawing of the whole situation."""
        state, room = self._states[-1], find_room(self.header.game, ROOM)
        if room is None:
            return self._seen()
        drawing: Drawing = room.draw(self._game, state, self._states[:-1])
        return drawing

    def _ending(self) -> Event:
        if self.end is None:
            return {}
        text = plain_text(ending_of(self.header, self.end, is_replayed=True), limit=_MOST_LETTERS)
        return {"end": {"text": text, "ranks": self.end.ranks}}
