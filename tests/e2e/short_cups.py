"""Short tournaments of any game, for bots in other languages: played by `joust`, looked at as a user would."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from runner.tables import load
from tests.e2e.bot_on_wire import NODE_MODULES
from tests.joust_here import joust

SHORT_GAMES = {
    "bomber": "{game: bomber, params: {max_ticks: 30}}",
    "eidolon": "{game: eidolon, seats: 2, params: {preset: sim1, max_game_rounds: 4}}",
    "heroquest": "{game: heroquest, seats: 3, params: {max_game_rounds: 3}}",
    "navigation": "{game: navigation, params: {width: 8, height: 8, max_turns: 20}}",
    "placement": "{game: placement, params: {max_game_rounds: 5}}",
    "ricochet": "{game: ricochet, params: {sand_s: 0.05, think_s: 0.5, max_rounds: 3}}",
}

CUP = """
tournament: cup
games: [GAMES]
time: {turn_ms: 5000, start_ms: 30000}
execution: {parallel: 1, isolation: ISOLATION}
broker: {use: BROKER}
bots:
"""


def play(
    folder: Path, *, games: Sequence[str], bots: Sequence[str], broker: str = "auto", isolation: str = "process"
) -> pd.DataFrame:
    """The result rows of everyone against everyone; `bots` are entries as they stand in the file."""
    text = CUP.replace("GAMES", ", ".join(SHORT_GAMES[game] for game in games))
    text = text.replace("BROKER", broker).replace("ISOLATION", isolation)
    (folder / "cup.yaml").write_text(text + "".join(f"  - {bot}\n" for bot in bots))
    done = joust("run", "cup.yaml", folder=folder)
    assert done.returncode == 0, done.stderr
    rows: pd.DataFrame = load(folder / "results" / "cup").results
    return rows


def lend_modules(folder: Path) -> None:
    """As `npm install` would, without the network."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "node_modules").symlink_to(NODE_MODULES, target_is_directory=True)


def said(folder: Path, bot: str) -> list[str]:
    """What the bot's process wrote into its log, and how many matches it played (as `====` lines)."""
    return (folder / "results" / "cup" / "logs" / f"{bot}.0.log").read_text().splitlines()
