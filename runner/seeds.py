"""Seeds and ids: every number and id of a match as a pure function of the run key and of what decides it.

The run key is stretched from the tournament's seed once (scrypt, RFC 7914): a guess of the seed costs a tenth of a
second, however much a bot knows. What bots are told, their own seeds and the match's id, are BLAKE2b keyed with it
(RFC 7693): without the key they say nothing about the key or about each other. All is hashed as canonical JSON, so it
is the same on every machine and in every process. It depends on the places of the bots that meet, never on their
names or on who else plays.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from gridjoust.games.chance import SEED_LIMIT

SEED_RULE = 2  # version of the rule that says which meetings share a seed; by version 1 all of a round do
ID_BYTES = 8
KEY_BYTES = 32
SECRET = "secret"  # noqa: S105 - a seed that the run draws
SECRET_BYTES = 16
_SCRYPT = {"n": 2**15, "r": 8, "p": 1, "maxmem": 2**26}  # 32 MiB and about 0.1 s

_HOLE = "\0 a number"  # no name, and no other text of a tournament file, has such a character

Seed = int | str  # a number of the user's, or what `draw_seed` gave


def draw_seed() -> str:
    """A seed that nobody can guess: 128 random bits as hex digits."""
    return secrets.token_hex(SECRET_BYTES)


def run_key(seed: Seed, *, tournament: str, games: Iterable[str]) -> bytes:
    """What all chance of a tournament comes from; slow on purpose, but for the same arguments again.

    The name and the set of games are the salt: no table of keys serves for two tournaments.
    """
    if seed == SECRET:
        raise ValueError("expected a seed, got none yet: a run draws it")
    return _stretched(_canonical(seed), _canonical(["run", tournament, sorted(set(games))]))


def plain_key(seed: int) -> bytes:
    """The key of a match outside any tournament, which has nothing to hide: not stretched."""
    return hashlib.blake2b(_canonical(["match", seed]), digest_size=KEY_BYTES).digest()


def match_seed(
    key: bytes, variant: str, map_name: str, round_number: int, *, number: int = 1, places: Sequence[int] = ()
) -> int:
    """Return the seed of a meeting (below 2**53): it is the same in every seating.

    `number` counts the seeds of a round in formats where bots meet on several. `places` are the positions in the
    tournament's list of the bots that play against each other. The seed of two bots depends on the sum of their
    positions, as in the circle method (Schurig 1886): so no bot meets a seed twice in a round. Three and more bots have
    a seed for each set of positions. Without places all meetings of the round share a seed.

    >>> one, other, third = (match_seed(b"key", "bomber", "", 1, places=two) for two in ((0, 3), (2, 1), (0, 2)))
    >>> (one == other, one == third)
    (True, False)
    """
    address: list[object] = ["match", variant, map_name, round_number]
    if places:
        return _number(key, [*address, number, sum(places) if len(places) == 2 else sorted(places)])
    return _number(key, address if number == 1 else [*address, number])


def bot_seed(key: bytes, match_id: str, seat: int) -> int:
    """A bot's own randomness (below 2**53)."""
    return _number(key, ["bot", match_id, seat])


def keyed_id(key: bytes, content: object) -> str:
    """Hex digits that stand for JSON-able content; without the key nobody can tell whether a content fits."""
    return _digest(content, key).hex()


def keyed_id_of(key: bytes, content: Mapping[str, object], varying: str) -> Callable[[int], str]:
    """How to make the `keyed_id` of this content with a number under one more key; all but that is hashed once.

    >>> keyed_id_of(b"key", {"a": 1, "c": [2]}, "b")(7) == keyed_id(b"key", {"a": 1, "b": 7, "c": [2]})
    True
    """
    before, after = _canonical({**content, varying: _HOLE}).split(_canonical(_HOLE))
    start = hashlib.blake2b(before, digest_size=ID_BYTES, key=key)

    def make(number: int) -> str:
        whole = start.copy()
        whole.update(str(number).encode() + after)
        return whole.hexdigest()

    return make


def content_id(content: object, *, digits: int = 2 * ID_BYTES) -> str:
    """Hex digits that stand for JSON-able content, whatever the order of its keys."""
    return _digest(content).hex()[:digits]


@cache
def _stretched(seed: bytes, salt: bytes) -> bytes:
    return hashlib.scrypt(seed, salt=salt, dklen=KEY_BYTES, **_SCRYPT)


def _number(key: bytes, address: list[object]) -> int:
    return int.from_bytes(_digest(address, key), "big") % SEED_LIMIT


def _digest(content: object, key: bytes = b"") -> bytes:
    return hashlib.blake2b(_canonical(content), digest_size=ID_BYTES, key=key).digest()


def _canonical(content: object) -> bytes:
    return json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()
