"""A long match kept as text: when a rule changes what happens, this fails and the version of the game has to rise.

The file holds a line of JSON (parameters, seats, seed), a line of letters per seat (u d l r b w, one a tick; letters of
the dead are not read), then what the match must come to: a hash over all encoded states and the last one drawn.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from gridjoust.games.api import Turn
from gridjoust.games.bomber import Bomber
from gridjoust.games.bomber.actions import ACTIONS

GOLDEN = Path(__file__).parents[2] / "golden" / "bomber" / "long.txt"
LETTERS = {action.value[0]: action for action in ACTIONS}


def replayed(text: str) -> str:
    """The same text with its outcome computed anew."""
    lines = text.split("\n")
    variant = json.loads(lines[0])
    game = Bomber(variant["params"], seats=variant["seats"])
    letters = lines[1 : 1 + game.seats]
    state = game.initial_state(variant["seed"])
    chain = hashlib.sha256(game.encode(state))
    for tick in range(len(letters[0])):
        actions = {seat: LETTERS[letters[seat][tick]] for seat in game.seats_to_act(state)}
        state = game.apply(state, Turn(actions, tick + 1))
        chain.update(game.encode(state))
    outcome = [f"sha256 {chain.hexdigest()}", game.reason(state), game.render(state)]
    return "\n".join([lines[0], *letters, *outcome]) + "\n"


def test_kept_match_comes_to_the_kept_end() -> None:
    kept = GOLDEN.read_text(encoding="utf-8")
    assert replayed(kept) == kept
