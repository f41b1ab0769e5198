"""The parts of a report page: sections of tables, figures and notes, as plain values. The only HTML in them is SVG."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; `kind` decides alignment and sorting; `hint` explains the heading."""

    title: str
    kind: Literal["name", "text", "number", "chart", "heat"] = "number"
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: text or a drawing. `sort`: the value to sort by if it does not follow from the text."""

    text: str = ""
    drawing: Markup | None = None
    css: str = ""
    hint: str = ""
    sort: float | None = None
    also: str = ""  # what people call a bot, beside its name


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table; the cell in the column of kind `name` is the row's heading."""

    cells: tuple[Cell, ...]
    css: str = ""


def line(*shown: str | Cell, css: str = "") -> Line:
    """Make a row of a table from texts and cells."""
    return Line(tuple(map(_cell, shown)), css)


def _cell(shown: str | Cell) -> Cell:
    match shown:
        case Cell():
            return shown
        case Markup():
            return Cell(drawing=shown)
        case _:
            return Cell(shown)


@dataclass(frozen=True, slots=True)
class Key:
    """One item of a legend: a coloured square or a drawing, with its text."""

    css: str
    text: str
    drawing: Markup | None = None


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table of a page. `foot` holds the axes of chart columns; `heading` is a short title that is shown."""

    title: str
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    foot: tuple[Cell, ...] = ()
    css: str = ""
    is_sortable: bool = True
    legend: tuple[Key, ...] = ()
    note: str = ""
    heading: str = ""


def versus_table(
    title: str,
    bots: Sequence[Cell],
    cell: Callable[[str, str], Cell],
    *,
    legend: tuple[Key, ...],
    note: str,
    heading: str = "",
) -> ReportTable:
    """Return a heat map with the bots as rows and, by their numbers, as columns; `cell` makes the cell of two bots."""
    numbers = (
        Column(str(at), "heat", hint=", ".join(filter(None, (bot.text, bot.also)))) for at, bot in enumerate(bots, 1)
    )
    lines = [
        line(str(at), bot, *(Cell(css="self") if bot == other else cell(bot.text, other.text) for other in bots))
        for at, bot in enumerate(bots, 1)
    ]
    columns = (Column("#", hint="Place"), Column("bot", "name"), *numbers)
    return ReportTable(
        title, columns, tuple(lines), css="heatmap", is_sortable=False, legend=legend, note=note, heading=heading
    )


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with its legend and a text about what it shows."""

    title: str
    drawing: Markup
    legend: tuple[Key, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A paragraph of text; a warning stands out."""

    lines: tuple[str, ...]
    is_warning: bool = False


@dataclass(frozen=True, slots=True)
class Commands:
    """Commands for a terminal, and what they are for."""

    lines: tuple[tuple[str, str], ...]  # (purpose, command)


@dataclass(frozen=True, slots=True)
class Drawing:
    """Lines of fixed-width text, as in a terminal, such as a bracket."""

    text: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two figures of a page, side by side if there is room."""

    first: Figure
    second: Figure


@dataclass(frozen=True, slots=True)
class Sighting:
    """A match in which a mistake occurred, and the command that shows it; "" if there is none."""

    where: str
    command: str


@dataclass(frozen=True, slots=True)
class Incident:
    """A mistake that a bot made in one or more matches; the page unfolds it on request."""

    bot: Cell
    said: str
    count: str
    log: str  # "" if none is kept
    seen: tuple[Sighting, ...]
    others: tuple[str, ...]  # ids of further matches


@dataclass(frozen=True, slots=True)
class Step:
    """One of the first three places, for the podium."""

    rank: int
    bot: Cell
    strength: str
    matches: str


Block = ReportTable | Figure | Note | Commands | Drawing | Pair | Incident


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a page: `lead` answers its question in a sentence, the blocks show the details."""

    slug: str
    title: str
    lead: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """The sections on one game; the first chapter is about the whole tournament."""

    slug: str
    title: str
    lead: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """Everything that the page's template shows, in its order."""

    title: str
    subtitle: str
    facts: tuple[tuple[str, str], ...]
    verdict: str
    podium: tuple[Step, ...]
    verdict_lines: tuple[str, ...]
    warnings: tuple[str, ...]
    chapters: tuple[Chapter, ...]
    colophon: str


def kind_of(block: Block) -> str:
    """Return the name of the block's type, by which the template draws it."""
    return type(block).__name__.lower()
