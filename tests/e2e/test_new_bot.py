"""`joust new-bot`: every template in every game plays at once, exactly as entered with the printed line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.bot_on_wire import needs_node
from tests.e2e.short_cups import SHORT_GAMES, lend_modules, play, said
from tests.joust_here import joust

pytestmark = pytest.mark.e2e

LANGUAGES = ("python", "plain", "javascript")


def entry_of_new_bot(lang: str, game: str, folder: Path) -> str:
    """The line that is printed to be put into a tournament file."""
    printed = joust("new-bot", f"{lang}-bot", "--game", game, "--lang", lang, folder=folder).stdout
    [line] = [line for line in printed.splitlines() if line.startswith("  - ")]
    return line.removeprefix("  - ")


@needs_node
@pytest.mark.parametrize("game", SHORT_GAMES)
def test_the_bots_of_all_languages_play_each_other(game: str, tmp_path: Path) -> None:
    lend_modules(tmp_path / "my_bots")
    rows = play(tmp_path, games=[game], bots=[entry_of_new_bot(lang, game, tmp_path) for lang in LANGUAGES])
    assert set(rows["bot"]) == {f"{lang}-bot" for lang in LANGUAGES}
    assert set(rows["termination"]) == {"completed"}
    assert rows["faults"].sum() == 0
    for lang in LANGUAGES:
        assert all(line.startswith("==== match ") for line in said(tmp_path, f"{lang}-bot"))
