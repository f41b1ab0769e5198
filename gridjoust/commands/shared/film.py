"""Writes a match as an animated picture, for `joust replay --film` and `joust look --film`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gridjoust.commands.shared.arguments import require_pictures
from gridjoust.commands.shared.output import counter
from gridjoust.leaderboard.wording import plural
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.wire.errors import ConfigError

if TYPE_CHECKING:
    from gridjoust.viewer.film import Cut, Thoughts

FilmOption = Annotated[
    Path | None, typer.Option(help="Write an animated picture instead, to a file that ends in .gif or .webp.")
]
SecondsOption = Annotated[
    float, typer.Option(min=1, max=600, help="With --film: longest duration; a longer match leaves out turns.")
]
SECONDS, FPS = 15.0, 8.0


def check_film(path: Path) -> None:
    """Raise ConfigError for a file name of another format, a missing folder or missing packages."""
    require_pictures("--film")
    from gridjoust.viewer.film import SUFFIXES

    if path.suffix.lower() not in SUFFIXES:
        raise ConfigError(f"--film: expected a file that ends in {' or '.join(SUFFIXES)}, got {path}")
    if path.is_dir() or not path.parent.is_dir():
        raise ConfigError(f"--film: expected a file in an existing folder, got {path}")


def make_film(path: Path, record: MatchRecord, cut: Cut, thoughts: Thoughts | None = None) -> None:
    """Paint the film of a match and write it; show progress on standard error if that is a terminal.

    `thoughts`: a bot's debug layers.
    """
    from gridjoust.viewer.film import film, write_film

    frames = film(record, cut, thoughts, painted=counter("frame"))
    write_film(path, frames, fps=cut.fps)
    print(f"film: {path} ({plural(len(frames), 'frame')}, {path.stat().st_size / 1000:.0f} kB)")
