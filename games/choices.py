"""What learners choose from: an index of a fixed set for every action, or for every part of one. Holds no numbers.

A game's module `arrays` has the set as texts (`ACTIONS`, one index an action) or gives `action_count(game)` and
`choices(game, state, seat, draft)`, what may be chosen now by index. Where the actions themselves are too many they are
put together part by part: `draft` is the action as far as it goes, and `drafted(game, state, seat, draft)` what the
seat sees after it.
"""

from __future__ import annotations

from typing import Generic, NamedTuple

from gridjoust.games.api import A


class Choice(NamedTuple, Generic[A]):
    """What an index stands for."""

    action: A
    is_whole: bool = True  # else it is a draft: the seat chooses again before it is played
