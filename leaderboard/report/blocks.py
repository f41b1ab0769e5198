"""What a page is made of: sections of tables, figures and notes, as plain values. The only HTML in them is SVG."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class Column:
    """`kind` decides alignment and sorting; `hint` explains the heading."""

    title: str
    kind: Literal["name", "text", "number", "chart", "heat"] = "number"
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """Text or a drawing. `sort` is what the column sorts by where the text does not say it."""

    text: str = ""
    drawing: Markup | None = None
    css: str = ""
    hint: str = ""
    sort: float | None = None
    also: str = ""  # what people call a bot, beside its name


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table; the cell of the column of kind `name` is its heading."""

    cells: tuple[Cell, ...]
    css: str = ""


def line(*shown: str | Cell, css: str = "") -> Line:
    """Make a line of texts, drawings, and cells that say more."""
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
    """An entry of a legend: a square of a colour, or a drawing."""

    css: str
    text: str
    drawing: Markup | None = None


@dataclass(frozen=True, slots=True)
class ReportTable:
    """Rows under headings; `foot` holds the axes of chart columns. `heading` is the title in short, to be seen."""

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
    """Return a heat map of each bot on the left against each bot by its number."""
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
    """A chart with its legend and what to see in it."""

    title: str
    drawing: Markup
    legend: tuple[Key, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """Plain words; a warning stands out."""

    lines: tuple[str, ...]
    is_warning: bool = False


@dataclass(frozen=True, slots=True)
class Commands:
    """What to type, and why."""

    lines: tuple[tuple[str, str], ...]  # (purpose, command)


@dataclass(frozen=True, slots=True)
class Drawing:
    """Lines of characters of one width, as in a terminal."""

    text: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two figures side by side where there is room."""

    first: Figure
    second: Figure


@dataclass(frozen=True, slots=True)
class Sighting:
    """A match in which something was seen, and what shows it; "" if nothing does."""

    where: str
    command: str


@dataclass(frozen=True, slots=True)
class Incident:
    """A mistake that a bot made in one or more matches, to be unfolded."""

    bot: Cell
    said: str
    count: str
    log: str  # "" if none is kept
    seen: tuple[Sighting, ...]
    others: tuple[str, ...]  # ids of further matches


@dataclass(frozen=True, slots=True)
class Step:
    """A place on the podium."""

    rank: int
    bot: Cell
    strength: str
    matches: str


Block = ReportTable | Figure | Note | Commands | Drawing | Pair | Incident


@dataclass(frozen=True, slots=True)
class Section:
    """One question and its answer. `lead` answers it in a sentence, the blocks show how."""

    slug: str
    title: str
    lead: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """The sections of one game; the first chapter is the whole tournament."""

    slug: str
    title: str
    lead: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """Everything that the template shows, in its order."""

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
    """Return the name under which the template draws a block."""
    return type(block).__name__.lower()
