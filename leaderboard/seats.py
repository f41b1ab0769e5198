"""Rows of `results.csv` as arrays: what a leaderboard needs of every seat of every match that counts. Ranks nobody.

Rows may come from memory (typed) or from CSV (text), in any order; a row seen twice, as after merging folders, counts
once. The arrays are sorted by match and seat, so nothing that follows, rounding included, depends on the rows' order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from runner.tables.columns import Row, Value

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Mask = NDArray[np.bool_]
Ids = NDArray[np.bytes_]  # texts of which there are as many as matches, UTF-8

IDS = ("match_id", "pair_id", "actions_id")
TEXTS = ("game", "variant", "params_id", "map", "role", "bot", "planner")
KNOWN = ("seed", "seat", "team", "returns", "rank", "faults", "forfeited", "turns_acted", "counted")
OPTIONAL = ("points", "planning_ms_total", "nodes_expanded", "cpu_ms")
_LARGEST = 2**62  # of a combined key
WON = "won"  # the metric that a cooperative game reports when its goal was reached


@dataclass(frozen=True, slots=True)
class Coded:
    """Texts as indices into their sorted names."""

    codes: Indices
    names: tuple[str, ...]

    def take(self, at: Indices | Mask) -> Coded:
        """The texts at these places, names unchanged."""
        return Coded(self.codes[at], self.names)


@dataclass(frozen=True, slots=True)
class Seats:
    """One element per seat of a counted match; nan = missing.

    `deal` is the same for matches on one seed (of a game, variant and map), `actions` for matches that went alike
    (-1 = not known).
    """

    match: Indices
    pair: Indices
    deal: Indices
    actions: Indices
    game: Coded
    variant: Coded
    map: Coded
    role: Coded
    bot: Coded
    planner: Coded
    seat: Indices
    team: Indices
    rank: Indices
    faults: Indices
    forfeited: Indices
    turns_acted: Indices
    returns: Floats
    points: Floats
    planning_ms: Floats
    nodes_expanded: Floats
    cpu_ms: Floats
    won: Floats

    def __len__(self) -> int:
        return len(self.match)

    def where(self, mask: Mask) -> Seats:
        """The seats for which the mask holds; codes keep their meaning."""
        return Seats(
            match=self.match[mask],
            pair=self.pair[mask],
            deal=self.deal[mask],
            actions=self.actions[mask],
            game=self.game.take(mask),
            variant=self.variant.take(mask),
            map=self.map.take(mask),
            role=self.role.take(mask),
            bot=self.bot.take(mask),
            planner=self.planner.take(mask),
            seat=self.seat[mask],
            team=self.team[mask],
            rank=self.rank[mask],
            faults=self.faults[mask],
            forfeited=self.forfeited[mask],
            turns_acted=self.turns_acted[mask],
            returns=self.returns[mask],
            points=self.points[mask],
            planning_ms=self.planning_ms[mask],
            nodes_expanded=self.nodes_expanded[mask],
            cpu_ms=self.cpu_ms[mask],
            won=self.won[mask],
        )

    def renamed(self, bots: Coded) -> Seats:
        """The same seats under other names: a planner or a role in place of the bot."""
        return replace(self, bot=bots)


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns by name, as some reader found them: ids and texts (missing = ""), and numbers (missing = nan)."""

    ids: Mapping[str, Ids]
    texts: Mapping[str, Coded]
    numbers: Mapping[str, Floats]


def seats_of_rows(rows: Iterable[Row], *, metrics: Iterable[Row] = ()) -> Seats:
    """From rows one by one: for tournaments that fit in memory as rows. ValueError where a needed number is missing."""
    listed = list(rows)
    won = {(str(row["match_id"]), int(row["seat"] or 0)): _number(row["value"]) for row in metrics if _is_won(row)}
    ids = {name: make_ids(str(row.get(name) or "") for row in listed) for name in IDS}
    texts = {name: code_texts([str(row.get(name) or "") for row in listed]) for name in TEXTS}
    numbers = {
        name: np.array([_number(row.get(name)) for row in listed], dtype=np.float64) for name in (*KNOWN, *OPTIONAL)
    }
    keys = [(str(row["match_id"]), int(row["seat"] or 0)) for row in listed] if won else []
    numbers[WON] = np.array([won.get(key, np.nan) for key in keys]) if won else np.full(len(listed), np.nan)
    return seats_of_columns(Columns(ids, texts, numbers))


