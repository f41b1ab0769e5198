"""The viewer's data on a record: what everyone and what each seat could see, answers, costs, events.

Names and texts of bots and people go to the page as text, never as markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gridjoust.drawing.find import ROOM
from gridjoust.games import find_room
from gridjoust.games.api import AnyGame, Dynamics, Seat
from gridjoust.games.drawing import SEATS, Drawing, Ink, Layer, Standing, Text
from gridjoust.games.svg import COLOURS, PATHS
from gridjoust.runner.results.records.lines import AnswerLine, FaultLine, MatchRecord
from gridjoust.runner.results.records.reasons import ending_of, reason_of
from gridjoust.runner.results.replay import game_of, replay
from gridjoust.runner.wire.text import plain_text
from gridjoust.viewer.frames import Shapes, Track, changed

FORMAT = 1
_COSTS = (
    *("planning_ms", "latency_ms", "cpu_ms"),
    *("expanded", "generated", "tactics", "frontier", "repaired", "reused", "plan_cost"),
)
_MOST_LETTERS = 2000  # of an action or a fault
_OFTEN = 3  # turns from one change of the returns to the next
_TIMED = (Dynamics.REAL_TIME, Dynamics.TICKED)


def match_view(
    record: MatchRecord, *, named: str = "", logs: Mapping[Seat, str] | None = None, has_seats: bool = True
) -> dict[str, Any]:
    """Return the data of a match's page; RecordError if its game or rules version is not installed.

    `named`: the record for `joust ask --record`, "" if that cannot find it. `logs`: the bots' output, by seat.
    `has_seats`: also what each seat could see.
    """
    game, header, end = game_of(record), record.header, record.end
    moments = list(replay(record))
    states = [moment.state for moment in moments]
    shapes = Shapes()
    tracks, standings = _tracks(game, states, shapes, range(game.seats) if has_seats else ())
    texts = _Texts()
    returns = [list(map(float, game.returns(state))) for state in states]
    stamps = [0, *(moment.line.stamp for moment in moments if moment.line)]
    return {
        "format": FORMAT,
        "match": header.match_id,
        "tournament": header.tournament,
        "game": header.game,
        "variant": header.variant,
        "rules": header.game_version,
        "round": header.round,
        "seed": header.seed,
        "params": dict(header.params),
        "seats": [
            {"bot": entry.bot, "planner": entry.planner, "role": entry.role, "ink": _ink(standings[0], seat).value}
            for seat, entry in enumerate(header.seats)
        ],
        "limits": [header.time.get(str(seat), {}).get("turn_ms") for seat in range(len(header.seats))],
        "named": named,
        "logs": {str(seat): text for seat, text in (logs or {}).items() if text},
        "inks": [ink.value for ink in COLOURS],
        "signs": {sign.value: path for sign, path in PATHS.items()},
        "shapes": shapes.listed,
        "tracks": tracks,
        "turns": len(moments) - 1,
        "stamps": stamps if game.spec.dynamics in _TIMED else [],
        "played": [
            {} if moment.line is None else {seat: texts.number(text) for seat, text in moment.line.actions.items()}
            for moment in moments
        ],
        "answers": _answers(record.answers, texts),
        "texts": texts.listed,
        "returns": changed(returns),
        "events": _events(record, returns, standings),
        "end": {
            "text": plain_text(ending_of(header, end), limit=_MOST_LETTERS),
            "ranks": end.ranks,
            "counted": end.counted,
        },
    }


def _ink(standings: Iterable[Standing], seat: Seat) -> Ink:
    """Return the seat's colour on the board, or a default colour if the drawing gives it none."""
    own = next((one.shape.ink for one in standings if one.seat == seat), Ink.TEXT)
    return SEATS[seat % len(SEATS)] if own is Ink.TEXT else own


class _Texts:
    """Numbers distinct texts, so that each is sent once."""

    def __init__(self) -> None:
        self.listed: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self.listed)
            self.listed.append(plain_text(text, limit=_MOST_LETTERS))
        return self._numbers[text]


