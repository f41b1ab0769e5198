"""`joust look`: a page of a recorded match with the debug layers that one of its bots draws in every turn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gridjoust.commands.shared.consent import YesOption, require_consent
from gridjoust.commands.shared.film import FPS, SECONDS, FilmOption, SecondsOption, check_film, make_film
from gridjoust.commands.shared.output import say
from gridjoust.leaderboard.wording import plural
from gridjoust.recorded.search_trace import SearchTrace, entrants_named, trace_searches
from gridjoust.recorded.source import Source, load_source, resolve_record
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.text import plain_text
from gridjoust.viewer.files import match_view_of
from gridjoust.viewer.page import match_page


def look(
    record: Annotated[Path, typer.Argument(help="A match record, RESULTS/ID, or a match id or its first characters.")],
    bot: Annotated[str, typer.Option(help="The bot, by its name in the tournament.")],
    html: Annotated[Path, typer.Option(help="The HTML page to write.")] = Path("look.html"),
    film: FilmOption = None,
    layer: Annotated[
        list[str] | None,
        typer.Option(
            help="With --film: a layer to show; may be repeated, the first is drawn over the board; default: all."
        ),
    ] = None,
    seconds: SecondsOption = SECONDS,
    first: Annotated[int, typer.Option(min=1, help="First turn to ask about.")] = 1,
    last: Annotated[int | None, typer.Option(min=1, help="Last turn to ask about; default: the match's last.")] = None,
    yes: YesOption = False,
) -> None:
    """Ask a bot the questions of a recorded match again, and show its debug layers: maps, paths, search."""
    if film is not None:
        check_film(film)
    path = resolve_record(record)
    source = load_source(path)
    if html.is_dir():
        raise ConfigError(f"--html: expected a file to write, got the folder {html}")
    end = source.record.end.turns + 1
    if first > end:
        raise ConfigError(f"--first: expected 1 to {end}, got {first}")
    entrants = entrants_named(source, bot)
    require_consent(path.absolute().parent.parent, [one.program for one in entrants], is_given=yes)
    trace = trace_searches(source, entrants, first=first, last=min(last or end, end))
    if film is not None:
        _report(trace)
        _write_film(film, source, trace, wanted=layer, seconds=seconds, first=first, last=last)
        return
    html.write_text(match_page(match_view_of(path, source.record) | {"search": trace.as_json()}), encoding="utf-8")
    _report(trace)
    print(f"page: {html}")


def _write_film(
    path: Path,
    source: Source,
    trace: SearchTrace,
    *,
    wanted: list[str] | None,
    seconds: float,
    first: int,
    last: int | None,
) -> None:
    """Write a film for the bot's first seat; each frame shows a position and the debug layers of the question in it."""
    from gridjoust.viewer.film import Cut, Thoughts

    layers = trace.layers_of(min(trace.layers, default=0))
    names = list(dict.fromkeys(one.name for shown in layers.values() for one in shown if one.kind != "text"))
    for name in wanted or ():
        if not names:
            raise ConfigError("--layer: the bot drew no layers")
        if name not in names:
            raise ConfigError(f"--layer: expected one of {', '.join(names)}, got {name!r}")
    cut = Cut(first=first - 1, last=None if last is None else last - 1, fps=FPS, seconds=seconds)
    make_film(path, source.record, cut, Thoughts(layers, wanted or names))


def _report(trace: SearchTrace) -> None:
    shown = sum(bool(layers) for turns in trace.layers.values() for layers in turns.values())
    questions = plural(trace.answered, "question")
    say(plain_text(f"{trace.bot}: {questions} asked, {plural(shown, 'turn')} with debug layers"))
    if not shown:
        say("this bot draws no debug layers in these turns (see `self.show`)")
    if trace.crash:
        say(plain_text(f"{trace.bot} crashed in {trace.crash}"))
    if trace.differences:
        first = trace.differences[0]
        said = plain_text(f"turn {first.turn}, seat {first.seat}: recorded {first.recorded}, now {first.now}")
        say(f"{len(trace.differences)} answers differ from the recorded ones: first in {said}")
    if trace.left_out:
        left_out = f"{plural(trace.left_out, 'layer')} left out"
        say(f"{left_out}: more than 64 kB for one answer, or not valid in the protocol")
