"""The page of public names is held equal to the code, and pages tell people to import public names only."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

import gridjoust
from docs.make_reference import FOLDER
from docs.python_names import ADAPTERS, LISTS, PARTS, PLANNERS, _arguments, _field_row, find_name, parse_source

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LISTED = [f"gridjoust.{name}" for name in ("drawing", "planners", "statistics")]
PUBLIC = {
    "gridjoust": set(dir(gridjoust)),
    **{module: set(dir(import_module(LISTS.get(module, module)))) for module in LISTED},
    **{module: set(names.split()) for module, names in ADAPTERS.items()},
}
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"])


def sections() -> dict[str, str]:
    """The text of each part of the page, by its heading."""
    parts = re.split(r"^## (.+)$", (FOLDER / "python.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def headings(text: str) -> set[str]:
    return set(re.findall(r"^### (?:planners\.)?(\w+)$", text.replace("\\", ""), re.MULTILINE))


def rows(text: str) -> set[str]:
    return set(re.findall(r"^\| `(\w+)[`(]", text, re.MULTILINE))


def test_the_page_has_every_public_name_of_gridjoust_and_no_other() -> None:
    shown = set().union(*(headings(sections()[part]) for part in PARTS))
    assert shown | {module.rpartition(".")[2] for module in LISTED} == PUBLIC["gridjoust"]


@pytest.mark.parametrize("module", [PLANNERS, *ADAPTERS])
def test_the_page_has_every_public_name_of_a_module_and_no_other(module: str) -> None:
    assert headings(sections()[module]) == PUBLIC[module]


@pytest.mark.parametrize("module", LISTS)
def test_the_page_lists_every_public_name_of_a_module_and_no_other(module: str) -> None:
    assert rows(sections()[module]) == PUBLIC[module]


@pytest.mark.parametrize("module", ["gridjoust", *LISTED])
def test_public_names_are_there_and_inner_modules_are_not_listed(module: str) -> None:
    loaded = import_module(LISTS.get(module, module))
    assert all(hasattr(loaded, name) for name in dir(loaded))
    assert not {"runner", "bots", "import_module", "annotations", "terminal"} & set(dir(loaded))


def imports_of(text: str) -> list[tuple[str, str]]:
    """Module and name of each import from `gridjoust` in a program; the name is empty in `import module`."""
    found: list[tuple[str, str]] = []
    for line in re.findall(r"^ *((?:from|import) gridjoust\b.*)$", text, re.MULTILINE):
        [node] = ast.parse(line).body
        assert isinstance(node, ast.Import | ast.ImportFrom)
        outer = node.module or "" if isinstance(node, ast.ImportFrom) else ""
        found += [(outer, one.name) if outer else (one.name, "") for one in node.names]
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_programs_of_a_page_import_public_names_only(page: Path) -> None:
    for block in BLOCK.findall(page.read_text("utf-8")):
        assert [one for one in imports_of(block) if not is_public(*one)] == []


def is_public(module: str, name: str) -> bool:
    return module in PUBLIC and (not name or name in PUBLIC[module])


def test_an_import_of_an_inner_name_is_noticed() -> None:
    told = "import gridjoust as joust\nfrom gridjoust.runner.seeds import content_id\nfrom gridjoust import play, Table"
    assert [one for one in imports_of(told) if not is_public(*one)] == [
        ("gridjoust.runner.seeds", "content_id"),
        ("gridjoust", "Table"),
    ]


def test_an_argument_without_a_meaning_and_a_meaning_without_an_argument_are_refused() -> None:
    source = parse_source(
        "m", 'def f(a: int, b: int = 1) -> None:\n    """Do it.\n\n    Args:\n        a: one\n    """\n'
    )
    [function] = source.tree.body
    assert isinstance(function, ast.FunctionDef)
    with pytest.raises(ValueError, match=r"f: expected the arguments \['a', 'b'\], got \['a'\]"):
        list(_arguments(function, source, where="f"))


def test_a_field_without_a_comment_is_refused() -> None:
    source = parse_source("m", "class C:\n    a: int\n    b: int = 2  # of them\n")
    [made] = source.tree.body
    assert isinstance(made, ast.ClassDef)
    bare, told = made.body
    assert isinstance(bare, ast.AnnAssign)
    assert isinstance(told, ast.AnnAssign)
    assert _field_row(told, source, where="C") == ("`b`", "`int`", "`2`", "of them")
    with pytest.raises(ValueError, match=r"m: C.a has no comment that says what it means"):
        _field_row(bare, source, where="C")


def test_a_name_that_a_module_lacks_is_refused() -> None:
    with pytest.raises(ValueError, match="gridjoust has no name plya"):
        find_name("gridjoust", "plya")
