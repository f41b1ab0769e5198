"""`joust init`: a folder in which `joust run` works at once. Overwrites nothing and starts nothing."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from gridjoust.commands.new_bot import make_bot, write_new
from runner.wire.errors import ConfigError

CUP = "cup.yaml"
FIRST_BOT, FIRST_GAME = "first", "bomber"
BOTS_FOLDER = "my_bots"
IGNORED = "results/\nnode_modules/\n__pycache__/\n"


def init(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where; made if it does not exist.")] = Path(),
) -> None:
    """Start a folder of your own: a commented tournament file, a first bot, a .gitignore."""
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"{folder}: expected a folder, got a file")
    written = starter_files(folder)
    write_new(written)
    for path in written:
        print(f"wrote {path}")
    print("\nNext:")
    if folder.resolve() != Path.cwd():
        print(f"  cd {folder}")
    print(f"  joust run {CUP}                # {FIRST_BOT} against bots of ours")
    print(f"  joust doctor {BOTS_FOLDER}/{FIRST_BOT}.py:First --game {FIRST_GAME}")
    print("  joust new-bot NAME --game GAME    # another bot; `joust games` lists the games")
    print(f"Then change {BOTS_FOLDER}/{FIRST_BOT}.py and see: joust run {CUP} --overwrite")


def starter_files(folder: Path) -> dict[Path, str]:
    """Every file by path."""
    bot = make_bot(FIRST_BOT, game=FIRST_GAME, language="python", folder=folder / BOTS_FOLDER)
    cup = files("gridjoust.examples").joinpath(CUP).read_text(encoding="utf-8")
    return {folder / CUP: cup, **bot.files, folder / ".gitignore": IGNORED}
