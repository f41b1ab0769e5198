"""Packs records during their tournament, in a process of its own with the lowest priority.

Packing can be stopped at any point without loss (see `packing`), so a run that ends early stops it too. The program
`python -m gridjoust.runner.results.packs.background RESULTS` packs the matches whose ids it reads from standard input.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from gridjoust.runner.processes.start import input_file
from gridjoust.runner.results.kept_records import KeptRecords
from gridjoust.runner.results.secrets import load_secrets
from gridjoust.runner.wire.errors import JoustError

MOST = 50_000  # matches in a pack


class BackgroundPacking:
    """Packs matches as soon as they fill a pack: `enter` adds a finished match, `finish` packs the rest."""

    def __init__(self, results: Path, kept: KeptRecords, *, most: int = MOST) -> None:
        """Pack records of `results`, `most` at a time; `kept` gets a note about records that cannot be packed."""
        self._results = results
        self._kept = kept
        self._most = most
        self._waiting: list[str] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - `close` closes it

    def enter(self, match_id: str) -> None:
        """Add a finished match; start packing if enough matches wait and no process is running."""
        self._waiting.append(match_id)
        if len(self._waiting) >= self._most and (self._process is None or self._process.poll() is not None):
            self._reap()
            self._begin()

    async def finish(self) -> None:
        """Pack all entered matches and wait for that."""
        if self._process is not None:
            await asyncio.to_thread(self._process.wait)
            self._reap()
        if self._waiting:
            self._begin()
            await self.finish()

    def close(self) -> None:
        """Stop packing; every record stays readable where it is."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._said.close()

    def _begin(self) -> None:
        with input_file("\n".join(self._waiting).encode()) as ids:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(self._results)],
                stdin=ids,
                stderr=self._said,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        self._waiting = []

    def _reap(self) -> None:
        if self._process is not None and self._process.wait() != 0:
            self._said.seek(0)
            lines = self._said.read().decode(errors="replace").splitlines() or ["it was stopped"]
            self._kept.note(f"records were not packed and stay files: {lines[-1]}")
        self._process = None


def main(results: Path) -> int:
    """Pack the records named on standard input; write to standard error why a record was not packed."""
    from gridjoust.runner.results.packs.packing import pack_records  # noqa: PLC0415 - in this process alone

    if hasattr(os, "nice"):
        os.nice(19)
    secrets = load_secrets(results)
    try:
        packed = pack_records(results, () if secrets is None else secrets.keys, only=sys.stdin.read().split())
    except (JoustError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    for refused in packed.refused:
        sys.stderr.write(f"{refused}\n")
    return 1 if packed.refused else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
