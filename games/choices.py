"""The choices of a learner as indexes: one index per action, or one per part of an action.

A game's module `arrays` either lists the actions as texts (`ACTIONS`, one index an action), or has `action_count(game)`
and `choices(game, state, seat, draft)`, which maps each index that is allowed now to its choice. If a game has too many
actions for one list, an action is built part by part: `draft` is the unfinished action, and `drafted(game, state, seat,
draft)` is the seat's observation after it.
"""

from __future__ import annotations

from typing import Generic, NamedTuple

from gridjoust.games.api import A


class Choice(NamedTuple, Generic[A]):
    """The meaning of one index for a learner: an action, or an unfinished action with one more part."""

    action: A
    is_whole: bool = True  # False: an unfinished action; the seat chooses again before it is played