def seats_of_columns(columns: Columns) -> Seats:
    """Sorted, each seat once, counted matches only."""
    ids, numbers = columns.ids, columns.numbers
    match = code_ids(ids["match_id"])
    seat = numbers["seat"]
    order = np.lexsort((seat, match))
    is_new = np.ones(len(order), dtype=bool)
    is_new[1:] = (np.diff(match[order]) != 0) | (np.diff(seat[order]) != 0)
    at: Indices = order[is_new & (numbers["counted"][order] == 1)]
    _require(numbers, ids["match_id"], at)
    text = {name: coded.take(at) for name, coded in columns.texts.items()}
    number = {name: values[at] for name, values in numbers.items()}
    deal = combine(
        *(text[name].codes for name in ("game", "variant", "params_id", "map")), number["seed"].astype(np.int64)
    )
    whole = {name: number[name].astype(np.int64) for name in KNOWN if name != "returns"}
    return Seats(
        match=combine(match[at]),
        pair=code_ids(ids["pair_id"][at]),
        deal=deal,
        actions=np.where(ids["actions_id"][at] == b"", -1, code_ids(ids["actions_id"][at])),
        game=text["game"],
        variant=text["variant"],
        map=text["map"],
        role=text["role"],
        bot=text["bot"],
        planner=text["planner"],
        seat=whole["seat"],
        team=whole["team"],
        rank=whole["rank"],
        faults=whole["faults"],
        forfeited=whole["forfeited"],
        turns_acted=whole["turns_acted"],
        returns=number["returns"],
        points=number["points"],
        planning_ms=number["planning_ms_total"],
        nodes_expanded=number["nodes_expanded"],
        cpu_ms=number["cpu_ms"],
        won=number[WON],
    )


def code_texts(texts: Sequence[str]) -> Coded:
    """Indices into the sorted distinct texts."""
    names = tuple(sorted(set(texts)))
    index = {name: at for at, name in enumerate(names)}
    return Coded(np.array([index[text] for text in texts], dtype=np.int64), names)


def make_ids(texts: Iterable[str]) -> Ids:
    """Ids as bytes."""
    return np.array([text.encode() for text in texts], dtype=np.bytes_)


def code_ids(ids: Ids) -> Indices:
    """Index of each id among the sorted ids: eight bytes at a time as one number, which is quicker than as text."""
    width = -(-ids.dtype.itemsize // 8) * 8
    words = ids.astype(f"S{width}").view(">u8").reshape(len(ids), width // 8)
    codes = np.zeros(len(ids), dtype=np.int64)
    for word in words.T:
        codes = combine(codes, np.unique(word, return_inverse=True)[1].reshape(-1).astype(np.int64))
    return codes


def combine(*keys: Indices) -> Indices:
    """One index per distinct combination of non-negative keys, in lexicographic order."""
    combined, size = keys[0], _width(keys[0])
    for key in keys[1:]:
        width = _width(key)
        if size * width >= _LARGEST:
            combined = _dense(combined)
            size = _width(combined)
        if size * width >= _LARGEST:
            key = _dense(key)  # noqa: PLW2901
            width = _width(key)
        combined = combined * width + key
        size *= width
    return _dense(combined)


def first_of(codes: Indices) -> Indices:
    """Where each of the indices 0, 1, 2, ... first occurs; all of them do."""
    first = np.zeros(_width(codes) if len(codes) else 0, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return first


def distinct(codes: Indices) -> Indices:
    """The codes that occur, sorted; codes are small numbers."""
    return np.flatnonzero(np.bincount(codes))


def _width(key: Indices) -> int:
    return int(key.max(initial=0)) + 1


def _dense(values: Indices) -> Indices:
    """0, 1, 2, ... in place of the values that occur, in their order; by counting where sorting would be slower."""
    if _width(values) <= 4 * len(values) + 1024:
        place = np.cumsum(np.bincount(values) > 0) - 1
        return place[values].astype(np.int64)
    return np.unique(values, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _require(numbers: Mapping[str, Floats], match: Ids, at: Indices) -> None:
    for name in KNOWN:
        missing = np.flatnonzero(np.isnan(numbers[name][at]))
        if len(missing):
            raise ValueError(f"{name}: expected a number in match {match[at[missing[0]]].decode()}, got nothing")


def _number(value: Value) -> float:
    return float("nan") if value is None or value == "" else float(value)


def _is_won(row: Row) -> bool:
    return row["metric"] == WON
