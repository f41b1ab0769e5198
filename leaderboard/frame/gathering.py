"""Gathers rows of the results, piece by piece, into the seats of a leaderboard, in little memory and without rounding.

A row of two sides takes some 100 bytes while rows are gathered, and some 60 as a seat.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gridjoust.leaderboard.frame.codes import (
    Floats,
    Growing,
    Indices,
    Mask,
    code_ids,
    combine,
    distinct,
    find_ids,
    first_of,
    pack_ids,
    places_of,
    shrunk,
    stretches,
    unpack_ids,
)
from gridjoust.runner.results.tables.schedule_file import is_adaptive

IDS = ("match_id", "pair_id", "actions_id")
TEXTS = ("game", "variant", "params_id", "map", "role", "bot", "planner", "bot_hash")
COUNTS = ("seat", "team", "rank", "faults", "forfeited", "turns_acted")
NUMBERS = ("points", "planning_ms_total", "nodes_expanded", "cpu_ms")  # missing where there is nothing to say
KNOWN = ("seed", *COUNTS, "counted", "returns")  # of these only returns may be missing, after a forfeit
WON = "won"  # the metric that a cooperative game reports when its goal was reached
_LARGEST = 2.0**53  # beyond it a float no longer holds every whole number


class Gathering:
    """Collects result rows: `add` them, `add_metrics` if a game says who won, then take the `seats` once."""

    def __init__(self) -> None:
        self._columns: defaultdict[str, Growing] = defaultdict(Growing)
        self._names: dict[str, dict[str, int]] = {name: {} for name in TEXTS}
        self._seats_of_last = 0.0  # of the match in the last row
        self.has_solo = False  # whether some match has no opponents: only those games say whether they were won

    def add(self, results: pd.DataFrame) -> None:
        """Add rows of `results.csv`; a missing column counts as empty. ValueError if a needed number is missing."""
        if results.empty:
            return
        if "seats" in results:
            self._seats_of_last = float(_floats(results["seats"])[-1])
        results = results.reindex(columns=[*IDS, *TEXTS, *KNOWN, *NUMBERS, "schedule_reason"])
        self._columns["adaptive"].add(_is_adaptive(results["schedule_reason"]))
        for name, values in _numbers(results).items():
            self._columns[name].add(values)
        self.has_solo |= bool(results["points"].isna().any())
        for name in IDS:
            self._columns[name].add(pack_ids(results[name].fillna("")))
        for name in TEXTS:
            self._columns[name].add(_codes(results[name], self._names[name]))

    def add_metrics(self, metrics: pd.DataFrame) -> None:
        """Add rows of `metrics.csv`; ValueError if a row's seat is missing."""
        own = metrics[metrics["metric"] == WON]
        seat = _floats(own["seat"])
        if not (is_known := np.abs(seat) <= _LARGEST).all():
            _refuse("metrics: seat", own["match_id"], seat, ~is_known)
        self._columns["won_match"].add(pack_ids(own["match_id"]))
        self._columns["won_seat"].add(shrunk(seat.astype(np.int64)))
        self._columns["won"].add(shrunk(_floats(own["value"])))

    def seats(self) -> pd.DataFrame:
        """Return a row per seat of the matches that count, sorted, each once; a last match that lacks rows is left out.

        ValueError for a match without returns in which no bot forfeited.
        Texts are categories, numbers that may be missing nan. Categories of `bot` are all bots of whole matches: one
        that occurs in no row has no counted match. `match`, `pair`, `deal` (the start position: one seed of a game,
        variant and map) and `actions` (the same for matches that went alike, -1 = not known) are codes.
        """
        ids, seat = self._taken("match_id"), self._taken("seat")
        match = code_ids(ids)
        names_of_matches = ids[first_of(match)]
        match_of_won = find_ids(self._taken("won_match"), names_of_matches)
        del ids
        whole = _whole(match, self._seats_of_last)
        rows = _kept(match, seat, whole & (self._taken("counted") == 1))
        match, seat = match[rows], shrunk(seat[rows])
        columns: dict[str, Any] = {
            "won": _won(match, seat, match_of_won, self._taken("won_seat"), self._taken("won")),
            "match": shrunk(combine(match)),
            "seat": seat,
            "pair": code_ids(self._taken("pair_id")[rows]),
            "actions": _known(self._taken("actions_id")[rows]),
        }
        for name, names in self._names.items():
            codes = self._taken(name)
            columns[name] = _categorical(codes[rows], list(names), kept=codes[whole] if name == "bot" else codes[rows])
        for name in ("seed", *COUNTS[1:], "returns", *NUMBERS):
            columns[name] = shrunk(self._taken(name)[rows])
        is_missing = np.isnan(columns["returns"])
        if is_missing.any():
            forfeits = np.bincount(columns["match"], columns["forfeited"])[columns["match"]]
            if (is_wrong := is_missing & (forfeits == 0)).any():
                name = unpack_ids(names_of_matches[match[is_wrong][:1]])[0].decode()
                raise ValueError(f"returns: expected a number in match {name}, got nothing")
            columns["returns"] = _with_least(columns["returns"], columns["game"].codes)
        columns["adaptive"] = self._taken("adaptive")[rows]
        of_deal = [columns[name].codes for name in ("game", "variant", "params_id", "map")]
        columns["deal"] = shrunk(combine(*of_deal, columns.pop("seed")))
        return pd.DataFrame(columns, copy=False)

    def _taken(self, name: str) -> NDArray[Any]:
        return self._columns[name].taken()