def _tracks(
    game: AnyGame, states: Sequence[Any], shapes: Shapes, seats: Sequence[Seat]
) -> tuple[list[Any], list[tuple[Standing, ...]]]:
    """Return the drawings for the omniscient view, then for each of these seats, as JSON data.

    A seat with drawings equal to earlier ones has their index instead. The second value is the standings of all seats,
    by turn.
    """
    found: list[Any] = []
    standings: list[tuple[Standing, ...]] = []
    room = find_room(game.spec.name, ROOM)
    are_alike = game.spec.perfect_information and getattr(room, "SEATS_SEE_ALIKE", False)
    for seat in (None, *(seats if room is not None and not are_alike else ())):
        track = Track(shapes)
        for at, state in enumerate(states):
            drawing = plain_drawing(game, state) if room is None else room.draw(game, state, states[:at], seat=seat)
            track.add(drawing)
            if seat is None:
                standings.append(drawing.seats)
        made = track.as_json()
        found.append(next((at for at, other in enumerate(found) if other == made), made))
    if are_alike:
        found += [0] * len(seats)
    return found, standings


def plain_drawing(game: AnyGame, state: Any) -> Drawing:
    """Draw the text of a game that has no drawing, one letter per cell."""
    rows = game.render(state).splitlines()
    letters = [
        Text(x + 0.5, y + 0.5, letter, Ink.TEXT, 0.9)
        for y, row in enumerate(rows)
        for x, letter in enumerate(row)
        if letter != " "
    ]
    width = max(map(len, rows), default=1)
    return Drawing(game.spec.name, max(1, width), max(1, len(rows)), (Layer("text", tuple(letters)),))


def _answers(answers: Iterable[AnswerLine], texts: _Texts) -> dict[str, dict[str, list[Any]]]:
    """Return, by seat, the last answer of each turn as a list per column; empty columns are left out."""
    last: dict[Seat, dict[int, AnswerLine]] = {}
    for answer in answers:
        last.setdefault(answer.seat, {})[answer.turn] = answer
    found: dict[str, dict[str, list[Any]]] = {}
    for seat, by_turn in sorted(last.items()):
        columns: dict[str, list[Any]] = {"turn": list(by_turn)}
        columns["action"] = [texts.number(answer.action) for answer in by_turn.values()]
        for name in _COSTS:
            column = [_rounded(getattr(answer, name)) for answer in by_turn.values()]
            if any(value is not None for value in column):
                columns[name] = column
        found[str(seat)] = columns
    return found


def _rounded(value: float | None) -> float | None:
    return value if value is None or isinstance(value, int) else round(value, 2)


def _events(
    record: MatchRecord, returns: Sequence[Sequence[float]], standings: Sequence[Sequence[Standing]]
) -> list[list[Any]]:
    """Return `[turn, kind, seat, text]` in order of turns: faults, seats hit or out, changed scores, the end."""
    found: list[tuple[int, str, Seat | None, str]] = [
        (line.turn, line.fault.value, line.seat, plain_text(line.detail, limit=_MOST_LETTERS))
        for line in record.lines
        if isinstance(line, FaultLine)
    ]
    is_rare = _OFTEN * len(changed(returns)) < len(returns)  # in some games the returns change with every turn
    for turn in range(1, len(standings)):
        now = list(_changes_of(turn, standings[turn - 1], standings[turn]))
        if is_rare and not now and returns[turn] != returns[turn - 1]:
            now = [(turn, "returns", None, "the returns changed")]
        found += now
    found.append(
        (len(standings) - 1, "end", None, plain_text(reason_of(record.header, record.end), limit=_MOST_LETTERS))
    )
    return [list(event) for event in sorted(found, key=lambda event: event[0])]


def _changes_of(
    turn: int, before: Sequence[Standing], after: Sequence[Standing]
) -> Iterator[tuple[int, str, Seat | None, str]]:
    for old, new in zip(before, after, strict=False):
        if new.is_out and not old.is_out:
            yield turn, "death", new.seat, new.note or new.lives or "out"
        elif new.lives != old.lives and _number(new.lives) < _number(old.lives):
            yield turn, "hit", new.seat, f"{old.lives} to {new.lives}"
        if new.score != old.score and not new.is_out:
            yield turn, "score", new.seat, f"{old.score} to {new.score}"


def _number(text: str) -> float:
    """Return the first number in a text, 0 if it has none."""
    found = re.search(r"-?\d+", text)
    return float(found[0]) if found else 0.0
