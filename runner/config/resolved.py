"""Reads the tournament file in a results folder: the tournament that was played, with every default written out."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import msgspec

from gridjoust.runner.config.document import DocumentError, parse_document
from gridjoust.runner.config.values import Tournament
from gridjoust.runner.seeds import SECRET
from gridjoust.runner.wire.errors import ConfigError

RESOLVED = "tournament.yaml"  # in a results folder
_NOT_OF_ONE_MATCH = ("format", "stop")  # sections that no single match needs; earlier versions had other keys in them


def load_played(results: Path) -> Tournament:
    """Load the tournament of a results folder, seed included; ConfigError while its seed is secret."""
    config = load_resolved(results)
    if config.seed == SECRET:
        raise ConfigError(
            f"{results / RESOLVED}: the seed is secret until the run ends: finish the run (--resume) first"
        )
    return config


def load_resolved(results: Path) -> Tournament:
    """Load the tournament of a results folder without its format and stop rule."""
    return _load(results, without=_NOT_OF_ONE_MATCH)


def load_whole(results: Path) -> Tournament:
    """Load the tournament of a results folder, format and stop rule included; ConfigError if they are too old."""
    return _load(results)


def _load(results: Path, without: Collection[str] = ()) -> Tournament:
    file = results / RESOLVED
    try:
        data = parse_document(file.read_text(encoding="utf-8")).data
        if isinstance(data, dict):
            data = {key: value for key, value in data.items() if key not in without}
        return msgspec.convert(data, Tournament)
    except FileNotFoundError:
        raise ConfigError(f"{results}: not a results folder: it has no {RESOLVED}") from None
    except (DocumentError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: expected a resolved tournament, got: {error}") from None
