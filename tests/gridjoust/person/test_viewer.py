"""Watching a match: keys, pictures in a terminal, and one real terminal."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import ConsoleDimensions
from rich.text import Text

from gridjoust import games
from gridjoust.drawing.terminal import board_text, fitted_text
from gridjoust.games.drawing import Beside, Circle, Drawing, Icon, Ink, Layer, Line, Rect, Sign, Standing, figure, trail
from gridjoust.person.playback import Playback
from gridjoust.person.viewer import END_OF_INPUT, KEYS, SPEEDS, Cursor, Keys, page, watch
from gridjoust.runner.results.records.file import write_record
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.simulation import play

GROUND = Layer("ground", (Rect(0, 0, 3, 2, Ink.FLOOR),))


def rows(*layers: Layer, hides: str = "") -> list[str]:
    text = board_text(Drawing("t", 3, 2, (GROUND, *layers)), hides=hides)
    return text.plain.rstrip("\n").split("\n")


@pytest.fixture(scope="module")
def record() -> MatchRecord:
    return play("bomber", ["bomber/wanderer", "random"], seed=7, params={"max_ticks": 30}).record


@pytest.fixture
def cursor(record: MatchRecord) -> Cursor:
    return Cursor(Playback(record))


def pressed(cursor: Cursor, keys: str) -> int:
    for key in keys:
        cursor.press(key)
    return cursor.turn


def test_things_stand_in_their_cells_and_a_number_with_its_bomb() -> None:
    bomb = (Icon(1.5, 0.5, Sign.BOMB, Ink.SEAT_1), *figure((1, 0), "7", Ink.SEAT_1)[1:])
    assert rows(Layer("bombs", bomb), Layer("figures", figure((2, 1), "0", Ink.SEAT_0))) == ["  ◉7  ", "    0 "]


def test_a_figure_hides_what_it_stands_on_and_two_side_by_side_are_both_seen() -> None:
    on_bomb = (Icon(1.5, 0.5, Sign.BOMB, Ink.SEAT_1), *figure((1, 0), "3", Ink.SEAT_0))
    assert rows(Layer("figures", on_bomb))[0] == "  3   "
    pair = (Circle(0.3, 0.5, 0.2, Ink.RED), Circle(0.7, 0.5, 0.2, Ink.BLUE))
    assert rows(Layer("figures", pair))[0] == "●●    "


def test_lines_between_cells_are_walls_with_rows_of_their_own_and_ways_are_dots() -> None:
    wall = Line(((1, 0), (1, 1), (2, 1)), Ink.WALL, 0.12)
    assert rows(Layer("walls", (wall,))) == ["   ╷      ", "   │      ", "   └──╴   ", "          ", "          "]
    assert rows(Layer("trails", trail([(0, 0), (1, 0), (2, 1)], Ink.RED))) == ["· ·   ", "    · "]


def test_what_nobody_could_see_can_be_left_out_and_seats_and_legend_stand_below() -> None:
    hidden = Layer("hidden", figure((0, 0), "z", Ink.VIOLET))
    assert rows(hidden)[0] == "z     "
    assert rows(hidden, hides="hidden")[0] == "      "
    drawn = Drawing("t", 3, 2, (GROUND,), seats=(Standing(seat=0, shape=Circle(0.5, 0.5, 0.4, Ink.RED), lives="3 HP"),))
    assert board_text(drawn).plain.rstrip().endswith("●  seat 0: 3 HP")


def test_keys_step_jump_and_stay_within_the_match(cursor: Cursor) -> None:
    assert pressed(cursor, "  n") == 3
    assert pressed(cursor, "b") == 2
    assert pressed(cursor, "bbbb") == 0
    assert pressed(cursor, "12g") == 12
    assert pressed(cursor, "5 ") == 17
    assert pressed(cursor, "G") == cursor.playback.last == 30
    assert pressed(cursor, " ") == 30
    assert pressed(cursor, "0g") == 0
    cursor.press("\x1b[C")
    assert cursor.turn == 1
    assert not cursor.is_over
    cursor.press("q")
    assert cursor.is_over


def test_it_plays_by_itself_until_the_end_or_a_key_and_faster_or_slower(cursor: Cursor) -> None:
    cursor.press("p")
    assert cursor.is_playing
    cursor.advance()
    assert cursor.turn == 1
    cursor.press("b")
    assert not cursor.is_playing
    speed = cursor.speed
    cursor.press("+")
    assert cursor.speed > speed
    pressed(cursor, "-" * 20)
    assert cursor.speed == SPEEDS[0]
    pressed(cursor, "Gp")
    cursor.advance()
    assert (cursor.turn, cursor.is_playing) == (30, False)


def test_events_are_offences_changes_of_the_standing_and_both_ends(record: MatchRecord) -> None:
    playback = Playback(record)
    events = [turn for turn in range(playback.last + 1) if playback.is_event(turn)]
    returns = [playback.game.returns(playback.moment(turn).state) for turn in range(playback.last + 1)]
    changes = [turn for turn in range(1, playback.last + 1) if returns[turn] != returns[turn - 1]]
    assert events == sorted({0, *changes, playback.last})
    assert [playback.next_event(0, 1), playback.next_event(playback.last, -1)] == [events[1], events[-2]]


def test_a_page_says_what_happened_where_one_is_and_what_may_be_pressed(cursor: Cursor) -> None:
    first = page(cursor, heading="a cup", omniscient=False).plain
    assert first.startswith("a cup\nturn 0: start position\n")
    assert "turn 0 of 30, paused" in first
    assert "q quit" in first
    cursor.press("G")
    assert "completed: tick limit" in page(cursor, heading="a cup", omniscient=False).plain


def test_a_page_for_a_seat_says_what_it_knew(cursor: Cursor) -> None:
    everybody, own = (page(cursor, heading="a cup", omniscient=False, seat=seat).plain for seat in (None, 1))
    assert "seat 0: 0 points" in everybody
    assert "seat 1: 0 points" in everybody
    assert "seat 0: 0 points" not in own
    assert "seat 1: 0 points" in own


GAMES = {  # game -> the shown turn, and the sign of the seat's figure; in ricochet nobody has one
    "bomber": (0, "0"),
    "ricochet": (0, ""),
    "eidolon": (30, "0"),
    "heroquest": (20, "B"),
    "navigation": (10, "0"),
    "placement": (10, "0"),
}


@pytest.mark.parametrize(("game", "turn", "sign"), [(game, *row) for game, row in GAMES.items()])
def test_a_page_of_every_game_fits_80_by_24_and_shows_the_figure(game: str, turn: int, sign: str) -> None:
    record = play(game, ["random"] * games.make(game).seats, seed=3, time={"turn_ms": 1000}).record
    cursor = Cursor(Playback(record), turn=turn)
    lines = page(cursor, heading="a cup", omniscient=False, seat=0, size=ConsoleDimensions(80, 24)).plain.split("\n")
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert lines[-1] == KEYS
    assert any(sign in line for line in lines[2:-4])
    assert ("the board needs" in lines[-2]) == (game not in ("bomber", "eidolon"))


def test_of_a_large_board_the_part_around_the_figure_is_shown() -> None:
    ground = Layer("ground", (Rect(0, 0, 9, 50, Ink.FLOOR),))
    at = figure((4, 40), "0", Ink.SEAT_0)
    seats = (Standing(seat=0, shape=Circle(0.5, 0.5, 0.4, Ink.SEAT_0)),)
    drawing = Drawing("t", 9, 50, (ground, Layer("figures", at)), seats=seats)
    text, needed = fitted_text(drawing, rows=12, columns=10, follow=0)
    lines = text.plain.split("\n")
    assert (len(lines), needed) == (12, 51)
    assert max(map(len, lines[:11])) == 10
    assert any("0" in line for line in lines[4:7])
    assert fitted_text(drawing, rows=60, columns=80, follow=0)[1] == 0


def test_every_key_of_a_burst_is_used() -> None:
    bursts = iter([b" b\x1b[C\x1bOA12g", "é".encode()[:1], "é".encode()[1:], b""])
    keys = Keys(lambda: next(bursts))
    pressed = [keys.next() for _ in range(7)]
    assert pressed == [" ", "b", "\x1b[C", "\x1bOA", "1", "2", "g"]
    assert not keys.are_waiting
    assert [keys.next() for _ in range(3)] == ["", "é", END_OF_INPUT]


def test_watching_shows_every_picture_that_keys_ask_for(cursor: Cursor, capsys: pytest.CaptureFixture[str]) -> None:
    typed: Iterator[str] = iter([" ", "p", "", "q"])
    waits: list[float | None] = []

    def read_key(wait_s: float | None) -> str:
        waits.append(wait_s)
        return next(typed)

    watch(cursor, heading="cup", omniscient=False, read_key=read_key)
    assert cursor.turn == 2  # a step, and one by itself
    assert [wait is None for wait in waits] == [True, True, False, False]
    shown = capsys.readouterr().out
    assert all(f"turn {turn} of 30" in shown for turn in (0, 1, 2))


@pytest.mark.gate
@pytest.mark.skipif(sys.platform == "win32", reason="no such terminals")
@pytest.mark.e2e
def test_joust_replay_in_a_terminal_redraws_and_quits(tmp_path: Path, record: MatchRecord) -> None:
    import pty

    path = tmp_path / "match.jsonl"
    write_record(path, record)
    terminal, behind = pty.openpty()
    command = [sys.executable, "-c", "from gridjoust.commands import main; main()", "replay", str(path)]
    started = subprocess.Popen(command, stdin=behind, stdout=behind, env=os.environ | {"TERM": "xterm"})
    try:
        seen = wait_for(terminal, b"turn 0 of 30")
        os.write(terminal, b" ")
        seen += wait_for(terminal, b"turn 1 of 30")
        os.write(terminal, b"q")
        assert started.wait(60) == 0
    finally:
        started.kill()
        os.close(terminal)
        os.close(behind)
    assert b"\x1b[?1049h" in seen  # a screen of its own


def wait_for(terminal: int, wanted: bytes, *, patience_s: float = 60.0) -> bytes:
    """What the terminal showed until the wanted text came."""
    seen, due = b"", time.monotonic() + patience_s
    while wanted not in seen:
        assert time.monotonic() < due, seen[-500:]
        if select.select([terminal], [], [], 0.5)[0]:
            seen += os.read(terminal, 65536)
    return seen


def test_a_picture_has_colours() -> None:
    text = board_text(Drawing("t", 3, 2, (GROUND, Layer("figures", figure((0, 0), "0", Ink.SEAT_0)))))
    assert isinstance(text, Text)
    assert len({str(span.style) for span in text.spans}) > 1


def test_a_legend_has_as_many_lines_as_it_needs_in_80_columns_and_the_keys_fit_into_one() -> None:
    legend = tuple(Beside(Circle(0.5, 0.5, 0.3, Ink.SEAT_0), f"thing number {number}") for number in range(9))
    lines = board_text(Drawing("t", 3, 2, (GROUND,), legend=legend)).plain.split("\n")[-3:]
    assert [line.count("thing") for line in lines] == [4, 4, 1]
    assert max(len(line) for line in (*lines, KEYS)) < 80
