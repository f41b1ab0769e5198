"""Tests of the tests: small faults are put into the core, one at a time, and the tests of the same room must notice.

`python -m tests.mutation --sample 128 --seed 13 --jobs 2` prints each survivor with its line, then the share of mutants
killed per room, and last the folders of which none is drawn; `--room NAME` takes one room alone. A mutant is one
changed operator, number or condition; one that makes the tests run forever, or take all memory, counts as killed. The
room's tests of the default run judge first, then those of both tiers judge what has survived. Works on copies and is
not part of the default run.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[1]
PATIENCE_S = 600.0  # for tests that wait forever
TIERS_CPU_S, TIERS_PATIENCE_S = 1200, 2400.0  # the same for both tiers: a room's long tests take minutes
CPU_S, MEMORY_KB = (
    120,
    6_000_000,
)  # for tests that compute forever: ten times what the slowest room needs, and its memory

# room: its code, and the tests that stand for it
ROOMS = {
    "referee": ("runner/referee/*.py", "tests/runner/referee"),
    "record": ("runner/results/records/*.py", "tests/runner/results/records"),
    "planners": ("bots/planners/*.py", "tests/bots/planners"),
    "statistics": ("runner/statistics/**/*.py", "tests/runner/statistics"),
    "leaderboard": ("leaderboard/*.py leaderboard/[fs]*/*.py", "tests/leaderboard"),
    "schedule": ("runner/schedule/**/*.py", "tests/runner/schedule"),
    "play": ("runner/play/*.py", "tests/runner/play"),
    "wire": ("runner/wire/**/*.py", "tests/runner/wire"),
}
CORE = ("bots/planners", "leaderboard", "runner")  # of what else is in these, no mutant is drawn: it has no room

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
        """The whole file, changed."""
        return ast.unparse(self.tree)

    @property
    def tree(self) -> ast.Module:
        """The same as a tree; made when it is asked for, as few mutants of many are drawn."""
        tree = ast.parse(self.source)
        node, name, new = next(islice(_all_changes(tree), self.number, None))
        setattr(node, name, new)
        return tree


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


def folders_without_room() -> list[str]:
    """Return the folders of the core with code of which no mutant is drawn."""
    drawn = {path for room in ROOMS for path in code_files(room)}
    code = {path for folder in CORE for path in (ROOT / folder).rglob("*.py") if path.name != "__init__.py"}
    return sorted({path.parent.relative_to(ROOT).as_posix() for path in code - drawn})


def sample(rooms: Sequence[str], count: int, seed: int) -> list[tuple[str, Mutant]]:
    """Draw `count` mutants, spread evenly over rooms and over the files of each, by `seed` alone."""
    rng = random.Random(seed)
    pools: list[list[tuple[str, Mutant]]] = []
    for room in rooms:
        files = [[(room, mutant) for mutant in _mutants_in(path)] for path in code_files(room)]
        rng.shuffle(files)
        for mutants in files:
            rng.shuffle(mutants)
        pools.append(_in_turns(files))
    return _in_turns(pools)[:count]


def _mutants_in(path: Path) -> Iterator[Mutant]:
    return mutants_of(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix())


def _in_turns(rows: Sequence[Sequence[tuple[str, Mutant]]]) -> list[tuple[str, Mutant]]:
    """Return the first of each row, then the second of each, until all are used up."""
    return [value for values in zip_longest(*rows) for value in values if value is not None]


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
    """Return whether the tests fail (or never end) in the copy with the mutant in it, and restore the copy."""
    first = [] if mutant is None else files_about(folder, Path(mutant.path).stem, tests)
    with nullcontext() if mutant is None else put_in(folder, mutant):
        code, printed = _run_tests(folder, [*first, tests])
    if code in (3, 4, 5):
        raise RuntimeError(f"{tests}: expected tests to run, got exit code {code}\n{printed[-2000:]}")
    return code != 0


@contextmanager
def put_in(folder: Path, mutant: Mutant) -> Iterator[None]:
    """Write a mutant's file in the copy, and restore it at the end."""
    path = folder / mutant.path
    path.write_text(mutant.text, encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(mutant.source, encoding="utf-8")
        for bytecode in (folder / ".pytest_cache").rglob(f"{path.stem}.*.pyc"):
            bytecode.unlink()


def files_about(folder: Path, module: str, tests: str) -> list[str]:
    """Return the test files that name a module, to be run first: the one of its name, then those that say it most."""
    says = {path: path.read_text(encoding="utf-8") for path in sorted((folder / tests).rglob("test_*.py"))}
    count = {path: len(re.findall(rf"\b{module}\b", text)) for path, text in says.items()}
    named = [path for path in says if count[path] or path.stem == f"test_{module}"]
    named.sort(key=lambda path: (path.stem != f"test_{module}", -count[path]))
    return [path.relative_to(folder).as_posix() for path in named]


def _environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}


