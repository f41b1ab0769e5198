"""A results folder -> one HTML page that fetches nothing. Chooses the order of things, counts nothing itself."""

from __future__ import annotations

import base64
import hashlib
import os
from functools import cache
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from leaderboard.report.blocks import Chapter, Page, kind_of, present
from leaderboard.report.headline import headline, sentences, warnings_of
from leaderboard.report.sections.circles import circles_section
from leaderboard.report.sections.conditions import conditions_section, facts_of, played_text
from leaderboard.report.sections.cost import cost_section
from leaderboard.report.sections.effects import effects_section
from leaderboard.report.sections.faults import faults_section
from leaderboard.report.sections.head_to_head import head_to_head_section
from leaderboard.report.sections.metrics import metrics_section
from leaderboard.report.sections.pairs import pairs_section
from leaderboard.report.sections.ranking import games_section, planners_section, roles_section, standings_section
from leaderboard.report.sections.scores import scores_section
from leaderboard.report.sections.seeds import seeds_section
from leaderboard.report.sections.settling import settling_section
from leaderboard.report.sections.surprises import Place, surprises_section
from leaderboard.report.source import Scope, Source, parts, whole
from leaderboard.standings import RankedBy
from leaderboard.wording import plural
from runner import __version__

REPORT = "report.html"


def write_report(source: Source, out: Path | None = None) -> Path:
    """Make the page of a results folder and replace `out` (default: `report.html` in the folder) at once; its path.

    ConfigError if there is no match.
    """
    out = source.folder / REPORT if out is None else out
    text = make_report(source, page_folder=out.parent)
    out.parent.mkdir(parents=True, exist_ok=True)
    temporary = out.with_name(out.name + ".part")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(out)
    return out


def make_report(source: Source, *, page_folder: Path) -> str:
    """The page as text; links to records are relative to `page_folder`."""
    link = os.path.relpath(source.folder, page_folder)
    return render(make_page(source, Place(Path(link).as_posix(), source.folder.as_posix())))


def make_page(source: Source, place: Place) -> Page:
    """Verdict first, then what it rests on, then game by game, then how to repeat it."""
    all_games = whole(source)
    chapters = [
        _whole_chapter(all_games, source, place),
        *(_game_chapter(part, source, place) for part in parts(source)),
    ]
    matches = int(source.results["match_id"].nunique())
    name = str(source.results["tournament"].iloc[0])
    end = Chapter("end", "", "", (conditions_section(source, folder=place.command),))
    return Page(
        title=name,
        subtitle=" · ".join(
            filter(
                None,
                (
                    plural(len(all_games.bots), "bot"),
                    plural(int(source.results["game"].nunique()), "game"),
                    plural(matches, "match"),
                    played_text(source.results),
                ),
            )
        ),
        facts=facts_of(source),
        verdict=headline(all_games.board),
        verdict_lines=sentences(all_games),
        warnings=warnings_of(all_games),
        chapters=(*chapters, end),
        colophon=f"Made by joust {__version__} from results.csv, metrics.csv and turns.csv.gz alone.",
    )


def render(page: Page) -> str:
    """The page as HTML text."""
    style, script = _style(), _script()
    return (
        _templates()
        .get_template("page.html.j2")
        .render(page=page, style=style, script=script, style_hash=_hash(style), script_hash=_hash(script))
    )


def _whole_chapter(scope: Scope, source: Source, place: Place) -> Chapter:
    is_one_game = source.results["variant"].nunique() == 1
    has_one_rating = is_one_game or scope.board.ranked_by is RankedBy.RATING
    sections = [
        standings_section(scope),
        planners_section(scope),
        games_section(scope),
        roles_section(scope) if is_one_game else None,
        faults_section(scope),
        metrics_section(scope) if is_one_game else None,
        head_to_head_section(scope),
        pairs_section(scope, stop=source.stop) if has_one_rating else None,
        circles_section(scope) if has_one_rating else None,
        seeds_section(scope),
        settling_section(scope),
        scores_section(scope) if is_one_game else None,
        cost_section(scope),
        effects_section(scope) if is_one_game else None,
        surprises_section(scope, place) if has_one_rating else None,
    ]
    return Chapter(scope.slug, "", "", present(sections))


def _game_chapter(scope: Scope, source: Source, place: Place) -> Chapter:
    matches = plural(int(scope.played["match_id"].nunique()), "match")
    sections = present(
        [
            standings_section(scope),
            roles_section(scope),
            metrics_section(scope),
            head_to_head_section(scope),
            pairs_section(scope, stop=source.stop),
            circles_section(scope),
            seeds_section(scope),
            scores_section(scope),
            cost_section(scope),
            effects_section(scope),
            surprises_section(scope, place),
        ]
    )
    return Chapter(
        scope.slug, scope.title, f"{matches} of {plural(len(scope.bots), 'bot')}. {headline(scope.board)}", sections
    )


@cache
def _templates() -> Environment:
    found = Environment(
        loader=PackageLoader("leaderboard.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["kind"] = kind_of
    return found


@cache
def _style() -> Markup:
    return Markup(_templates().get_template("page.css.j2").render())  # noqa: S704 - ours, without values


@cache
def _script() -> Markup:
    return Markup(_templates().get_template("page.js").render())  # noqa: S704 - ours, without values


def _hash(text: str) -> str:
    """For the content security policy: only this style and this script may take effect."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
