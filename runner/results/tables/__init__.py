"""Result tables: from match records to rows and CSV files, and back as pandas data frames.

>>> from gridjoust.runner.results.tables import load
>>> sample = load("results/sample")
>>> sorted(sample.results["bot"].unique())
['gambit', 'random', 'wanderer']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gridjoust.runner.results.tables.frames import Tables as Tables
    from gridjoust.runner.results.tables.frames import load as load
    from gridjoust.runner.results.tables.frames import load_batches as load_batches


def __getattr__(name: str) -> object:
    """Import `load`, `load_batches` or `Tables` on first use, as the runner itself does not need pandas."""
    if name not in ("Tables", "load", "load_batches"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from gridjoust.runner.results.tables import frames  # noqa: PLC0415

    return getattr(frames, name)
