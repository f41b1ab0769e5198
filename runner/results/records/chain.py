"""The hash chain over everything that the rules decide in a match; it is the same on every machine.

Each link is BLAKE2b (16 bytes, hex) over the previous link and the new content: for a turn its actions, stamp and the
encoded state after it; for a fault or the end the line itself. Every turn is chained, but only every 16th turn line and
the end line contain their link. Measured values and seats are covered by the seal of the file
(`gridjoust.runner.results.records.seal`).
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import msgspec

from gridjoust.games.api import AnyGame
from gridjoust.runner.results.records.lines import EndLine

HASH_EVERY = 16  # turns

_ENCODER = msgspec.json.Encoder(order="sorted")


class Chain:
    """A running hash."""

    def __init__(self, *, game: str, game_version: str, params: Mapping[str, Any], seats: int, seed: int) -> None:
        identity = _ENCODER.encode([game, game_version, dict(params), seats, seed])
        self._link = blake2b(identity, digest_size=16).digest()

    @property
    def head(self) -> str:
        """The newest link, in hex."""
        return self._link.hex()

    def deal(self, encoded_state: bytes) -> None:
        """Chain the initial state."""
        self._extend(b"deal", encoded_state)

    def turn(self, number: int, stamp: int, actions: Mapping[str, str], encoded_state: bytes) -> str:
        """Chain one application of the rules; return its line's hash: the link on every 16th turn, else ""."""
        self._extend(_ENCODER.encode((stamp, actions)), encoded_state)
        return "" if number % HASH_EVERY else self.head

    def fault(self, turn: int, seat: int, fault: str, detail: str) -> None:
        """Chain a fault."""
        self._extend(b"fault", _ENCODER.encode((turn, seat, fault, detail)))

    def end(self, content: Mapping[str, Any]) -> str:
        """Chain the end line, without its own hash; return the last link."""
        self._extend(b"end", _ENCODER.encode(content))
        return self.head

    def _extend(self, head: bytes, body: bytes) -> None:
        link = blake2b(self._link, digest_size=16)
        link.update(len(head).to_bytes(4, "big"))  # no two (head, body) pairs give the same bytes
        link.update(head)
        link.update(body)
        self._link = link.digest()


def open_chain(game: AnyGame, *, seed: int, initial_state: Any) -> Chain:
    """Start the chain of a match with its initial state."""
    chain = Chain(game=game.spec.name, game_version=game.spec.version, params=game.params, seats=game.seats, seed=seed)
    chain.deal(game.encode(initial_state))
    return chain


def seal_end(chain: Chain, end: EndLine) -> EndLine:
    """Return the end line with its own link."""
    content = msgspec.to_builtins(end)
    del content["hash"]
    return msgspec.structs.replace(end, hash=chain.end(content))
