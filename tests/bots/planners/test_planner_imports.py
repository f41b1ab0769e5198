from __future__ import annotations

import subprocess
import sys


def test_planners_load_without_numpy() -> None:
    """A bot process pays for its imports before every first clock."""
    modules = ("astar", "timed_astar", "dstar_lite", "beam", "monotone_beam", "grid_beam")
    imports = "; ".join(f"import bots.planners.{module}" for module in modules)
    code = f"import sys; {imports}; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
