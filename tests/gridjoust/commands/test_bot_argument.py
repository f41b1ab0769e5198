"""The bots of a file and what they play, by its text alone."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from gridjoust.commands.shared.bot_argument import game_of_program, only_bot, parse_program
from gridjoust.runner.config.bot_files import bots_in
from gridjoust.runner.wire.errors import ConfigError

FILES = {
    "one": ("class First(joust.Bot):\n    plays = ('bomber',)\n", {"First": ("bomber",)}),
    "one game without its comma": ("class First(Bot):\n    plays = ('bomber')\n", {"First": ("bomber",)}),
    "with its type": ("class First(AnytimeBot):\n    plays: tuple[str, ...] = ('bomber',)\n", {"First": ("bomber",)}),
    "of a class of its own": (
        "class Base(Bot):\n    plays = ('bomber',)\n\nclass First(Base): ...\n", {"First": ("bomber",)}),
    "of the class for own planners": ("class First(planners.Walker): ...\n", {"First": ("navigation",)}),
    "helpers beside it": ("class Map: ...\n\nclass First(Bot): ...\n\nclass Side(int): ...\n", {"First": ()}),
    "computed": ("class First(Bot):\n    plays = tuple(GAMES)\n", {"First": ()}),
    "two": ("class First(Bot): ...\n\nclass Second(Bot): ...\n", {"First": (), "Second": ()}),
    "none": ("raise SystemExit('nobody runs this')\n", {}),
}  # fmt: skip


@pytest.mark.parametrize(("text", "found"), FILES.values(), ids=FILES)
def test_every_bot_is_found_with_the_games_that_it_says_it_plays(
    tmp_path: Path, text: str, found: dict[str, tuple[str, ...]]
) -> None:
    (tmp_path / "mine.py").write_text(text)
    assert bots_in(tmp_path / "mine.py") == found
    if len(found) == 1:
        assert only_bot(tmp_path / "mine.py") == "First"
        return
    with pytest.raises(ConfigError, match=r"BOT: mine\.py contains (several bots|no bot class)"):
        only_bot(tmp_path / "mine.py")


def test_a_file_alone_is_its_bot_and_the_bots_game_is_the_game(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FILES["one"][0])
    program = parse_program(str(tmp_path / "mine.py"), command=None)
    assert program.path == f"{tmp_path / 'mine.py'}:First"
    assert game_of_program(program) == "bomber"
    assert game_of_program(parse_program("bomber/astar", command=None)) == "bomber"
    with pytest.raises(ConfigError, match="--game is missing: random does not say which game it plays"):
        game_of_program(parse_program("random", command=None))


def test_a_file_without_a_class_is_answered_with_the_lines_to_write(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("")
    with pytest.raises(ConfigError) as refused:
        only_bot(tmp_path / "mine.py")
    first, *lines = str(refused.value).split("\n")
    assert first == "BOT: mine.py contains no bot class; write:"
    (tmp_path / "mine.py").write_text(textwrap.dedent("\n".join(lines)))
    assert only_bot(tmp_path / "mine.py") == "MyBot"
