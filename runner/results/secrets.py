"""Keeps a results folder's secrets from bots during its run: `secret.json`.

It contains the key that seals the folder's records, and the tournament's seed if that is secret until the end. Only the
owner can read the file until `publish_secrets`, at the end of the run. After that everybody can, so that records can be
checked on any machine. A published key seals nothing new: a run that is resumed in such a folder draws a new key and
seals the records again. The seed stays, as it decides the matches.

A tournament file with `seed: secret` gets a seed that is drawn here and kept for `--resume`. Until the run has ended
the folder's `tournament.yaml` says `secret`. After the end that file contains the seed, which is then like any other.
"""

from __future__ import annotations

import os
import secrets
import stat
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from gridjoust.runner.config.load import RESOLVED, load_resolved
from gridjoust.runner.config.variants import LoadedTournament
from gridjoust.runner.seeds import SECRET, Seed, draw_seed
from gridjoust.runner.wire.errors import ConfigError, naming
from gridjoust.runner.wire.text import UNREADABLE

FILE = "secret.json"  # in the results folder
KEY_BYTES = 32
_OWNER, _EVERYBODY = 0o600, 0o644
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class Secrets(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The content of a results folder's `secret.json`: the key that seals records, and the seed if secret."""

    seal_key: str  # hex
    former_key: str = ""  # while records are being sealed again: the key of those not done yet
    seed: str = ""  # the tournament's seed, if its file says `secret`
    published: bool = False
    revealed: str = ""  # the day on which a secret seed was published, as 2026-11-30

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The keys that may have sealed a record of the folder, the present one first."""
        return tuple(bytes.fromhex(key) for key in (self.seal_key, self.former_key) if key)


def load_secrets(results: Path) -> Secrets | None:
    """Load the folder's secrets; None if there is no file, ConfigError if it is damaged."""
    file = results / FILE
    try:
        found = msgspec.json.decode(file.read_bytes(), type=Secrets)
        if any(len(key) != KEY_BYTES for key in found.keys):
            raise ValueError("a key of another length")
    except FileNotFoundError:
        return None
    except PermissionError:
        raise ConfigError(f"{file}: readable only by the user of the run until the run has ended") from None
    except (*UNREADABLE, ValueError) as error:
        raise ConfigError(f"{file}: expected the secrets of a results folder, got: {error}") from None
    return found


def open_secrets(results: Path) -> Secrets:
    """Return the folder's secrets for a run that starts or is resumed, with a new key unless the old one is secret."""
    found = load_secrets(results)
    if found is not None and not _is_known(results, found):
        return found
    opened = Secrets(seal_key=secrets.token_hex(KEY_BYTES))
    if found is not None:
        opened = Secrets(seal_key=opened.seal_key, former_key=found.seal_key, seed=found.seed, revealed=found.revealed)
    save_secrets(results, opened)
    return opened


def save_secrets(results: Path, content: Secrets) -> None:
    """Replace the file atomically; other users can never read it unless it says `published`."""
    encoded = msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"
    write_private(results / FILE, encoded, mode=_EVERYBODY if content.published else _OWNER)


def write_private(file: Path, content: bytes, *, mode: int = _OWNER) -> None:
    """Replace a file atomically; only its owner can read it while it is written, then `mode` applies."""
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
    """Make the secrets readable for everybody, as the run has ended; a folder without secrets is left alone."""
    if (found := load_secrets(results)) is not None and not found.published:
        today = datetime.now(UTC).date().isoformat() if found.seed else ""
        save_secrets(results, msgspec.structs.replace(found, published=True, revealed=found.revealed or today))


def _is_known(results: Path, content: Secrets) -> bool:
    """Return True if other users may have read the secrets: published, or copied without the file's mode."""
    return content.published or bool((results / FILE).stat().st_mode & _OTHERS)


def require_same_seed(seed: Seed, results: Path) -> None:
    """Raise a ConfigError if the results were played with another seed, as a resumed run would use none of them."""
    try:
        earlier = load_resolved(results).seed
    except ConfigError:  # it is missing or damaged, and this run writes it again
        return
    is_drawn = seed == SECRET and isinstance(earlier, str)  # the run goes on with the seed that it has drawn
    if seed == earlier or is_drawn:
        return
    if earlier == SECRET and (found := load_secrets(results)) is not None and found.seed == seed:
        return
    was, now = (f"seed {one}" if one != SECRET else "a secret seed" for one in (earlier, seed))
    raise ConfigError(f"{results} was played with {was}, not with {now}: --overwrite starts anew")


def settle_secret_seed(results: Path, opened: Secrets, *, resume: bool) -> tuple[Secrets, bool]:
    """Return the folder's secrets with a seed (with `resume` that of the results), and True if it is still secret.

    ConfigError if the results have a secret seed that is missing.
    """
    earlier = load_resolved(results).seed if resume and (results / RESOLVED).is_file() else None
    if isinstance(earlier, str) and earlier != SECRET:
        return msgspec.structs.replace(opened, seed=earlier), False
    if resume and opened.seed and not isinstance(earlier, int):
        return opened, True
    if earlier == SECRET:
        raise ConfigError(f"{results / FILE}: the seed of these results is missing; --overwrite starts a new run")
    drawn = msgspec.structs.replace(opened, seed=draw_seed())
    save_secrets(results, drawn)
    return drawn, True


def settle_seed(loaded: LoadedTournament, results: Path, *, resume: bool) -> tuple[LoadedTournament, Secrets, bool]:
    """Replace `seed: secret` by a seed; return the tournament, the folder's secrets, and True if the seed is secret.

    With `resume` it is the earlier seed, else a new one, which is saved in the folder. Any other seed is left as
    it is. ConfigError if the results' secret seed is missing.
    """
    opened = open_secrets(results)
    if loaded.config.seed != SECRET:
        return loaded, opened, False
    secrets, is_secret = settle_secret_seed(results, opened, resume=resume)
    return with_seed(loaded, secrets.seed), secrets, is_secret


def without_seed(loaded: LoadedTournament) -> LoadedTournament:
    """Return the tournament with `seed: secret` in place of its seed, as in its file."""
    return with_seed(loaded, SECRET)


def with_seed(loaded: LoadedTournament, seed: Seed) -> LoadedTournament:
    """Return the tournament with this seed."""
    return msgspec.structs.replace(loaded, config=msgspec.structs.replace(loaded.config, seed=seed))
