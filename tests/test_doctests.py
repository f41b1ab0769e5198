"""Every example in a docstring of the product runs."""

from __future__ import annotations

import ast
import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("games", "bots", "runner", "leaderboard", "gridjoust", "docs", "benchmarks", "study")


def has_examples(path: Path) -> bool:
    """Tell whether a docstring of the file holds a prompt."""
    text = path.read_text(encoding="utf-8")
    if ">>> " not in text:  # parsing every file takes seconds
        return False
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, documented)]
    return any(">>> " in (ast.get_docstring(node) or "") for node in nodes)


WITH_EXAMPLES = [
    path.relative_to(ROOT)
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
    if has_examples(path)
]


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=str)
def test_the_examples_of_a_module_run(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    module = import_module(".".join(path.with_suffix("").parts).removesuffix(".__init__"))
    failed, attempted = doctest.testmod(module)
    assert attempted > 0
    assert failed == 0
