"""The tournament file that a results folder keeps: what was played, every default written out. Checks no programs."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import msgspec

from gridjoust.runner.config.document import DocumentError, parse_document
from gridjoust.runner.config.values import Tournament
from gridjoust.runner.seeds import SECRET
from gridjoust.runner.wire.errors import ConfigError

RESOLVED = "tournament.yaml"  # in a results folder
_NOT_OF_ONE_MATCH = ("format", "stop")  # who meets whom and how often; earlier versions wrote them in other words


def load_played(results: Path) -> Tournament:
    """What was played in a results folder, seed included; ConfigError while that is secret."""
    config = load_resolved(results)
    if config.seed == SECRET:
        raise ConfigError(
            f"{results / RESOLVED}: seed: expected one that is published, as at the end of a run, got {SECRET}:"
            " finish the run (--resume) first"
        )
    return config


def load_resolved(results: Path) -> Tournament:
    """The tournament of a results folder, without its format and stop rule."""
    return _load(results, without=_NOT_OF_ONE_MATCH)


def load_whole(results: Path) -> Tournament:
    """The tournament of a results folder with its format and stop rule; ConfigError for those of earlier versions."""
    return _load(results)


def _load(results: Path, without: Collection[str] = ()) -> Tournament:
    file = results / RESOLVED
    try:
        data = parse_document(file.read_text(encoding="utf-8")).data
        if isinstance(data, dict):
            data = {key: value for key, value in data.items() if key not in without}
        return msgspec.convert(data, Tournament)
    except FileNotFoundError:
        raise ConfigError(f"{results}: expected {RESOLVED} in the results folder, got none") from None
    except (DocumentError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: expected a resolved tournament, got: {error}") from None
