"""Search one reader of `benchmarks.fuzz` with coverage: inputs that reach new code are kept and mutated further.

`python -m benchmarks.fuzz --guided READER` starts this module as a process, because `atheris.Fuzz` ends its process.
"""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from benchmarks.fuzz import Reader

ROOT = Path(__file__).parents[1]
INSTRUMENTED = ["gridjoust"]
EXAMPLES = 64  # drawn from the reader's valid ones, without duplicates
FINDING = "finding.txt"


@dataclass(frozen=True, slots=True)
class GuidedRun:
    """The result of one search: inputs read, branches reached by valid examples and by all inputs, and the fault."""

    inputs: int
    branches_before: int
    branches: int
    finding: str = ""  # the input and its traceback; empty if nothing was found


def can_guide() -> bool:
    """Return True if atheris is installed."""
    return find_spec("atheris") is not None


def run_guided(name: str, *, count: int, seed: int) -> GuidedRun:
    """Search with `count` inputs for one that the named reader neither reads nor refuses; stop at the first."""
    with tempfile.TemporaryDirectory() as scratch:
        ended = subprocess.run(
            [sys.executable, "-m", "benchmarks.fuzz_guided", name, str(count), str(seed), scratch],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": "0"},  # the order of a set would change the inputs
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
        log, noted = ended.stderr.decode(errors="replace"), Path(scratch, FINDING)
        finding = noted.read_text() if noted.exists() else "\n".join(log.splitlines()[-20:]) if ended.returncode else ""
    inputs = re.findall(r"^stat::number_of_executed_units: +(\d+)", log, re.MULTILINE) or ["0"]
    branches = re.findall(r"^#\d+\t\w+ +cov: (\d+)", log, re.MULTILINE) or ["0"]
    return GuidedRun(int(inputs[-1]), int(branches[0]), int(branches[-1]), finding)


def search(reader: Reader, *, count: int, seed: int, scratch: Path) -> NoReturn:
    """Give `reader` inputs until one is a finding or `count` are read, then end the process.

    The exit status is 0 if nothing was found. A finding is written to `FINDING` in the folder `scratch`.
    """
    import atheris

    from benchmarks.figures import Figures
    from benchmarks.fuzz import noting, run_over

    figures, rng = Figures(), random.Random(f"{seed}/{reader.name}")
    folder = scratch / "examples"
    folder.mkdir()
    files: list[Path] = []
    for data in dict.fromkeys(reader.valid(rng) for _ in range(EXAMPLES)):
        files.append(folder / str(len(files)))
        files[-1].write_bytes(data)

    def read(data: bytes) -> None:
        with noting(reader, data, figures):
            reader.read(data)
        if figures.details:
            (scratch / FINDING).write_text(figures.details[0], errors="backslashreplace")
            raise AssertionError("a finding")  # atheris ends the process with its own exit status

    signal.signal(signal.SIGPROF, run_over)
    signal.signal(signal.SIGALRM, signal.SIG_IGN)  # atheris sets an alarm for its end, which may be slow
    names = ",".join(map(str, files))  # the files of a folder would come in any order
    options = [f"-runs={count}", f"-seed={seed}", f"-seed_inputs={names}", f"-artifact_prefix={scratch}/"]
    # `noting` measures time and memory
    atheris.Setup([sys.argv[0], *options, "-print_final_stats=1", "-timeout=0", "-rss_limit_mb=0"], read)
    atheris.Fuzz()
    raise AssertionError("atheris.Fuzz returned")


def search_as_told() -> NoReturn:
    """Search in the reader that the command line names; the project's modules are instrumented as they are imported."""
    import atheris

    name, count, seed, scratch = sys.argv[1:]
    with atheris.instrument_imports(include=INSTRUMENTED):
        from benchmarks.fuzz import readers
    made = readers(Path(scratch), random.Random(int(seed)))
    [reader] = [reader for reader in made if reader.name == name]
    search(reader, count=int(count), seed=int(seed), scratch=Path(scratch))


if __name__ == "__main__":
    search_as_told()
