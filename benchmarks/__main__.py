"""Run the named benchmarks, or all but those that take hours: `python -m benchmarks [NAME ...]`."""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
import time
from pathlib import Path

OF_HOURS = {"scheduling"}  # only when named
NOT_BENCHMARKS = {"__init__", "__main__", "report"}


def names() -> list[str]:
    """Return the name of every benchmark that can be run."""
    found = (path.stem for path in Path(__file__).parent.glob("*.py") if "def main(" in path.read_text("utf-8"))
    return sorted(set(found) - NOT_BENCHMARKS)


def main(arguments: list[str]) -> int:
    """Run each benchmark in its own process; return 1 if one failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names()))
    wanted = parser.parse_args(arguments).names
    unknown = sorted(set(wanted) - set(names()))
    if unknown:
        print(f"benchmarks: expected some of {', '.join(names())}, got {', '.join(unknown)}", file=sys.stderr)
        return 2
    chosen = wanted or [name for name in names() if name not in OF_HOURS]
    left_out = "" if wanted else f"; {', '.join(sorted(OF_HOURS))} take hours: python -m benchmarks NAME"
    print(f"{len(chosen)} benchmarks, one after another{left_out}", flush=True)
    failed: list[str] = []
    began_s = time.monotonic()
    for number, name in enumerate(chosen, 1):
        print(f"\n==== {number} of {len(chosen)}: {name} ({_minutes(began_s)}). {about(name)}", flush=True)
        if subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False).returncode != 0:
            failed.append(name)
    print(f"\n{len(chosen)} benchmarks in {_minutes(began_s)}; failed: {', '.join(failed) or 'none'}", flush=True)
    return min(len(failed), 1)


def about(name: str) -> str:
    """Return what a benchmark measures: the first line of its docstring."""
    tree = ast.parse((Path(__file__).parent / f"{name}.py").read_text("utf-8"))
    return (ast.get_docstring(tree) or "").partition("\n")[0]


def _minutes(since_s: float) -> str:
    return f"{(time.monotonic() - since_s) / 60:.0f} min"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
