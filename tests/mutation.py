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
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).parents[1]
PATIENCE_S = 300.0


@dataclass(frozen=True, slots=True)
class Room:
    """Code and the tests that stand for it, as paths from the root; a folder counts without its subfolders' rooms."""

    code: tuple[str, ...]
    tests: tuple[str, ...]


ROOMS = {
    "referee": Room(("runner/referee",), ("tests/runner/referee",)),
    "record": Room(("runner/record",), ("tests/runner/record",)),
    "planners": Room(("bots/planners",), ("tests/bots/planners",)),
    "statistics": Room(("runner/statistics",), ("tests/runner/statistics",)),
    "leaderboard": Room(("leaderboard/*.py",), ("tests/leaderboard",)),
    "schedule": Room(("runner/schedule",), ("tests/runner/schedule",)),
    "pool": Room(("runner/pool.py",), ("tests/runner/test_pool.py",)),
}

_SWAPS: dict[type[ast.AST], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "/",
    ast.Div: "*",
    ast.FloorDiv: "*",
    ast.Mod: "//",
    ast.And: "or",
    ast.Or: "and",
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file."""

    path: str
    line: int
    text: str  # the whole file, changed
    change: str  # for people


def mutants_of(source: str, path: str = "") -> Iterator[Mutant]:
    """Every mutant of a file, in order of place. Annotations, texts, assertions and error messages stay."""
    edit = _Editor(source)
    for node in _changeable(ast.parse(source)):
        for start, end, new in _changes(node, edit):
            changed = source[:start] + new + source[end:]
            line = source.count("\n", 0, start) + 1
            shown = changed.splitlines()[line - 1].strip()
            yield Mutant(path, line, changed, f"{source.splitlines()[line - 1].strip()}  ->  {shown}")


class _Editor:
    """Places of nodes as offsets into the text."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._lines = source.splitlines(keepends=True)

    def offset(self, line: int, column: int) -> int:
        """The tree counts columns in bytes."""
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode())

    def start(self, node: ast.expr | ast.stmt) -> int:
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.offset(node.end_lineno, node.end_col_offset)


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


def _changes(node: ast.AST, edit: _Editor) -> Iterator[tuple[int, int, str]]:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            yield _operator(edit, left, right, _SWAPS[type(op)])
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _SWAPS and not _is_text(left):
            yield _operator(edit, left, right, _SWAPS[type(op)])
        case ast.BoolOp(op=op, values=[left, right, *_]):
            yield _operator(edit, left, right, _SWAPS[type(op)])
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield edit.start(node), edit.start(operand), ""
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield edit.start(test), edit.end(test), f"not ({edit.source[edit.start(test) : edit.end(test)]})"
        case ast.Constant(value=bool() as value):
            yield edit.start(node), edit.end(node), str(not value)
        case ast.Constant(value=int() | float() as value):
            yield edit.start(node), edit.end(node), repr(value + 1)


def _operator(edit: _Editor, left: ast.expr, right: ast.expr, new: str) -> tuple[int, int, str]:
    """The gap between two operands with its operator replaced; brackets in it stay."""
    start, end = edit.end(left), edit.start(right)
    gap = edit.source[start:end]
    closing, opening = gap.count(")"), gap.count("(")
    return start, end, f"{')' * closing} {new} {'(' * opening}"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def code_files(room: Room) -> list[Path]:
    """The files whose mutants a room's tests must kill."""
    found: list[Path] = []
    for pattern in room.code:
        place = ROOT / pattern
        found += sorted(place.rglob("*.py")) if place.is_dir() else sorted(ROOT.glob(pattern))
    return [path for path in found if path.name != "__init__.py"]


def sample(rooms: Sequence[str], count: int, seed: int) -> list[tuple[str, Mutant]]:
    """`count` mutants, spread evenly over the rooms' files, drawn by `seed` alone."""
    rng = random.Random(seed)
    files = [(name, path) for name in rooms for path in code_files(ROOMS[name])]
    rng.shuffle(files)
    drawn: list[tuple[str, Mutant]] = []
    pools = []
    for name, path in files:
        pool = list(mutants_of(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix()))
        rng.shuffle(pool)
        pools.append((name, pool))
    while len(drawn) < count and any(pool for _, pool in pools):
        drawn += [(name, pool.pop()) for name, pool in pools if pool]
    return drawn[:count]


def make_copy(folder: Path) -> Path:
    """A copy of what git tracks, to be changed."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    return folder


def is_killed(folder: Path, mutant: Mutant | None, tests: Sequence[str]) -> bool:
    """Whether the tests fail (or hang) in the copy with the mutant in it; the copy is restored."""
    if mutant is not None:
        (folder / mutant.path).write_text(mutant.text, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    options = ["-x", "-q", "-n0", "-p", "no:cacheprovider", "--no-header"]
    try:
        call = [sys.executable, "-m", "pytest", *options, *tests]
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table and the survivors; 1 where less than `--least` per cent are killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=128)
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--room", choices=ROOMS, action="append")
    parser.add_argument("--least", type=float, default=90.0)
    chosen = parser.parse_args(arguments)
    rooms = chosen.room or list(ROOMS)
    drawn = sample(rooms, chosen.sample, chosen.seed)
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(chosen.jobs) as workers:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(chosen.jobs):
            copies.put(make_copy(Path(scratch, str(number))))

        def judge(name: str, mutant: Mutant | None) -> bool:
            folder = copies.get()
            try:
                return is_killed(folder, mutant, ROOMS[name].tests)
            finally:
                copies.put(folder)

        healthy = {name: workers.submit(judge, name, None) for name in rooms}
        if sick := [name for name, failed in healthy.items() if failed.result()]:
            print(f"expected tests that pass without a mutant, got failures in {', '.join(sick)}")
            return 2
        verdicts = list(workers.map(lambda pair: judge(*pair), drawn))
    return _report(drawn, verdicts, chosen.least)


def _report(drawn: Sequence[tuple[str, Mutant]], verdicts: Sequence[bool], least: float) -> int:
    total, killed = Counter[str](), Counter[str]()
    for (name, mutant), is_dead in zip(drawn, verdicts, strict=True):
        total[name] += 1
        killed[name] += is_dead
        if not is_dead:
            print(f"survived: {mutant.path}:{mutant.line}: {mutant.change}")
    for name in total:
        print(f"{name:<12} {killed[name]:>4} of {total[name]}")
    share = 100 * killed.total() / total.total()
    print(f"{'all':<12} {killed.total():>4} of {total.total()} = {share:.1f} %")
    return 0 if share >= least else 1


if __name__ == "__main__":
    sys.exit(main())
