"""Tests of the tests: small faults are put into the core, one at a time, and the tests of the same room must notice.

`python -m tests.mutation --sample 128 --seed 13 --jobs 2` prints the share of mutants killed per room and every
survivor with its line; `--room NAME` takes one room alone. A mutant is one changed operator, number or condition; one
that makes the tests run for ever counts as killed. Works on copies and is not part of the default run.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).parents[1]
PATIENCE_S = 300.0

# room: its code, and the tests that stand for it
ROOMS = {
    "referee": ("runner/referee/*.py", "tests/runner/referee"),
    "record": ("runner/results/records/*.py", "tests/runner/results/records"),
    "planners": ("bots/planners/*.py", "tests/bots/planners"),
    "statistics": ("runner/statistics/**/*.py", "tests/runner/statistics"),
    "leaderboard": ("leaderboard/*.py leaderboard/[fs]*/*.py", "tests/leaderboard"),
    "schedule": ("runner/schedule/**/*.py", "tests/runner/schedule"),
    "play": ("runner/play/*.py", "tests/runner/play"),
}

_PAIRS: list[tuple[type[ast.AST], type[ast.AST]]] = [
    *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot)),
    *((ast.Add, ast.Sub), (ast.Mult, ast.Div), (ast.And, ast.Or)),
]
_SWAPS = {**dict(_PAIRS), **{new: old for old, new in _PAIRS}, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file."""

    path: str
    line: int
    change: str  # for people
    source: str  # the whole file, unchanged
    number: int  # of the change, in order of place

    @property
    def text(self) -> str:
        """The whole file, changed; made when it is asked for, as few mutants of many are drawn."""
        tree = ast.parse(self.source)
        node, name, new = next(islice(_all_changes(tree), self.number, None))
        setattr(node, name, new)
        return ast.unparse(tree)


def mutants_of(source: str, path: str = "") -> Iterator[Mutant]:
    """Every mutant of a file, in order of place. Annotations, texts, assertions and error messages stay."""
    for number, (node, name, new) in enumerate(_all_changes(ast.parse(source))):
        old, before = getattr(node, name), ast.unparse(node).partition("\n")[0]
        setattr(node, name, new)
        after = ast.unparse(node).partition("\n")[0]
        yield Mutant(path, getattr(node, "lineno", 0), f"{before}  ->  {after}", source, number)
        setattr(node, name, old)


def _all_changes(tree: ast.AST) -> Iterator[tuple[ast.AST, str, object]]:
    return ((node, name, new) for node in _changeable(tree) for name, new in _changes(node))


def _changeable(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes worth changing, from the outside in."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params", "exc", "cause", "msg"):
            continue
        if isinstance(node, ast.ClassDef) and name == "keywords":
            continue  # `frozen=True` and its like: the type checker's business
        if isinstance(node, ast.keyword) and node.arg == "strict":
            continue  # an assertion about lengths
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.Assert | ast.JoinedStr | ast.Import):
                continue
            if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
                continue
            yield child
            yield from _changeable(child)


def _changes(node: ast.AST) -> Iterator[tuple[str, object]]:
    """Fields of a node and what they become."""
    match node:
        case ast.Compare(ops=[op]):
            yield "ops", [_SWAPS[type(op)]()]
        case ast.BinOp(left=ast.JoinedStr() | ast.Constant(value=str())):
            return  # a text
        case ast.BinOp(op=op) if type(op) in _SWAPS:
            yield "op", _SWAPS[type(op)]()
        case ast.BoolOp(op=op):
            yield "op", _SWAPS[type(op)]()
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "operand", ast.UnaryOp(ast.Not(), operand)
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield "test", ast.UnaryOp(ast.Not(), test)
        case ast.Constant(value=bool() as value):
            yield "value", not value
        case ast.Constant(value=int() | float() as value):
            yield "value", value + 1


def code_files(room: str) -> list[Path]:
    """The files whose mutants a room's tests must kill."""
    found = [path for pattern in ROOMS[room][0].split() for path in ROOT.glob(pattern)]
    return sorted(path for path in found if path.name != "__init__.py")


def sample(rooms: Sequence[str], count: int, seed: int) -> list[tuple[str, Mutant]]:
    """`count` mutants, spread evenly over the rooms' files, drawn by `seed` alone."""
    rng = random.Random(seed)
    files = [(room, path) for room in rooms for path in code_files(room)]
    rng.shuffle(files)
    pools: list[tuple[str, list[Mutant]]] = []
    for room, path in files:
        pool = list(mutants_of(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix()))
        rng.shuffle(pool)
        pools.append((room, pool))
    drawn: list[tuple[str, Mutant]] = []
    while len(drawn) < count and any(pool for _, pool in pools):
        drawn += [(room, pool.pop()) for room, pool in pools if pool]
    return drawn[:count]


def make_copy(folder: Path) -> Path:
    """A copy of what git tracks, to be changed, and of the kernels where they were built."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    kernels = [path.relative_to(ROOT).as_posix() for path in ROOT.glob("bots/*/_compiled*.so")]
    for name in [*listed.splitlines(), *kernels]:
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name, follow_symlinks=False)
    return folder


def is_killed(folder: Path, mutant: Mutant | None, tests: str) -> bool:
    """Whether the tests fail (or hang) in the copy with the mutant in it; the copy is restored."""
    if mutant is not None:
        (folder / mutant.path).write_text(mutant.text, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    shutil.rmtree(folder / ".pytest_cache", ignore_errors=True)  # bytecode of the mutant before
    call = [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider", "--no-header", tests]
    try:
        done = subprocess.run(
            call, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE_S
        )
    except subprocess.TimeoutExpired:
        return True
    finally:
        if mutant is not None:
            shutil.copyfile(ROOT / mutant.path, folder / mutant.path)
    if done.returncode not in (0, 1, 2):
        raise RuntimeError(f"{tests}: expected tests to run, got exit code {done.returncode}\n{done.stdout[-2000:]}")
    return done.returncode != 0


def main() -> int:
    """Print the table and the survivors; 1 where less than `--least` per cent are killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=128)
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--room", choices=ROOMS, action="append")
    parser.add_argument("--least", type=float, default=90.0)
    chosen = parser.parse_args()
    rooms = chosen.room or list(ROOMS)
    drawn = sample(rooms, chosen.sample, chosen.seed)
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(chosen.jobs) as workers:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(chosen.jobs):
            copies.put(make_copy(Path(scratch, str(number))))

        def judge(room: str, mutant: Mutant | None) -> bool:
            folder = copies.get()
            try:
                return is_killed(folder, mutant, ROOMS[room][1])
            finally:
                copies.put(folder)

        healthy = {room: workers.submit(judge, room, None) for room in rooms}
        if sick := [room for room, failed in healthy.items() if failed.result()]:
            print(f"expected tests that pass without a mutant, got failures in {', '.join(sick)}")
            return 2
        verdicts = list(workers.map(lambda pair: judge(*pair), drawn))
    total = Counter(room for room, _ in drawn)
    killed = Counter(room for (room, _), is_dead in zip(drawn, verdicts, strict=True) if is_dead)
    for (_, mutant), is_dead in zip(drawn, verdicts, strict=True):
        if not is_dead:
            print(f"survived: {mutant.path}:{mutant.line}: {mutant.change}")
    for room in total:
        print(f"{room:<12} {killed[room]:>4} of {total[room]}")
    share = 100 * killed.total() / total.total()
    print(f"{'all':<12} {killed.total():>4} of {total.total()} = {share:.1f} %")
    return 0 if share >= chosen.least else 1


if __name__ == "__main__":
    sys.exit(main())
