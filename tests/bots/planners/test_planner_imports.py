from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import bots.planners

FOLDER = Path(bots.planners.__file__).parent


def test_planners_load_without_numpy() -> None:
    """A bot process pays for its imports before every first clock."""
    names = [f"bots.planners.{file.stem}" for file in sorted(FOLDER.glob("*.py")) if file.stem != "__init__"]
    shown = [*names, "numpy"]
    code = f"import sys, {', '.join(names)}; print(*(name for name in {shown} if name in sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert loaded.split() == names
