"""Makes one HTML page of a results folder, which loads nothing from elsewhere. Its order of sections is set here."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Set
from functools import cache
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from gridjoust.leaderboard.report.blocks import Chapter, Page, Section, kind_of
from gridjoust.leaderboard.report.headline import headline, podium, sentences, warnings_of
from gridjoust.leaderboard.report.sections.conditions import conditions_section, facts_of, glossary_section, played_text
from gridjoust.leaderboard.report.sections.cost import cost_section
from gridjoust.leaderboard.report.sections.duels import (
    circles_section,
    head_to_head_section,
    pairs_section,
    seeds_section,
)
from gridjoust.leaderboard.report.sections.effects import effects_section
from gridjoust.leaderboard.report.sections.faults import faults_section
from gridjoust.leaderboard.report.sections.ranking import (
    games_section,
    planners_section,
    roles_section,
    rounds_section,
    standings_section,
)
from gridjoust.leaderboard.report.sections.scores import metrics_section, scores_section
from gridjoust.leaderboard.report.sections.settling import settling_section
from gridjoust.leaderboard.report.sections.surprises import surprises_section
from gridjoust.leaderboard.report.source import Scope, Source, parts, whole
from gridjoust.leaderboard.standings import RankedBy
from gridjoust.leaderboard.wording import plural
from gridjoust.runner import __version__
from gridjoust.runner.wire.errors import naming

REPORT = "report.html"
_Make = Callable[[Scope], Section | None]
_SECTIONS: tuple[_Make, ...] = (
    standings_section,
    rounds_section,
    planners_section,
    games_section,
    roles_section,
    faults_section,
    metrics_section,
    head_to_head_section,
    pairs_section,
    circles_section,
    seeds_section,
    settling_section,
    scores_section,
    cost_section,
    effects_section,
    surprises_section,
)
_OF_ALL_GAMES: Set[_Make] = {planners_section, faults_section, settling_section}  # in no game's chapter
_OF_ONE_GAME: Set[_Make] = {roles_section, metrics_section, scores_section, effects_section}
_OF_ONE_RATING: Set[_Make] = {pairs_section, circles_section, surprises_section}


def write_report(source: Source, out: Path | None = None) -> Path:
    """Write the page of a results folder to `out` (default: `report.html` in it), atomically; return its path.

    ConfigError if there is no match.
    """
    out = source.folder / REPORT if out is None else out
    text = make_report(source)
    out.parent.mkdir(parents=True, exist_ok=True)
    temporary = out.with_name(out.name + ".part")
    with naming(out):
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(out)
    return out


def make_report(source: Source) -> str:
    """Return the HTML of the page."""
    style, script = _text("page.css.j2"), _text("page.js")
    page = make_page(source)
    template = _templates().get_template("page.html.j2")
    return template.render(page=page, style=style, script=script, style_hash=_hash(style), script_hash=_hash(script))


def make_page(source: Source) -> Page:
    """Return the contents of the page: the result and what it rests on, each game, then how to repeat it."""
    results, all_games = source.results, whole(source)
    is_one_game = results["variant"].nunique() == 1
    has_one_rating = is_one_game or all_games.board.ranked_by is RankedBy.RATING
    left_out = (set() if is_one_game else _OF_ONE_GAME) | (set() if has_one_rating else _OF_ONE_RATING)
    counted = (
        plural(len(all_games.bots), "bot"),
        plural(int(results["game"].nunique()), "game"),
        plural(int(results["match_id"].nunique()), "match"),
        played_text(results),
    )
    return Page(
        title=str(results["tournament"].iloc[0]),
        subtitle=" · ".join(filter(None, counted)),
        facts=facts_of(source),
        verdict=headline(all_games.board),
        podium=podium(all_games),
        verdict_lines=sentences(all_games),
        warnings=warnings_of(all_games),
        chapters=(
            Chapter("all", "", "", _sections(all_games, left_out)),
            *map(_game_chapter, parts(source)),
            Chapter("end", "", "", (conditions_section(source), glossary_section())),
        ),
        colophon=f"Made by joust {__version__} from the tables and logs of the results folder alone.",
    )


def _game_chapter(scope: Scope) -> Chapter:
    matches = plural(int(scope.played["match_id"].nunique()), "match")
    lead = f"{matches} of {plural(len(scope.bots), 'bot')}. {headline(scope.board)}"
    return Chapter(scope.slug, scope.title, lead, _sections(scope, _OF_ALL_GAMES))


def _sections(scope: Scope, left_out: Set[_Make]) -> tuple[Section, ...]:
    """Return the sections of a scope (tournament or game) that have something to show.

    `left_out`: functions of sections that are not wanted.
    """
    made = (make(scope) for make in _SECTIONS if make not in left_out)
    return tuple(section for section in made if section is not None)


@cache
def _templates() -> Environment:
    found = Environment(
        loader=PackageLoader("gridjoust.leaderboard.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["kind"] = kind_of
    return found


@cache
def _text(template: str) -> Markup:
    return Markup(_templates().get_template(template).render())  # noqa: S704 - ours, without values


def _hash(text: str) -> str:
    """Return the hash by which the content security policy allows this style or script and no other."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
