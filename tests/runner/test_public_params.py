"""What bots are told of the parameters, and what they are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runner.memory_cup import make_cup, play_cup

SPY = """
import json
from pathlib import Path
from bots.api import Bot

class Spy(Bot):
    def start(self, setup):
        Path(__file__).with_name("seen.json").write_text(json.dumps([setup.params, setup.briefing]))
    def act(self, observation):
        return observation.legal[0]
"""

CUP = """
tournament: cup
games: [{game: navigation, params: {knowledge: KNOWLEDGE, max_turns: 2, map: "S.#\\n..G"}}]
format: {type: solo}
execution: {isolation: none}
bots: [{name: spy, path: spy.py:Spy}]
"""


@pytest.mark.parametrize("knowledge", ["known", "unknown"])
async def test_the_text_of_a_known_map_is_told_and_that_of_an_unknown_one_reaches_no_bot(
    knowledge: str, tmp_path: Path
) -> None:
    (tmp_path / "spy.py").write_text(SPY)
    await play_cup(make_cup(CUP.replace("KNOWLEDGE", knowledge), tmp_path))
    assert ("..G" in (tmp_path / "seen.json").read_text()) == (knowledge == "known")
