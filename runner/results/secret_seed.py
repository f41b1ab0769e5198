"""The seed of a run whose file says `secret`: drawn, the same for `--resume`. Derives nothing from it.

Until the run has ended it stands among the folder's secrets, and its `tournament.yaml` says `secret`; from then on that
file names it, and it is a seed like any other.
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
    """The folder's secrets with a seed, with `resume` that of the results; and whether it is secret still.

    ConfigError where the results have one that is not there any more.
    """
    earlier = load_resolved(results).seed if resume and (results / RESOLVED).is_file() else None
    if isinstance(earlier, str) and earlier != SECRET:
        return msgspec.structs.replace(opened, seed=earlier), False
    if resume and opened.seed and not isinstance(earlier, int):
        return opened, True
    if earlier == SECRET:
        raise ConfigError(f"{results / FILE}: expected the seed of these results, got none: --overwrite starts anew")
    drawn = msgspec.structs.replace(opened, seed=draw_seed())
    save_secrets(results, drawn)
    return drawn, True


def settle_seed(loaded: LoadedTournament, results: Path, *, resume: bool) -> tuple[LoadedTournament, Secrets, bool]:
    """The tournament with its seed, the folder's secrets, and whether the seed is one of them."""
    opened = open_secrets(results)
    if loaded.config.seed != SECRET:
        return loaded, opened, False
    found, is_secret = settle_secret_seed(results, opened, resume=resume)
    return with_seed(loaded, found.seed), found, is_secret


def without_seed(loaded: LoadedTournament) -> LoadedTournament:
    """The tournament as its file has it."""
    return with_seed(loaded, SECRET)


def with_seed(loaded: LoadedTournament, seed: Seed) -> LoadedTournament:
    """Return the tournament on this seed."""
    return msgspec.structs.replace(loaded, config=msgspec.structs.replace(loaded.config, seed=seed))
