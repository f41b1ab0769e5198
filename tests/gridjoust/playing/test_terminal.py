"""A person at a terminal: what the screen shows, what keys do, and one real terminal."""

from __future__ import annotations

import fcntl
import io
import os
import struct
import subprocess
import sys
import termios
from pathlib import Path

import msgspec
import pytest
from rich.console import Console, ConsoleDimensions

from gridjoust import games
from gridjoust.person.screen import Screen, make_screen
from gridjoust.person.viewer import END_OF_INPUT
from gridjoust.playing.terminal import TerminalPlayer, arrow_action
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.tables.frames import load
from gridjoust.runner.wire.protocol import TurnMessage
from gridjoust.simulation import play
from tests.gridjoust.person.test_viewer import wait_for

SIZE = ConsoleDimensions(80, 24)
NAMES = ("bomber", "ricochet", "eidolon", "heroquest", "navigation", "placement")


def record_of(game: str) -> MatchRecord:
    return play(game, ["random"] * games.make(game).seats, seed=3, time={"turn_ms": 1000}).record


def question(game: str) -> tuple[TurnMessage, object]:
    """The first question of a game to seat 0, and the briefing."""
    made = games.make(game)
    state = made.initial_state(1)
    asked = TurnMessage(
        match="m",
        ask=1,
        seat=0,
        turn=1,
        view=dict(made.observation(state, 0)),
        legal=[str(action) for action in made.legal_actions(state, 0)],
        legal_complete=made.legal_complete(state, 0),
        limit_ms=None,
    )
    return asked, made.briefing(state, 0)


async def player_of(game: str) -> TerminalPlayer:
    player, record = TerminalPlayer("random", Console(file=io.StringIO(), width=80, height=24)), record_of(game)
    player.on_lines("", msgspec.json.encode(record.header))
    asked, briefing = question(game)
    player.ask(asked, make_screen(game, briefing), "drawn")  # type: ignore[arg-type]
    return player


@pytest.mark.default("bomber", "eidolon", "heroquest", "placement", "ricochet")
@pytest.mark.parametrize("game", NAMES)
async def test_the_screen_of_every_game_fits_80_by_24(game: str) -> None:
    player = await player_of(game)
    for _ in range(3):
        player.say("a long message " * 9)
    lines = player.page(SIZE).plain.split("\n")
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith(game)
    assert "turn 1: your move" in lines[0]
    assert lines[-2] == "> _"


async def test_the_heading_has_the_task_and_the_time_that_is_left() -> None:
    player = await player_of("ricochet")
    heading = player.page(SIZE).plain.split("\n")[0]
    assert heading.startswith("ricochet: bring ")
    assert "your move, " in heading
    assert " s left" in heading  # how many depends on how busy the machine is


def below_the_heading(player: TerminalPlayer) -> list[str]:
    """All lines but the first, which shows the time that is left."""
    return player.page(SIZE).plain.split("\n")[1:]


async def test_page_keys_move_a_large_board() -> None:
    player = await player_of("ricochet")
    before = below_the_heading(player)
    player.on_key("\x1b[6~")
    player.on_key("\x1b[6~")
    assert below_the_heading(player) != before
    player.on_key("\x1b[5~")
    player.on_key("\x1b[5~")
    assert below_the_heading(player) == before


async def test_keys_edit_a_line_enter_sends_it_and_an_arrow_its_move() -> None:
    player = await player_of("bomber")
    for key in ("b", "o", "x", "\x7f", "m", "b"):
        player.on_key(key)
    assert "> bomb_" in player.page(SIZE).plain
    player.on_key("\n")
    player.on_key("\x1b[C")
    player.on_key(END_OF_INPUT)
    assert list(player.typed.lines) == ["bomb", "right", None]


async def test_a_game_without_keys_of_its_own_gets_its_actions_numbered() -> None:
    player = await player_of("bomber")
    asked, _ = question("bomber")
    player.ask(asked, Screen(), "drawn")
    lines = player.page(SIZE).plain.replace("\N{NO-BREAK SPACE}", " ").split("\n")
    assert "1 up   2 down   3 left   4 right   5 bomb   6 wait" in lines


ARROWS = {
    "bomber": ["up", "down", "right", "left"],
    "navigation": ["N", "S", "E", "W"],
    "eidolon": ["move N", "", "move E", "move W"],
    "ricochet": ["", "", "", ""],
}


@pytest.mark.parametrize(("game", "actions"), ARROWS.items())
def test_arrow_keys_are_the_games_own_moves_where_they_are_legal(game: str, actions: list[str]) -> None:
    asked, briefing = question(game)
    screen = make_screen(game, briefing)  # type: ignore[arg-type]
    screen.draw(asked.view, asked.legal)
    assert [arrow_action(way, asked, screen) for way in ("up", "down", "right", "left")] == actions


@pytest.mark.gate
@pytest.mark.skipif(sys.platform == "win32", reason="no such terminals")
@pytest.mark.e2e
def test_a_match_is_played_on_a_real_terminal_by_arrow_keys_and_lines(tmp_path: Path) -> None:
    import pty

    terminal, behind = pty.openpty()
    fcntl.ioctl(behind, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = [sys.executable, "-c", "from gridjoust.commands import main; main()", "play", "bomber"]
    started = subprocess.Popen(
        [*command, "--param", "max_ticks=3"],
        cwd=tmp_path,
        stdin=behind,
        stdout=behind,
        env=os.environ | {"TERM": "xterm"},
    )
    try:
        seen = wait_for(terminal, b"turn 1: your move")
        os.write(terminal, b"\x1b[C")
        seen += wait_for(terminal, b"turn 2: your move")
        os.write(terminal, b"w\n\x1b[B")  # two answers in one burst
        seen += wait_for(terminal, b"record: ")
        assert started.wait(60) == 0
    finally:
        started.kill()
        os.close(terminal)
        os.close(behind)
    [results] = (tmp_path / "results").iterdir()
    turns = load(results).turns
    assert list(turns[turns["seat"] == 0]["action"]) == ["right", "up", "down"]
