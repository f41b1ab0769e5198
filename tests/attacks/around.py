"""A bot by `path:` that reads what lies around it, and plays on, waiting. What it imports it may read, no more."""

from __future__ import annotations

import contextlib
from pathlib import Path

from around_helper import ANSWER  # type: ignore[import-not-found] # beside this file

from gridjoust.bots.api import Bot, Observation

HERE = Path(__file__).parent


class Around(Bot):
    """Looks for rivals' programs, the tests' own, the tournament's file and its results."""

    def act(self, observation: Observation) -> str:
        """One answer, always the same."""
        places = [*HERE.glob("*.py"), *Path().glob("*.yaml"), *Path("results").glob("*/*")]
        own = {Path(__file__), HERE / "around_helper.py"}
        for place in places:
            with contextlib.suppress(OSError):
                if place not in own and place.is_file() and place.read_bytes():
                    print(f"LEAK: {place}", flush=True)
        return str(ANSWER)
