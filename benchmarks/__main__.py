"""`python -m benchmarks [NAME ...]`: run the named benchmarks, or all but those of hours, one after another."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

OF_HOURS = {"movingai", "scheduling"}  # only when named
NOT_BENCHMARKS = {"__init__", "__main__", "report", "chart"}


def names() -> list[str]:
    """Every module here that can be run."""
    found = (path.stem for path in Path(__file__).parent.glob("*.py") if "def main(" in path.read_text("utf-8"))
    return sorted(set(found) - NOT_BENCHMARKS)


def main(wanted: list[str]) -> int:
    """Run them in processes of their own; the number that failed."""
    unknown = sorted(set(wanted) - set(names()))
    if unknown:
        print(f"benchmarks: expected some of {', '.join(names())}, got {', '.join(unknown)}", file=sys.stderr)
        return 2
    failed = 0
    for name in wanted or [name for name in names() if name not in OF_HOURS]:
        print(f"\n==== {name}", flush=True)
        failed += subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False).returncode != 0
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
