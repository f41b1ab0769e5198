"""Draws the seed of a run whose file says `seed: secret`, and keeps it for `--resume`.

Until the run has ended the seed is among the folder's secrets and its `tournament.yaml` says `secret`. After the end
that file contains the seed, which is then like any other.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from gridjoust.runner.config.resolved import RESOLVED, load_resolved
from gridjoust.runner.config.variants import LoadedTournament
from gridjoust.runner.results.secrets import FILE, Secrets, open_secrets, save_secrets
from gridjoust.runner.seeds import SECRET, Seed, draw_seed
from gridjoust.runner.wire.errors import ConfigError


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
    """Return the tournament with its seed, the folder's secrets, and True if the seed is secret."""
    opened = open_secrets(results)
    if loaded.config.seed != SECRET:
        return loaded, opened, False
    secrets, is_secret = settle_secret_seed(results, opened, resume=resume)
    return with_seed(loaded, secrets.seed), secrets, is_secret


def without_seed(loaded: LoadedTournament) -> LoadedTournament:
    """Return the tournament with `secret` in place of its seed, as in its file."""
    return with_seed(loaded, SECRET)


def with_seed(loaded: LoadedTournament, seed: Seed) -> LoadedTournament:
    """Return the tournament with this seed."""
    return msgspec.structs.replace(loaded, config=msgspec.structs.replace(loaded.config, seed=seed))
