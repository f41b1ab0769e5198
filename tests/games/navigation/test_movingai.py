"""The MovingAI formats with the traps of real files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gridjoust.games.grid import Cell
from gridjoust.games.navigation.board import Board
from gridjoust.games.navigation.movingai import (
    ScenRow,
    check_fits,
    format_map,
    format_scen,
    load_map,
    load_scen,
    own_queries,
    parse_map,
    parse_scen,
)
from tests.octile import MAPS, NAMES

MAP = "type octile\nheight 2\nwidth 7\nmap\n.GS@OTW\n.......\n"
ROW = "5\tmaps/dao/arena.map\t49\t50\t1\t11\t40\t12\t39.8284"


def scen(*rows: str, head: str = "version 1") -> tuple[ScenRow, ...]:
    return parse_scen("\n".join([head, *rows, ""]))


def with_line(number: int, line: str) -> str:
    lines = MAP.split("\n")
    lines[number - 1] = line
    return "\n".join(lines)


def test_height_comes_before_width_and_ground_and_swamp_alone_are_passable() -> None:
    assert parse_map(MAP) == Board(7, 2, bytes([0, 0, 0, 1, 1, 1, 1]) + bytes(7))


@pytest.mark.parametrize(
    "text",
    [
        MAP.replace("\n", "\r\n"),
        MAP.rstrip("\n"),
        MAP.replace("\n", "\r\n").removesuffix("\r\n"),
        MAP + "\n\n",
        "\ufeff" + MAP,
        MAP.replace("type octile", "type  octile "),
        MAP.replace("height 2", "height\t2"),
        MAP.replace("OTW\n", "OTW  \n"),
        MAP.replace("height 2\nwidth 7", "width 7\nheight 2"),
        MAP.replace("type octile", "Type Octile").replace("height", "HEIGHT"),
        MAP + "\x1a",
    ],
)
def test_maps_are_read_whatever_their_line_ends_and_spaces(text: str) -> None:
    assert parse_map(text) == parse_map(MAP)


def test_a_row_has_x_before_y() -> None:
    assert scen(ROW) == (ScenRow(5, "maps/dao/arena.map", 49, 50, Cell(1, 11), Cell(40, 12), 39.8284),)


@pytest.mark.parametrize("head", ["version 1", "version 1.0", "version 1\r", "version  1.0 ", "Version 1.0"])
def test_both_versions_are_read(head: str) -> None:
    assert len(scen(ROW, head=head)) == 1


def test_the_version_may_be_missing_and_a_length_may_have_an_exponent() -> None:
    [row] = parse_scen(ROW.replace("39.8284", "4e+00") + "\n\x1a")
    assert (row.bucket, row.length) == (5, 4.0)


def test_rows_of_other_maps_are_left_out_and_counted_and_lines_keep_their_numbers() -> None:
    rows = [ROW, ROW.replace("arena.map", "other.map"), ROW.replace("maps/dao/arena", "C:\\maps\\Arena")]
    text, others = own_queries("\n".join(["version 1", *rows]), "arena.map")
    assert text.splitlines() == ["version 1", rows[0], "", rows[2]]
    assert others == {"other.map": 1}


def test_queries_of_other_maps_alone_are_refused() -> None:
    rows = "\n".join(["version 1", *(ROW.replace("arena", name) for name in ("a", "b", "b", "c"))])
    with pytest.raises(
        ValueError, match=r"^expected a query of arena\.map, got those of b\.map, a\.map and 1 more map$"
    ):
        own_queries(rows, "arena.map")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (MAP.encode().replace(b"G", b"\xe4"), "line 5: expected UTF-8 text, got byte 0xe4 of another encoding"),
        (MAP.encode("utf-16"), "line 1: expected UTF-8 text, got byte 0xff of UTF-16"),
    ],
)
def test_text_in_another_encoding_is_named_with_its_line(tmp_path: Path, raw: bytes, expected: str) -> None:
    (tmp_path / "x.map").write_bytes(raw)
    with pytest.raises(ValueError, match=rf"x\.map: {expected}$"):
        load_map(tmp_path / "x.map")


def test_fields_may_stand_between_spaces_blank_lines_are_passed_over_and_tabs_allow_spaces_in_names() -> None:
    assert scen(ROW.replace("\t", " "), "", "  ", ROW) == scen(ROW, ROW)
    assert scen(ROW.replace("arena", "the arena"))[0].map == "maps/dao/the arena.map"


@pytest.mark.parametrize(("goal", "length", "expected"), [(2, "0", False), (2, "0.0000", False), (1, "0", True)])
def test_length_zero_says_unreachable_unless_the_ends_are_equal(goal: int, length: str, expected: bool) -> None:
    assert scen(f"0\tx.map\t4\t4\t1\t1\t1\t{goal}\t{length}")[0].is_reachable is expected


REFUSED = [
    (parse_map, "", "line 1: expected 'type octile' or 'type tile', got 'the end'"),
    (parse_map, with_line(1, "type hex"), "line 1: expected 'type octile'"),
    (parse_map, with_line(2, "width 7"), "line 2: expected 'height' and a whole number above 0, got 'width 7'"),
    (parse_map, with_line(2, "height two"), "line 2: expected 'height' and a whole number above 0"),
    (parse_map, with_line(3, "width 0"), "line 3: expected 'width' and a whole number above 0"),
    (parse_map, with_line(3, "width -7"), "line 3: expected 'width' and a whole number above 0"),
    (parse_map, with_line(4, "......."), "line 4: expected 'map'"),
    (parse_map, with_line(2, "height 3"), "line 6: expected 3 rows, got 2"),
    (parse_map, with_line(2, "height 1"), "line 6: expected 1 rows, got 2"),
    (parse_map, with_line(6, "......"), "line 6: expected 7 signs, got 6"),
    (parse_map, with_line(6, "........"), "line 6: expected 7 signs, got 8"),
    (parse_map, with_line(6, "...#..."), "line 6: expected signs . G S @ O T W, got '#'"),
    (parse_scen, "", "line 1: expected 'version 1' or 'version 1.0', got 'the end'"),
    (parse_scen, "version 2\n" + ROW, "line 1: expected 'version 1'"),
    (parse_scen, "version 1\n" + ROW.removesuffix("\t39.8284"), "line 2: expected bucket, map, width"),
    (parse_scen, "version 1\n" + ROW.removeprefix("5\t"), "line 2: expected bucket, map, width"),
    (parse_scen, "version 1\n" + ROW.replace("\t1\t", "\t-1\t"), "line 2: expected bucket, map, width"),
    (parse_scen, "version 1\n" + ROW.replace("\t1\t", "\t1.5\t"), "line 2: expected bucket, map, width"),
    (parse_scen, "version 1\n" + ROW.replace("39.8284", "inf"), "line 2: expected a length of at least 0, got 'inf'"),
    (parse_scen, "version 1\n" + ROW.replace("39.8284", "-1"), "line 2: expected a length of at least 0, got '-1'"),
    (parse_scen, "version 1\n" + ROW.replace("39.8284", "nan"), "line 2: expected a length of at least 0, got 'nan'"),
]


@pytest.mark.parametrize(("parse", "text", "expected"), REFUSED)
def test_bad_maps_and_queries_are_refused_by_line(parse: Callable[[str], object], text: str, expected: str) -> None:
    with pytest.raises(ValueError, match=f"^{expected}"):
        parse(text)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("0\tx.map\t4\t2\t0\t0\t1\t1\t1", "expected a map of 4 x 2, as the query says, got 7 x 2"),
        ("0\tx.map\t7\t2\t7\t0\t1\t1\t1", "start: expected a cell on the map, got \\(7, 0\\)"),
        ("0\tx.map\t7\t2\t0\t0\t0\t2\t1", "goal: expected a cell on the map, got \\(0, 2\\)"),
        ("0\tx.map\t7\t2\t0\t0\t3\t0\t1", "goal: expected a passable cell, got a blocked one at \\(3, 0\\)"),
    ],
)
def test_queries_of_another_map_are_told_apart(row: str, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        check_fits(scen(row)[0], parse_map(MAP))


def test_files_are_read_and_bad_ones_named(tmp_path: Path) -> None:
    (tmp_path / "x.map").write_bytes(MAP.replace("\n", "\r\n").encode())
    (tmp_path / "x.map.scen").write_bytes(b"version 1.0\r\n" + ROW.encode() + b"\r\n")
    assert load_map(tmp_path / "x.map") == parse_map(MAP)
    assert load_scen(tmp_path / "x.map.scen") == scen(ROW)
    (tmp_path / "x.map").write_text("nonsense")
    for load in (load_map, load_scen):
        with pytest.raises(ValueError, match=r"x\.map: line 1: expected"):
            load(tmp_path / "x.map")


@pytest.mark.parametrize("name", NAMES)
def test_maps_and_queries_are_written_as_they_are_read(name: str) -> None:
    board, rows = load_map(MAPS / f"{name}.map"), load_scen(MAPS / f"{name}.map.scen")
    assert parse_map(format_map(board)) == board
    assert parse_scen(format_scen(rows)) == rows
