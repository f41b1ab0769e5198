"""Judges mutants of one room in forks of a pytest process that has collected the room's tests.

`python -m tests.mutation_forks TESTS MUTANTS VERDICTS` runs in a copy of the tree. MUTANTS is a JSON list of the fields
of `Mutant`. VERDICTS gets a line for the code unchanged and one for each mutant: `killed`, `survived` or `unclear`. A
mutant changes the functions that exist already. It is unclear if it changes none, as do those of constants.
"""

from __future__ import annotations

import ast
import gc
import math
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import CodeType, FunctionType

import msgspec
import pytest

from tests.mutation import CPU_S, MEMORY_KB, PATIENCE_S, Mutant, files_about, put_in

SURVIVED, KILLED, UNCLEAR = 0, 1, 77


class Forks:
    """The plugin that plays the tests once for each mutant, each time in a process of its own."""

    def __init__(self, tests: str, mutants: Sequence[Mutant], verdicts: Path) -> None:
        self._tests, self._mutants, self._verdicts = tests, mutants, verdicts

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Judge the code unchanged, then each mutant."""
        functions, costs_s = _functions_by_file(), self._verdicts.with_suffix(".costs")
        with self._verdicts.open("w", buffering=1, encoding="utf-8") as file:
            file.write(_judge(partial(_measure, session, costs_s)) + "\n")
            cost_s = msgspec.json.decode(costs_s.read_bytes(), type=dict[str, float]) if costs_s.exists() else {}
            for mutant in self._mutants:
                first = files_about(Path.cwd(), Path(mutant.path).stem, self._tests)
                rank = {os.path.realpath(path): at for at, path in enumerate(first)}
                session.items.sort(key=lambda item: (rank.get(str(item.path), len(rank)), cost_s.get(item.nodeid, 0.0)))
                with put_in(Path.cwd(), mutant):
                    changed = changed_functions(mutant, functions.get(os.path.realpath(mutant.path), []))
                    verdict = _judge(partial(_play, session, changed, cost_s)) if changed else "unclear"
                file.write(verdict + "\n")
        return True


def _functions_by_file() -> dict[str, list[FunctionType]]:
    """Return all functions that exist, by the real path of their file."""
    found: dict[str, list[FunctionType]] = {}
    gc.unfreeze()
    for value in gc.get_objects():
        if isinstance(value, FunctionType):
            found.setdefault(os.path.realpath(value.__code__.co_filename), []).append(value)
    gc.freeze()
    return found


def changed_functions(mutant: Mutant, functions: Sequence[FunctionType]) -> dict[FunctionType, CodeType]:
    """Return the functions that a mutant changes, with their new code."""
    old, new = _codes(ast.parse(mutant.source)), _codes(mutant.tree)
    places = {function: (function.__code__.co_qualname, function.__code__.co_firstlineno) for function in functions}
    return {function: new[at] for function, at in places.items() if at in new and new[at] != old.get(at)}


def _codes(tree: ast.Module) -> dict[tuple[str, int], CodeType]:
    """Return the code of each function of a file by its qualified name and first line."""
    found: dict[tuple[str, int], CodeType] = {}
    rest = [compile(ast.fix_missing_locations(tree), "mutant", "exec", dont_inherit=True)]
    while rest:
        code = rest.pop()
        found[code.co_qualname, code.co_firstlineno] = code
        rest += [value for value in code.co_consts if isinstance(value, CodeType)]
    return found


def _judge(play: Callable[[], int]) -> str:
    """Return the verdict of tests played in a fork."""
    if (child := os.fork()) == 0:
        code = UNCLEAR
        try:
            _limit()
            code = play()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # bots that the tests started, too
    return {SURVIVED: "survived", UNCLEAR: "unclear"}.get(os.waitstatus_to_exitcode(status), "killed")


def _limit() -> None:
    """Make this process a group of its own, without output and with limits."""
    os.setsid()
    silent = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silent, stream)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_KB * 1024, MEMORY_KB * 1024))
    signal.alarm(math.ceil(PATIENCE_S))


def _measure(session: pytest.Session, costs_s: Path) -> int:
    """Play the tests, and write the CPU time that each needs, in s."""
    spent_s: dict[str, float] = {}
    for item, following in _with_next(session):
        begin_s = time.process_time()
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        spent_s[item.nodeid] = time.process_time() - begin_s
        if session.testsfailed:
            return KILLED
    costs_s.write_bytes(msgspec.json.encode(spent_s))
    return SURVIVED


def _play(session: pytest.Session, changed: dict[FunctionType, CodeType], cost_s: dict[str, float]) -> int:
    """Play the tests with changed functions, up to one that fails or needs more than three times its CPU time."""
    for function, code in changed.items():
        function.__code__ = code
    _, most_s = resource.getrlimit(resource.RLIMIT_CPU)
    for item, following in _with_next(session):
        limit_s = math.ceil(time.process_time() + 3 * cost_s.get(item.nodeid, 0.0)) + 2
        resource.setrlimit(resource.RLIMIT_CPU, (min(limit_s, most_s), most_s))
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return KILLED
    return SURVIVED


def _with_next(session: pytest.Session) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    return zip(session.items, [*session.items[1:], None], strict=True)


def main(tests: str, mutants: str, verdicts: str) -> int:
    """Judge the mutants; return pytest's exit code."""
    plugin = Forks(tests, msgspec.json.decode(Path(mutants).read_bytes(), type=list[Mutant]), Path(verdicts))
    return int(pytest.main(["-q", "-s", "-n0", "-p", "no:cacheprovider", tests], plugins=[plugin]))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