def _run_tests(folder: Path, tests: Sequence[str]) -> tuple[int, str]:
    """Play tests of both tiers; return pytest's exit code, negative if it was ended, and what it printed."""
    pytest = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-n0",
        "-p",
        "no:cacheprovider",
        "--no-header",
        "-m",
        "",
        *tests,
    ]
    limited = ["sh", "-c", f'ulimit -t {TIERS_CPU_S} && ulimit -v {MEMORY_KB} && exec "$@"', "sh", *pytest]
    with subprocess.Popen(
        limited,
        cwd=folder,
        env=_environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            printed, _ = process.communicate(timeout=TIERS_PATIENCE_S)
        except subprocess.TimeoutExpired:
            printed = ""
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # bots that the tests started, too
    return process.returncode, printed


def survivors_of(folder: Path, room: str, mutants: Sequence[Mutant]) -> list[Mutant]:
    """Return the mutants of a room that its tests do not kill in the copy; ValueError if they fail without one.

    All are judged by the default run's tests in forks of one pytest process (`mutation_forks`). Only a process of its
    own, which plays the gate's too, lets a mutant survive.
    """
    given, verdicts = folder / "mutants.json", folder / "verdicts"
    given.write_bytes(msgspec.json.encode(mutants))
    call = [sys.executable, "-m", "tests.mutation_forks", ROOMS[room][1], str(given), str(verdicts)]
    done = subprocess.run(call, cwd=folder, env=_environment(folder), capture_output=True, text=True, check=False)
    healthy, *found = verdicts.read_text(encoding="utf-8").split() if verdicts.exists() else [done.stdout + done.stderr]
    if healthy != "survived":
        raise ValueError(f"{room}: expected tests that pass without a mutant, got {healthy[-2000:]}")
    judged = zip(mutants, found, strict=True)
    return [mutant for mutant, seen in judged if seen != "killed" and not is_killed(folder, mutant, ROOMS[room][1])]


def main() -> int:
    """Print the survivors and the table; 1 if less than `--least` per cent are killed, 2 if tests fail without any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=128)
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--room", choices=ROOMS, action="append")
    parser.add_argument("--least", type=float, default=90.0)
    chosen = parser.parse_args()
    drawn: dict[str, list[Mutant]] = {room: [] for room in chosen.room or ROOMS}
    for room, mutant in sample(list(drawn), chosen.sample, chosen.seed):
        drawn[room].append(mutant)

    def judge(room: str) -> list[Mutant]:
        with tempfile.TemporaryDirectory() as scratch:
            return survivors_of(make_copy(Path(scratch)), room, drawn[room])

    killed = total = 0
    with ThreadPoolExecutor(chosen.jobs) as workers:
        try:
            for room, survivors in zip(drawn, workers.map(judge, drawn), strict=True):
                for mutant in survivors:
                    print(f"survived: {mutant.path}:{mutant.line}: {mutant.change}")
                count = len(drawn[room])
                print(f"{room:<12} {count - len(survivors):>4} of {count}", flush=True)
                killed, total = killed + count - len(survivors), total + count
        except ValueError as error:
            print(error)
            return 2
    share = 100 * killed / total
    print(f"{'all':<12} {killed:>4} of {total} = {share:.1f} %")
    print(f"not drawn, as no room's tests stand for them: {', '.join(folders_without_room())}; and each __init__.py")
    return 0 if share >= chosen.least else 1


if __name__ == "__main__":
    sys.exit(main())
