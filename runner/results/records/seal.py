"""Makes and checks the last line of a record: hashes of every byte before it.

`digest` shows damage to anybody. `mac` can only be made with the key of the results folder. So while the key is secret,
a `mac` proves that the runner wrote the record. Both are BLAKE2b, 16 bytes, hex.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import msgspec

from gridjoust.runner.results.records.lines import SealLine
from gridjoust.runner.wire.errors import RecordError

_ENCODER = msgspec.json.Encoder()


def seal_line(body: bytes, key: bytes = b"") -> bytes:
    """Return the seal line for the bytes before it; without a key (a record outside a folder) `mac` is empty."""
    mac = _hash(body, key) if key else ""
    return _ENCODER.encode(SealLine(digest=_hash(body), mac=mac)) + b"\n"


def check_seal(path: Path, raw: bytes, keys: Sequence[bytes] = ()) -> None:
    """Raise a RecordError unless the bytes have a valid seal, made with one of these keys if there are any."""
    body, seal = _split(raw)
    expected, got = _hash(body), _decode(path, seal)
    if got.digest != expected:
        raise RecordError(f"{path}: seal: expected {expected} for the lines before it, got {got.digest:.40} (changed)")
    if seal != _ENCODER.encode(got) + b"\n":
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
