"""Derives the seeds and ids of matches from the run key and everything that decides a match.

The run key is derived from the tournament's seed once (scrypt, RFC 7914), so that each guess of the seed costs a tenth
of a second. The numbers that bots get to know, their own seeds and the match's id, are BLAKE2b hashes with that key
(RFC 7693): without the key they reveal nothing about it or about each other. All input is hashed as canonical JSON, so
results are equal on every machine. Seeds depend on the numbers of the bots in a match (by default their positions),
but not on other bots.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from gridjoust.games.chance import SEED_LIMIT

SEED_RULE = 2  # version of the rule that decides which pairings share a seed; by version 1 all of a round do
ID_BYTES = 8
KEY_BYTES = 32
SECRET = "secret"  # noqa: S105 - stands for a seed that the run draws
SECRET_BYTES = 16
_SCRYPT = {"n": 2**15, "r": 8, "p": 1, "maxmem": 2**26}  # 32 MiB and about 0.1 s

_HOLE = "\0 a number"  # cannot occur in a name or any other text of a tournament file
Seed = int | str  # the user's number, or a result of `draw_seed`


def draw_seed() -> str:
    """Draw a seed that cannot be guessed: 128 random bits as hex digits."""
    return secrets.token_hex(SECRET_BYTES)


def run_key(seed: Seed, *, tournament: str, games: Iterable[str]) -> bytes:
    """Derive the key for all random numbers of a tournament; slow on purpose, but cached for equal arguments.

    Name and set of games are the salt, so that no table of precomputed keys fits two tournaments. ValueError while the
    seed is `secret`.
    """
    if seed == SECRET:
        raise ValueError("expected a seed, got none yet: a run draws it")
    return _stretched(_canonical(seed), _canonical(["run", tournament, sorted(set(games))]))


def plain_key(seed: int) -> bytes:
    """Derive the key of a match outside any tournament; fast, as its seed is not secret."""
    return hashlib.blake2b(_canonical(["match", seed]), digest_size=KEY_BYTES).digest()


def match_seed(
    key: bytes, variant: str, map_name: str, round_number: int, *, number: int = 1, places: Sequence[int] = ()
) -> int:
    """Return the seed of a pairing (below 2**53), which is the same in every seating.

    `number` counts the seeds of a round in formats where bots play on several. `places`: the numbers of the opponents,
    by default their positions in the tournament's list of bots. The seed of two bots depends on the sum of their
    numbers, as in the circle method (Schurig 1886), so that no bot gets a seed twice in a round. Three or more bots
    have a seed for each set of numbers. Without places all pairings of the round share a seed.

    >>> one, other, third = (match_seed(b"key", "bomber", "", 1, places=two) for two in ((0, 3), (2, 1), (0, 2)))
    >>> (one == other, one == third)
    (True, False)
    """
    address: list[object] = ["match", variant, map_name, round_number]
    if places:
        return _number(key, [*address, number, sum(places) if len(places) == 2 else sorted(places)])
    return _number(key, address if number == 1 else [*address, number])


def bot_seed(key: bytes, match_id: str, seat: int) -> int:
    """Return the seed for a bot's own random numbers (below 2**53)."""
    return _number(key, ["bot", match_id, seat])


def keyed_id(key: bytes, content: object) -> str:
    """Return a keyed hash of JSON values in hex digits; without the key it cannot be checked against guesses."""
    return _digest(content, key).hex()


def keyed_id_of(key: bytes, content: Mapping[str, object], varying: str) -> Callable[[int], str]:
    """Return a function from a number to the `keyed_id` of the content with `varying` set to it; fast per number.

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
    """Return a hash of JSON values in hex digits, independent of the order of keys."""
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