def seats_of(results: pd.DataFrame, metrics: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return the seats of the counted matches in these tables, one row each, as `Gathering.seats` describes them."""
    gathering = Gathering()
    gathering.add(results)
    if metrics is not None:
        gathering.add_metrics(metrics)
    return gathering.seats()


def _numbers(results: pd.DataFrame) -> dict[str, NDArray[Any]]:
    """Return the numeric columns by name; in rows that do not count, unknown numbers are -1."""
    found = {name: _floats(results[name]) for name in (*KNOWN, *NUMBERS)}
    is_counted = found["counted"] == 1
    for name in KNOWN:
        is_known = np.abs(found[name]) <= _LARGEST
        if name == "returns":
            is_known |= np.isnan(found[name])
        if not is_known[is_counted].all():
            _refuse(name, results["match_id"], found[name], is_counted & ~is_known)
        found[name][~is_known] = -1
    whole = {name: found[name].astype(np.int64) for name in ("seed", *COUNTS, "counted")}
    return {name: shrunk(values) for name, values in (found | whole).items()}


def _with_least(returns: Floats, game: Indices) -> Floats:
    """Fill in the returns (nan) that forfeits left out: each counts as the lowest of its game, but at most 0.

    So a bot cannot climb by forfeiting matches that go badly.
    """
    is_missing = np.isnan(returns)
    least = np.zeros(int(game.max()) + 1)
    np.minimum.at(least, game[~is_missing], returns[~is_missing])
    return np.where(is_missing, least[game], returns)


def _is_adaptive(reasons: pd.Series[Any]) -> Mask:
    """Return a mask of the rows whose match was chosen by earlier results."""
    kinds = reasons.astype("category").cat
    starts = [is_adaptive(str(reason)) for reason in kinds.categories]
    marks = np.array([*starts, False], dtype=np.bool_)
    codes: Indices = kinds.codes.to_numpy()
    found: Mask = marks.take(codes)  # -1: no reason
    return found


def _known(actions: NDArray[Any]) -> Indices:
    """Return a code for each id, equal for equal ids; -1 for a missing id."""
    codes = code_ids(actions)
    if actions.dtype.kind == "S":
        codes[actions == b""] = -1
    return codes


def _whole(match: Indices, seats_of_last: float) -> Mask:
    """Return a mask of the rows of complete matches; the last match is left out if it lacks rows."""
    is_whole: Mask = np.ones(len(match), dtype=bool)
    if len(match) and int((is_last := match == match[-1]).sum()) < seats_of_last:
        is_whole[is_last] = False
    return is_whole


def _kept(match: Indices, seat: Indices, is_counted: Mask) -> Indices:
    """Return the numbers of the counted rows, by match and seat; of several rows for one seat of a match, the first."""
    order = np.lexsort((seat, match))
    is_new = np.ones(len(order), dtype=bool)
    is_new[1:] = False
    for key in (match, seat):
        is_new[1:] |= key[order[1:]] != key[order[:-1]]
    return order[is_new & is_counted[order]]


def _won(match: Indices, seat: Indices, matches: Indices, seats: Indices, values: Floats) -> Floats:
    """Return for each (`match`, `seat`) the last of the listed values that belong to it; nan if there is none.

    `matches`, `seats` and `values` have an element for each listed value.
    """
    if not len(values):
        return np.full(len(match), np.nan, dtype=np.float32)
    seat_width = 1 + max(int(one.max(initial=0)) for one in (seat, seats))
    given = matches.astype(np.int64) * seat_width + seats
    order = np.argsort(given, kind="stable")
    given = given[order]
    found = np.full(len(match), np.nan, dtype=values.dtype)
    for rows in stretches(match):
        wanted = match[rows].astype(np.int64) * seat_width + seat[rows]
        at = np.maximum(0, np.searchsorted(given, wanted, side="right") - 1)
        found[rows] = np.where(given[at] == wanted, values[order[at]], np.nan)
    return found


def _floats(column: pd.Series[Any]) -> Floats:
    return column.to_numpy(dtype=np.float64, na_value=np.nan, copy=True)


def _codes(texts: pd.Series[Any], names: dict[str, int]) -> Indices:
    """Return the number of each text in `names`, and add new texts to `names`; a missing text counts as ""."""
    found = texts.astype("category").cat.remove_unused_categories()
    numbers = [names.setdefault(str(name), len(names)) for name in found.cat.categories]
    if found.hasnans:
        numbers.append(names.setdefault("", len(names)))  # the last: its code is -1
    return shrunk(np.array(numbers, dtype=np.int64)[found.cat.codes.to_numpy()])


def _categorical(codes: Indices, names: Sequence[str], *, kept: Indices) -> pd.Categorical:
    """Return the texts of these codes as a column whose categories are the sorted texts of the `kept` codes."""
    occurring = sorted(distinct(kept).tolist(), key=lambda code: names[code])
    place = places_of(np.array(occurring, dtype=np.int64), count=len(names))
    return pd.Categorical.from_codes(place[codes], categories=pd.Index([names[code] for code in occurring]))


def _refuse(name: str, matches: pd.Series[Any], values: Floats, is_wrong: Mask) -> None:
    at = int(np.flatnonzero(is_wrong)[0])
    got = "nothing" if np.isnan(values[at]) else f"{values[at]:g}"
    raise ValueError(f"{name}: expected a number in match {matches.iloc[at]}, got {got}")
