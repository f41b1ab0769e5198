"""A match as an animated picture, GIF or WebP: the board turn by turn, with a bot's debug layers over and beside it.

A long match leaves out turns, so that the film does not exceed the wanted duration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from gridjoust.bots.lens import ShownLayer
from gridjoust.drawing.find import draw_state
from gridjoust.drawing.pixels import MARGIN_PX, ROW_PX, Picture, colour_of, paint_board, paint_rows, write
from gridjoust.games.api import Seat
from gridjoust.games.drawing import Beside, Drawing, Ink, Shape
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.replay import game_of, replay
from gridjoust.runner.wire.text import plain_text

SUFFIXES = (".gif", ".webp")
_BOARD_PX = 400  # longer side of the board
_SMALL_PX = 130  # longer side of a small board beside it
_COLUMNS = 3  # columns of small boards
_GIF_COLOURS = 128
_WEBP_EFFORT = 60  # of 100; boards have few colours, so lossless films are smaller than lossy ones, and sharp
_MOST_LETTERS = 60
_LAST_MS = 1500  # duration of the last frame


@dataclass(frozen=True, slots=True)
class Thoughts:
    """The debug layers of one bot's seat, by turn of the question; the first of `names` is drawn over the board."""

    layers: Mapping[int, Sequence[ShownLayer]]
    names: Sequence[str]

    def at(self, turn: int, name: str) -> list[ShownLayer]:
        """Return the layers of this name for the state after this turn."""
        return [one for one in self.layers.get(turn + 1, ()) if one.name == name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """The part of a match that a film shows, and its speed."""

    first: int = 0
    last: int | None = None
    fps: float = 8.0  # frames per second, one turn each unless turns are left out
    seconds: float = 15.0  # longest duration
    seat: Seat | None = None  # show only what this seat knew

    def turns(self, end: int) -> list[int]:
        """Return the turns that are shown, evenly spread from the first to the last."""
        last = end if self.last is None else min(self.last, end)
        count = max(2, int(self.seconds * self.fps - self.fps * _LAST_MS / 1000))
        wanted = last - self.first + 1
        if wanted <= count:
            return list(range(self.first, last + 1))
        return [self.first + at * (wanted - 1) // (count - 1) for at in range(count)]


def film(
    record: MatchRecord,
    cut: Cut,
    thoughts: Thoughts | None = None,
    *,
    painted: Callable[[int, int], object] = lambda done, of: None,  # noqa: ARG005 - the default ignores progress
) -> list[Picture]:
    """Paint the frames of a film, all of one size; `painted` gets the number done and the total after each."""
    game, wanted = game_of(record), cut.turns(record.end.turns)
    frames: list[Picture] = []
    past: list[Any] = []
    for moment in replay(record):
        if moment.turn in wanted:
            drawing = draw_state(game, moment.state, past=past, seat=cut.seat)
            frames.append(_frame(record, drawing, moment.turn, thoughts))
            painted(len(frames), len(wanted))
        past.append(moment.state)
        if moment.turn >= wanted[-1]:
            break
    return _of_one_size(frames)


def _frame(record: MatchRecord, drawing: Drawing, turn: int, thoughts: Thoughts | None) -> Picture:
    cell_px = max(2, int(_BOARD_PX / max(drawing.width, drawing.height)))
    over = [] if thoughts is None or not thoughts.names else thoughts.at(turn, thoughts.names[0])
    board = paint_board(drawing, cell_px=cell_px, shown=over)
    beside = [] if thoughts is None else list(_small_boards(drawing, turn, thoughts))
    across = min(_COLUMNS, len(beside))
    width = max(_BOARD_PX, board.width) + across * (_SMALL_PX + MARGIN_PX) + 2 * MARGIN_PX
    rows = paint_rows([[Beside(shape, text)] for shape, text in _seats(record, drawing)], width_px=width)
    lines = -(-len(beside) // _COLUMNS)
    tall = max(board.height, lines * (_small_height(drawing) + ROW_PX))
    sheet = Image.new("RGB", (width, tall + ROW_PX + 2 * MARGIN_PX + rows.height), colour_of(Ink.FLOOR))
    told = f", over it: {thoughts.names[0]}" if thoughts is not None and thoughts.names else ""
    write(sheet, (MARGIN_PX, ROW_PX // 2), f"{record.header.game}, turn {turn} of {record.end.turns}{told}")
    sheet.paste(board, (MARGIN_PX, ROW_PX))
    left, top = max(_BOARD_PX, board.width) + 2 * MARGIN_PX, ROW_PX
    for at, (name, small) in enumerate(beside):
        x = left + at % _COLUMNS * (_SMALL_PX + MARGIN_PX)
        y = top + at // _COLUMNS * (_small_height(drawing) + ROW_PX)
        sheet.paste(small, (x, y))
        write(sheet, (x, y + small.height + ROW_PX // 2), name)
    sheet.paste(rows, (0, ROW_PX + tall + MARGIN_PX))
    return sheet


def _small_boards(drawing: Drawing, turn: int, thoughts: Thoughts) -> Iterator[tuple[str, Picture]]:
    for name in thoughts.names[1:]:
        yield name, paint_board(drawing, cell_px=_small_cell(drawing), shown=thoughts.at(turn, name))


def _small_cell(drawing: Drawing) -> int:
    return max(1, int(_SMALL_PX / max(drawing.width, drawing.height)))


def _small_height(drawing: Drawing) -> int:
    return round(drawing.height * _small_cell(drawing))


def _seats(record: MatchRecord, drawing: Drawing) -> Iterator[tuple[Shape, str]]:
    """Yield (icon, text) for each seat; the text is the name of its bot and its score."""
    for one in drawing.seats:
        bot = plain_text(record.header.seats[one.seat].bot, limit=_MOST_LETTERS)
        yield one.shape, f"{bot}, {one.text}"


def _of_one_size(frames: Sequence[Picture]) -> list[Picture]:
    """Pad all frames to the size of the largest, as some boards grow during a match."""
    size = max(one.width for one in frames), max(one.height for one in frames)
    if all(one.size == size for one in frames):
        return list(frames)
    sheets = [Image.new("RGB", size, colour_of(Ink.FLOOR)) for _ in frames]
    for sheet, one in zip(sheets, frames, strict=True):
        sheet.paste(one, (0, 0))
    return sheets


def write_film(path: Path, frames: Sequence[Picture], *, fps: float) -> None:
    """Write an endless film in the format of the suffix, one of `SUFFIXES`."""
    times = [round(1000 / fps)] * (len(frames) - 1) + [_LAST_MS]
    if path.suffix.lower() == ".webp":
        frames[0].save(
            path,
            save_all=True,
            append_images=frames[1:],
            duration=times,
            loop=0,
            lossless=True,
            quality=_WEBP_EFFORT,
            method=4,
        )
        return
    colours = _palette(frames)
    few = [one.quantize(palette=colours, dither=Image.Dither.NONE) for one in frames]
    few[0].save(path, save_all=True, append_images=few[1:], duration=times, loop=0, optimize=False)


def _palette(frames: Sequence[Picture]) -> Picture:
    """Return a palette for all frames, computed from about eight of them."""
    some = frames[:: max(1, len(frames) // 8)]
    strip = Image.new("RGB", (some[0].width, some[0].height * len(some)))
    for at, one in enumerate(some):
        strip.paste(one, (0, at * one.height))
    return strip.quantize(_GIF_COLOURS, dither=Image.Dither.NONE)
