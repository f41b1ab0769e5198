"""Seeds and content addresses: every number and id of a match as a pure function of what decides it.

All are BLAKE2b over canonical JSON, so they are the same on every machine and in every process. None depends on the
order of bots, on the tournament's name or on what else is played: adding a bot changes nothing of the others' matches.
"""

from __future__ import annotations

import hashlib
import json

from games.chance import SEED_LIMIT

ID_BYTES = 8


def match_seed(tournament_seed: int, variant: str, map_name: str, round_number: int, *, number: int = 1) -> int:
    """The rules' seed (below 2**53): one for all bots and seatings of a variant, map and round.

    `number` counts the seeds of a round in formats where bots meet on several.

    >>> match_seed(2026, "bomber", "", 1) == match_seed(2026, "bomber", "", 1) != match_seed(2026, "bomber", "", 2)
    True
    """
    address: list[object] = ["match", tournament_seed, variant, map_name, round_number]
    return _number(address if number == 1 else [*address, number])


def bot_seed(tournament_seed: int, match_id: str, seat: int) -> int:
    """A bot's own randomness (below 2**53); one way: nothing about the match's seed can be read from it."""
    return _number(["bot", tournament_seed, match_id, seat])


def content_id(content: object, *, digits: int = 2 * ID_BYTES) -> str:
    """Hex digits that stand for JSON-able content, whatever the order of its keys."""
    return _digest(content).hex()[:digits]


def _number(address: list[object]) -> int:
    return int.from_bytes(_digest(address), "big") % SEED_LIMIT


def _digest(content: object) -> bytes:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.blake2b(text.encode(), digest_size=ID_BYTES).digest()
