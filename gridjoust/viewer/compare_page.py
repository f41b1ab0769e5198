"""A page with two matches of a game side by side, from their first difference on."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from gridjoust.games.api import Dynamics
from gridjoust.leaderboard.wording import plural
from gridjoust.recorded.compare import Difference, Longer, first_difference
from gridjoust.runner.results.records.lines import MatchRecord, TurnLine
from gridjoust.runner.results.replay import game_of
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.text import plain_text
from gridjoust.viewer.match import match_view
from gridjoust.viewer.page import file_page

MODULES = ("settings", "page", "deltas", "board", "keys", "player", "panel", "compare")  # each after what it imports


def check_comparable(one: MatchRecord, other: MatchRecord) -> None:
    """Raise ConfigError if two matches cannot be compared: of two games, or with different numbers of seats."""
    for what in ("game", "seats"):
        got = [getattr(record.header, what) for record in (one, other)]
        first, second = (len(value) if what == "seats" else value for value in got)
        if first != second:
            raise ConfigError(
                f"expected two matches with equal game and number of seats, got {what} {first} and {second}"
            )


def describe_difference(one: MatchRecord, other: MatchRecord) -> tuple[int | None, str]:
    """Return the first turn that differs (None if none does), and a sentence that describes the difference."""
    is_real_time = game_of(one).spec.dynamics is Dynamics.REAL_TIME
    found = first_difference(one, other, with_stamps=not is_real_time)
    others = _other_deal(one, other)
    if found is None:
        turns = one.end.turns
        alike = f"the same actions in {'all ' if turns > 1 else ''}{plural(turns, 'turn')}" if turns else "no turns"
        return None, f"{others}{alike}, and the same end"
    detail = plain_text(_told(found))
    if found.turn is None:
        return min(one.end.turns, other.end.turns), f"{others}only the end differs: {detail}"
    return found.turn, f"{others}first different turn {found.turn}: {detail}"


def _told(difference: Difference) -> str:
    if isinstance(difference.found, Longer):
        return f"{'A' if difference.found is Longer.OLD else 'B'} goes on, the other one has ended"
    return "; ".join(f"{change.old} in A, {change.new} in B" for change in difference.found)


def _other_deal(one: MatchRecord, other: MatchRecord) -> str:
    names = [
        name for name in ("seed", "params", "game_version") if getattr(one.header, name) != getattr(other.header, name)
    ]
    words = {"params": "parameters", "game_version": "rules"}
    return f"other {' and '.join(words.get(name, name) for name in names)}; " if names else ""


def other_turns(one: MatchRecord, other: MatchRecord) -> list[int]:
    """Return every turn whose actions differ, or that only one of the matches has."""
    turns = ([line for line in record.lines if isinstance(line, TurnLine)] for record in (one, other))
    return [
        number
        for number, (before, after) in enumerate(zip_longest(*turns), start=1)
        if before is None or after is None or before.actions != after.actions
    ]


def comparison_view(one: MatchRecord, other: MatchRecord) -> dict[str, Any]:
    """Return the data of a comparison page, opened at the first difference; ConfigError as in `check_comparable`."""
    check_comparable(one, other)
    first, told = describe_difference(one, other)
    return {
        "matches": [match_view(one), match_view(other)],
        "first": first,
        "told": told,
        "others": other_turns(one, other),
    }


def comparison_page(one: MatchRecord, other: MatchRecord) -> str:
    """Return the page as a single self-contained file."""
    variant = plain_text(one.header.variant)
    return file_page(f"{variant}: two matches", comparison_view(one, other), body="compare.html", modules=MODULES)
