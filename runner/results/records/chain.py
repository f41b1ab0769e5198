"""Proves records genuine by a hash chain over everything that the rules decide, and a seal over every byte of the file.

The chain is the same on every machine. Each link is BLAKE2b (16 bytes, hex) over the previous link and the new content:
for a turn its actions, stamp and the encoded state after it; for a fault or the end the line itself. Every turn is
chained, but only every 16th turn line and the end line contain their link.

The seal is the last line of a record, with hashes of every byte before it, measured values and seats included. `digest`
shows damage to anybody. `mac` can only be made with the key of the results folder. So while the key is secret, a `mac`
proves that the runner wrote the record. Both are BLAKE2b, 16 bytes, hex.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from gridjoust.games.api import AnyGame
from gridjoust.runner.results.records.lines import EndLine, SealLine
from gridjoust.runner.wire.errors import RecordError

HASH_EVERY = 16  # turns

_ENCODER = msgspec.json.Encoder(order="sorted")


class Chain:
    """A hash chain over what the rules of a match decide: start position, turns, faults and end."""

    def __init__(self, *, game: str, game_version: str, params: Mapping[str, Any], seats: int, seed: int) -> None:
        identity = _ENCODER.encode([game, game_version, dict(params), seats, seed])
        self._link = blake2b(identity, digest_size=16).digest()

    @property
    def head(self) -> str:
        """The newest link, in hex."""
        return self._link.hex()

    def deal(self, encoded_state: bytes) -> None:
        """Add the initial state, the chain's first link."""
        self._extend(b"deal", encoded_state)

    def turn(self, number: int, stamp: int, actions: Mapping[str, str], encoded_state: bytes) -> str:
        """Add one turn of the rules; return the hash for its line: the newest link on every 16th turn, else ""."""
        self._extend(_ENCODER.encode((stamp, actions)), encoded_state)
        return "" if number % HASH_EVERY else self.head

    def fault(self, turn: int, seat: int, fault: str, detail: str) -> None:
        """Add a fault to the chain."""
        self._extend(b"fault", _ENCODER.encode((turn, seat, fault, detail)))

    def end(self, content: Mapping[str, Any]) -> str:
        """Add the end line, without its own hash, to the chain; return the last link."""
        self._extend(b"end", _ENCODER.encode(content))
        return self.head

    def _extend(self, head: bytes, body: bytes) -> None:
        link = blake2b(self._link, digest_size=16)
        link.update(len(head).to_bytes(4, "big"))  # no two (head, body) pairs give the same bytes
        link.update(head)
        link.update(body)
        self._link = link.digest()


def open_chain(game: AnyGame, *, seed: int, initial_state: Any) -> Chain:
    """Return the hash chain of a match, with its initial state as first link."""
    chain = Chain(game=game.spec.name, game_version=game.spec.version, params=game.params, seats=game.seats, seed=seed)
    chain.deal(game.encode(initial_state))
    return chain


def seal_end(chain: Chain, end: EndLine) -> EndLine:
    """Return the end line with the last link of the hash chain."""
    content = msgspec.to_builtins(end)
    del content["hash"]
    return msgspec.structs.replace(end, hash=chain.end(content))


_SEAL_ENCODER = msgspec.json.Encoder()


def seal_line(body: bytes, key: bytes = b"") -> bytes:
    """Return the seal of a record, its last line, for the bytes before it; without a key `mac` is empty.

    Only the records of a results folder have a key.
    """
    mac = _hash(body, key) if key else ""
    return _SEAL_ENCODER.encode(SealLine(digest=_hash(body), mac=mac)) + b"\n"


def check_seal(path: Path, raw: bytes, keys: Sequence[bytes] = ()) -> None:
    """Raise a RecordError unless the bytes have a valid seal, made with one of these keys if there are any."""
    body, seal = _split(raw)
    expected, got = _hash(body), _decode(path, seal)
    if got.digest != expected:
        raise RecordError(f"{path}: seal: expected {expected} for the lines before it, got {got.digest:.40} (changed)")
    if seal != _SEAL_ENCODER.encode(got) + b"\n":
        raise RecordError(f"{path}: seal: expected the line as it was written, got it with other bytes (changed)")
    if keys and not any(hmac.compare_digest(_hash(body, key), got.mac) for key in keys):
        expected = f"one made with the key of its results folder, {_hash(body, keys[0])}"
        raise RecordError(f"{path}: seal: expected {expected}, got {got.mac[:40] or 'none'} (not written by its run)")


def sealed_anew(raw: bytes, key: bytes) -> bytes:
    """Return the record with a new seal under this key."""
    body, _ = _split(raw)
    return body + seal_line(body, key)


def _split(raw: bytes) -> tuple[bytes, bytes]:
    """Split a record into the bytes before the last line, and that line."""
    cut = raw.rfind(b"\n", 0, -1) + 1
    return raw[:cut], raw[cut:]


def _decode(path: Path, seal: bytes) -> SealLine:
    try:
        return msgspec.json.decode(seal, type=SealLine)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RecordError(f"{path}: last line: expected the seal, got {error} (record cut short)") from None


def _hash(body: bytes, key: bytes = b"") -> str:
    return blake2b(body, digest_size=16, key=key).hexdigest()
