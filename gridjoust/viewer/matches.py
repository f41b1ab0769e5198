"""The list of a results folder's matches for the page, read from `results.csv` alone."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from gridjoust import games
from gridjoust.leaderboard.decided import called, in_bracket_order, places_text, share_text
from gridjoust.leaderboard.standings import absence_text, excluded_of, titles_of
from gridjoust.runner.results.records.lines import Termination
from gridjoust.runner.results.records.reasons import named_ending, named_reason
from gridjoust.runner.results.tables.columns import RESULTS, STANDINGS
from gridjoust.runner.results.tables.schedule_file import Decision, Planned, read_planned, stage_of
from gridjoust.runner.wire.errors import ConfigError, naming
from gridjoust.runner.wire.text import plain_text

MOST_MATCHES = 20_000  # on one page, the newest
THUMBNAILS = 6  # of the newest matches, above the list
SEAT = ("bot", "planner", "role", "team", "rank", "points", "faults")
_MOST_LETTERS = 300

Row = Mapping[str, str]


def list_matches(results: Path, *, report: bool) -> dict[str, Any]:
    """Return the data of the page of all finished matches; ConfigError if the table cannot be read."""
    found = list(read_matches(results))
    shown = found[-MOST_MATCHES:]
    planned = read_planned(results)
    decision = None if planned is None else planned.decision
    return {
        "tournament": results.absolute().name,
        "report": report,
        "left_out": len(found) - len(shown),
        "installed": {name: _version(name) for name in {match["game"] for match in shown}},
        "matches": shown,
        "standings": _standings(results, decision),
        "decided": [] if decision is None else _decided_heads(decision),
        "notes": [] if planned is None else list(_notes(planned)),
        "bracket": [] if planned is None else _bracket(planned),
    }


def read_matches(results: Path) -> Iterator[dict[str, Any]]:
    """Yield the data of each match of a results folder; ConfigError if its table cannot be read."""
    path = results / RESULTS.file
    with naming(path), path.open(encoding="utf-8", newline="") as file:
        try:
            yield from matches_of(csv.DictReader(file))
        except (KeyError, ValueError, csv.Error) as error:
            raise ConfigError(f"{path}: expected the rows of a run, got: {error}") from None


def _standings(results: Path, decision: Decision | None) -> list[dict[str, Any]]:
    """Return the rows of the standings, best first; [] before the end of a run writes them."""
    path = results / STANDINGS.file
    if not path.is_file():
        return []
    with naming(path), path.open(encoding="utf-8", newline="") as file:
        try:
            return [_standing(row, decision) for row in csv.DictReader(file)]
        except (KeyError, ValueError, csv.Error) as error:
            raise ConfigError(f"{path}: expected the rows of standings, got: {error}") from None


def _decided_heads(decision: Decision) -> list[str]:
    """Return the headings of the values that decide the places, such as score and Buchholz; [] of a format without."""
    return [text for text in (decision.title, decision.tie_break) if text]


def _notes(planned: Planned) -> Iterator[str]:
    """Yield a sentence on how the format decided the places, and one for each bot that is kept from playing."""
    if planned.decision is not None:
        yield places_text(planned.decision)
    for bot, reason in excluded_of(planned).items():
        yield plain_text(absence_text(bot, reason), limit=_MOST_LETTERS)


def _standing(row: Row, decision: Decision | None) -> dict[str, Any]:
    places = () if decision is None else decision.places
    own = next((one for one in places if one.bot == row["bot"]), None)
    return {
        "decided": [] if own is None else [text for text in (own.result, own.tie_break) if text],
        "place": row["rank"],
        "bot": plain_text(row["bot"], limit=_MOST_LETTERS),
        "title": plain_text(row["title"], limit=_MOST_LETTERS),
        "score": f"{float(row['score_pct']):.1f} %" if row["score_pct"] else "",
        "met": "–".join(row[name] for name in ("wins", "draws", "losses")) if row["wins"] else "",
        "matches": row["matches"],
        "faults": row["faults"],
    }


def _bracket(planned: Planned) -> list[dict[str, Any]]:
    """Return the stages of a finished knockout, as the terminal shows them; [] before its end."""
    if planned.decision is None or planned.decision.format != "knockout":
        return []
    titles = titles_of(planned)
    return [
        {
            "stage": plain_text(one.name, limit=_MOST_LETTERS),
            "ties": [
                {
                    "bots": met.bots,
                    "called": [called(bot, titles) for bot in met.bots],
                    "scores": [share_text(share) for share in met.shares],
                    "winner": met.winner,
                    "note": met.note,
                }
                for met in one.encounters
            ],
        }
        for one in in_bracket_order(planned.decision)
    ]


def matches_of(rows: Iterable[Row]) -> Iterator[dict[str, Any]]:
    """Yield the data of each match from its rows; skip a match with fewer rows than seats, which is being written."""
    for match_id, of_match in groupby(rows, key=lambda row: row.get("match_id", "")):
        seats = list(of_match)
        first = seats[0]
        if len(seats) == _whole(first["seats"]) and None not in seats[-1].values():
            told = [_seat(row) for row in seats]
            yield {
                "id": match_id,
                "game": first["game"],
                "rules": first["game_version"],
                "variant": plain_text(first["variant"], limit=_MOST_LETTERS),
                "map": plain_text(first["map"], limit=_MOST_LETTERS),
                "round": _whole(first["round"]),
                "stage": plain_text(stage_of(first["schedule_reason"]), limit=_MOST_LETTERS),
                "termination": first["termination"],
                "ending": plain_text(_ending(seats), limit=_MOST_LETTERS),
                "turns": _whole(first["turns"]),
                "counted": first["counted"] == "1",
                "seats": told,
                "result": _result(told),
            }


def result_text(match: Mapping[str, Any]) -> str:
    """Return the result of a match in one line: `a 1 : 0 b` for two bots, `1. a · 2. b · 3. c` for more."""
    return "".join(match["seats"][part][0] if isinstance(part, int) else part for part in match["result"])


def _result(seats: Sequence[Sequence[Any]]) -> list[int | str]:
    """Return the parts of the result: numbers stand for the bots of these seats, texts for themselves.

    Two bots stand in the order of their seats, as their scores do in the reason of the end; more bots by rank. A bot
    that holds several seats of a team is named once.
    """
    named = {(seat[0], seat[3]): number for number, seat in reversed([*enumerate(seats)])}
    numbers = sorted(named.values())
    first, last = seats[numbers[0]], seats[numbers[-1]]
    if len(numbers) == 2 and first[3] != last[3] and None not in (first[5], last[5]):
        return [numbers[0], f" {_points(first[5])} : {_points(last[5])} ", numbers[1]]
    if len(numbers) == 1:
        return [numbers[0]]
    best = sorted(numbers, key=lambda number: seats[number][4])
    return [part for at, number in enumerate(best) for part in (f"{' · ' * (at > 0)}{seats[number][4]}. ", number)]


def _points(points: float) -> str:
    return "½" if points == 0.5 else f"{points:g}"


def _ending(seats: Sequence[Row]) -> str:
    forfeited = [seat for seat, row in enumerate(seats) if row["forfeited"] == "1"]
    reason = named_reason(seats[0]["reason"], [row["bot"] for row in seats], forfeited)
    return named_ending(Termination(seats[0]["termination"]), reason)


def _seat(row: Row) -> list[Any]:
    """Return the values of a seat, in the order of `SEAT`."""
    points = row["points"]
    numbers = (_whole(row["team"]), _whole(row["rank"]), float(points) if points else None, _whole(row["faults"]))
    return [*(plain_text(row[name], limit=_MOST_LETTERS) for name in SEAT[:3]), *numbers]


def _whole(text: str) -> int:
    return int(text) if text else 0


def _version(game: str) -> str | None:
    """Return the version of the game's installed rules, None if the game is not installed."""
    try:
        return games.load_game(game).spec.version
    except ValueError:
        return None
