"""What a results folder keeps from bots while its run lasts: `secret.json`. Decides nothing about what it is used for.

It holds the key that seals the folder's records, and the tournament's seed where that must not be known before the
end. Its owner alone can read the file until `publish_secrets`, at the end of the run; from then on everybody can, so
that what was sealed can be checked on any machine. A key that has been published seals nothing new: a run that goes on
in such a folder draws another one and seals the records anew. The seed stays, for it decides which matches these are.
"""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

import msgspec

from gridjoust.runner.wire.errors import ConfigError, naming
from gridjoust.runner.wire.text import UNREADABLE

FILE = "secret.json"  # in the results folder
KEY_BYTES = 32
_OWNER, _EVERYBODY = 0o600, 0o644
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class Secrets(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The file's content."""

    seal_key: str  # hex
    former_key: str = ""  # while records are sealed anew: the key that some of them still have
    seed: str = ""  # of the tournament, if its file says `secret`
    published: bool = False

    @property
    def keys(self) -> tuple[bytes, ...]:
        """Those that a record of the folder may be sealed with, the present one first."""
        return tuple(bytes.fromhex(key) for key in (self.seal_key, self.former_key) if key)


def load_secrets(results: Path) -> Secrets | None:
    """What the folder's file says, None if there is no file; ConfigError for a damaged one."""
    file = results / FILE
    try:
        found = msgspec.json.decode(file.read_bytes(), type=Secrets)
        if any(len(key) != KEY_BYTES for key in found.keys):
            raise ValueError("a key of another length")
    except FileNotFoundError:
        return None
    except PermissionError:
        raise ConfigError(f"{file}: expected a file that you may read, got one of a run that has not ended") from None
    except (*UNREADABLE, ValueError) as error:
        raise ConfigError(f"{file}: expected the secrets of a results folder, got: {error}") from None
    return found


def open_secrets(results: Path) -> Secrets:
    """For a run that begins or goes on: what the folder has, with a new key unless the one it has is still secret."""
    found = load_secrets(results)
    if found is not None and not _is_known(results, found):
        return found
    former, seed = ("", "") if found is None else (found.seal_key, found.seed)
    opened = Secrets(seal_key=secrets.token_hex(KEY_BYTES), former_key=former, seed=seed)
    save_secrets(results, opened)
    return opened


def save_secrets(results: Path, content: Secrets) -> None:
    """Replace the file at once; it is never open to others, not even for a moment, unless it says `published`."""
    encoded = msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"
    write_private(results / FILE, encoded, mode=_EVERYBODY if content.published else _OWNER)


def write_private(file: Path, content: bytes, *, mode: int = _OWNER) -> None:
    """Replace a file at once by one that its owner alone can read until it is whole, and others if `mode` says so."""
    temporary = file.with_suffix(".part")
    temporary.unlink(missing_ok=True)
    with naming(file):
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER), "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        temporary.chmod(mode)
        temporary.replace(file)


def publish_secrets(results: Path) -> None:
    """The run has ended: what was secret may be read by everybody. Does nothing in a folder without secrets."""
    if (found := load_secrets(results)) is not None and not found.published:
        save_secrets(results, msgspec.structs.replace(found, published=True))


def _is_known(results: Path, content: Secrets) -> bool:
    """Whether anybody but the owner may have read it: it was published, or copied without its mode."""
    return content.published or bool((results / FILE).stat().st_mode & _OTHERS)
