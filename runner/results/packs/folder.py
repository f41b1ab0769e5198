"""Finds and seals the packs of a results folder: `records/packs/0001.pack` and so on, each with a seal beside it.

A match may be in several places: its file counts first, then the newest pack. The seal of a pack covers all its bytes,
like that of a record (`runner/results/records/chain.py`). It also contains former keys of the folder, published since,
which seal the records inside.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gridjoust.runner.wire.errors import RecordError, naming
from gridjoust.runner.wire.text import UNREADABLE

if TYPE_CHECKING:
    from gridjoust.runner.results.packs.pack import Pack

PACKS = "packs"  # folder within `records`
SUFFIX, SEAL_SUFFIX = ".pack", ".seal"
_OPEN_FOLDERS = 16


class PackSeal(msgspec.Struct, frozen=True, kw_only=True):
    """The seal beside a pack of records; `former_keys`, in hex, are published keys that seal records inside."""

    digest: str
    mac: str
    former_keys: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The published keys that may seal records of the pack."""
        return tuple(bytes.fromhex(key) for key in self.former_keys)


def open_packs(records: Path | str) -> tuple[Pack, ...]:
    """Open the packs of this `records` folder, newest first; RecordError for a damaged one."""
    folder = f"{records}{os.sep}{PACKS}"
    try:
        changed_ns = os.stat(folder).st_mtime_ns  # noqa: PTH116 - called for every record: a Path takes three times as long
    except OSError:
        return ()
    return _open(folder, changed_ns)


def pack_paths(records: Path) -> list[Path]:
    """Return the paths of the packs, oldest first."""
    return sorted((records / PACKS).glob(f"*{SUFFIX}"))


def write_pack_seal(pack: Path, *, key: bytes, of: Path | None = None, former_keys: Sequence[str] = ()) -> None:
    """Write the seal of a pack; `of`: the file with the pack's bytes, if it is not renamed to `pack` yet."""
    digest, former = pack_digest(of or pack), tuple(former_keys)
    seal = PackSeal(digest=digest, mac=_mac(digest, former, key), former_keys=former)
    file = _seal_path(pack)
    part = file.with_suffix(".seal-part")
    with naming(file), part.open("wb") as out:
        out.write(msgspec.json.encode(seal) + b"\n")
        out.flush()
        os.fsync(out.fileno())
    part.replace(file)


def read_pack_seal(pack: Path) -> PackSeal:
    """Read the seal of a pack without checking it; RecordError if it is missing or damaged."""
    file = _seal_path(pack)
    try:
        seal = msgspec.json.decode(file.read_bytes(), type=PackSeal)
        if any(len(key) != _KEY_BYTES for key in seal.keys):
            raise ValueError("a key of another length")
    except OSError as error:
        raise RecordError(f"{file}: expected the seal of a pack, got {error.strerror}") from None
    except (*UNREADABLE, ValueError) as error:
        raise RecordError(f"{file}: expected the seal of a pack, got: {error}") from None
    return seal


def check_pack(pack: Path, keys: Sequence[bytes] = ()) -> PackSeal:
    """Return a pack's seal; RecordError unless it fits the bytes and, if keys are given, one of the keys."""
    seal, digest = read_pack_seal(pack), pack_digest(pack)
    if seal.digest != digest:
        raise RecordError(f"{pack}: seal: expected {digest} for its bytes, got {seal.digest:.40} (changed)")
    macs = [_mac(digest, seal.former_keys, key) for key in keys]
    if macs and not any(hmac.compare_digest(mac, seal.mac) for mac in macs):
        expected = f"one made with the key of its results folder, {macs[0]}"
        raise RecordError(f"{pack}: seal: expected {expected}, got {seal.mac[:40] or 'none'} (not written by its run)")
    return seal


def pack_digest(pack: Path) -> str:
    """Return the hash of all bytes of a pack: BLAKE2b, 16 bytes, hex. RecordError if it cannot be read."""
    try:
        with pack.open("rb") as file:
            return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
    except OSError as error:
        raise RecordError(f"{pack}: expected a readable pack, got {error.strerror}") from None


def remove_pack(pack: Path) -> None:
    """Remove a pack and its seal."""
    pack.unlink(missing_ok=True)
    _seal_path(pack).unlink(missing_ok=True)


_KEY_BYTES = 32


def _seal_path(pack: Path) -> Path:
    return pack.with_suffix(SEAL_SUFFIX)


def _mac(digest: str, former_keys: Sequence[str], key: bytes) -> str:
    if not key:
        return ""
    return hashlib.blake2b(msgspec.json.encode((digest, former_keys)), digest_size=16, key=key).hexdigest()


@lru_cache(maxsize=_OPEN_FOLDERS)
def _open(folder: str, _changed_ns: int) -> tuple[Pack, ...]:
    from gridjoust.runner.results.packs.pack import Pack  # noqa: PLC0415 - most folders have no packs

    return tuple(Pack(path) for path in reversed(pack_paths(Path(folder).parent)))
