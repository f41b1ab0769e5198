"""Damage records and tables of a finished tournament at random: no command may accept the damage.

One file is damaged at a time. Then `verify` must fail, `leaderboard` must refuse or print the same as before, and
`run --resume` must refuse or make the same tables as before; none may show a traceback.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

from benchmarks.figures import Figures
from gridjoust.runner.results.tables.compare import first_difference
from tests.joust_here import joust

CUP = """
tournament: kept
games: [{game: bomber, params: {max_ticks: 12, bomb_ticks: 4, treasure_min_ticks: 2, treasure_max_ticks: 4}}]
execution: {isolation: none, parallel: 1}
bots: [{name: left, bot: bomber/wanderer}, {name: right, bot: random}]
"""
RESULTS = Path("results") / "kept"
TARGETS = ("records/*.jsonl", "results.csv", "metrics.csv", "turns.csv.gz", "standings.csv", "datapackage.json")


def flip(data: bytes, rng: random.Random) -> bytes:
    """Flip a bit in one to three bytes."""
    changed = bytearray(data)
    for place in rng.sample(range(len(data)), min(len(data), rng.randint(1, 3))):
        changed[place] ^= 1 << rng.randrange(8)
    return bytes(changed)


def cut(data: bytes, rng: random.Random) -> bytes:
    """Cut off the end of the data."""
    return data[: rng.randrange(len(data))]


def leave_out(data: bytes, rng: random.Random) -> bytes:
    """Leave out a piece of the middle, often a whole line."""
    lines = data.splitlines(keepends=True)
    if len(lines) > 1 and rng.random() < 0.6:
        del lines[rng.randrange(len(lines))]
        return b"".join(lines)
    start = rng.randrange(len(data))
    return data[:start] + data[start + rng.randint(1, 200) :]


def repeat_line(data: bytes, rng: random.Random) -> bytes:
    """Repeat a line, at the end or elsewhere."""
    lines = data.splitlines(keepends=True)
    lines.insert(rng.choice((len(lines), rng.randrange(len(lines) + 1))), rng.choice(lines))
    return b"".join(lines)


def append(data: bytes, rng: random.Random) -> bytes:
    """Append a blank, an empty line, or nonsense."""
    return data + rng.choice((b" ", b"\n", b"\0", b"{}\n", b'{"type":"end"}\n', rng.randbytes(20)))


def swap_names(data: bytes, _: random.Random) -> bytes:
    """Swap the results of the two bots."""
    return data.replace(b"left", b"\0").replace(b"right", b"left").replace(b"\0", b"right")


def change_digit(data: bytes, rng: random.Random) -> bytes:
    """Change a digit somewhere."""
    places = [place for place, byte in enumerate(data) if chr(byte).isdecimal()]
    if not places:
        return data
    place = rng.choice(places)
    return data[:place] + str((int(chr(data[place])) + rng.randint(1, 9)) % 10).encode() + data[place + 1 :]


def empty(_: bytes, __: random.Random) -> bytes:
    """Return no data at all."""
    return b""


DAMAGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    *(flip, cut, leave_out, repeat_line, append, swap_names, change_digit, empty),
)


PROBLEMS = ("accepted by verify", "accepted by leaderboard", "accepted by resume", "tracebacks")


class Corrupter:
    """Plays one small tournament and damages copies of it."""

    def __init__(self, *, seed: int, scratch: Path) -> None:
        self.figures = Figures()
        self._rng = random.Random(seed)
        self._whole = scratch / "whole"
        self._folder = scratch / "damaged"
        self._whole.mkdir()
        (self._whole / "kept.yaml").write_text(CUP)
        played = joust("run", "kept.yaml", folder=self._whole)
        verified = joust("verify", str(RESULTS), folder=self._whole)
        if (played.returncode, verified.returncode) != (0, 0):
            raise RuntimeError(f"expected a tournament that verifies, got {played.stderr}{verified.stderr}")
        self._board = joust("leaderboard", str(RESULTS), "--json", folder=self._whole).stdout

    def corrupt(self, count: int) -> Figures:
        """Damage fresh copies until `count` damages are done; return the counts."""
        while self.figures.done.total() < count:
            shutil.copytree(self._whole, self._folder)
            damage = self._damage()
            if damage is not None:
                self.figures.done[damage[0]] += 1
                self._check(damage[1])
            shutil.rmtree(self._folder)
        return self.figures

    def _damage(self) -> tuple[str, str] | None:
        """Damage a file; return its kind and the damage, or None if the file did not change."""
        results = self._folder / RESULTS
        target = self._rng.choice((TARGETS[0], self._rng.choice(TARGETS)))
        path = self._rng.choice(sorted(results.glob(target)))
        if self._rng.random() < 0.05:
            path.unlink()
            return target, f"{path.name} deleted"
        damage, before = self._rng.choice(DAMAGES), path.read_bytes()
        after = damage(before, self._rng)
        path.write_bytes(after)
        return None if after == before else (target, f"{path.name}: {damage.__name__}")

    def _check(self, what: str) -> None:
        if self._joust("verify", str(RESULTS), what=what) is not None:
            self.figures.fail("accepted by verify", what)
        board = self._joust("leaderboard", str(RESULTS), "--json", what=what)
        if board is not None and json.loads(board) != json.loads(self._board):
            self.figures.fail("accepted by leaderboard", f"{what}: {board[:300]}")
        if self._joust("run", "kept.yaml", "--resume", what=what) is not None:
            difference = first_difference(self._whole / RESULTS, self._folder / RESULTS)
            if difference or self._joust("verify", str(RESULTS), what=what) is None:
                self.figures.fail("accepted by resume", f"{what}: {difference or 'does not verify'}")

    def _joust(self, *arguments: str, what: str) -> str | None:
        """Return what a command prints, or None if its exit code is not 0."""
        try:
            with patch(
                "gridjoust.leaderboard.report.page.write_report", return_value=Path("no page")
            ):  # writing it takes most of the time
                done = joust(*arguments, folder=self._folder)
        except Exception as error:
            self.figures.fail("tracebacks", f"{what}: {arguments[0]}: {error!r}")
            return None
        if "Traceback" in done.stderr or done.returncode == 4:
            self.figures.fail("tracebacks", f"{what}: {arguments[0]}: {done.stderr[-800:]}")
        return done.stdout if done.returncode == 0 else None
