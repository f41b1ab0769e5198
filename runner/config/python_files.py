"""What a user's Python file promises, by its syntax tree alone. Runs none of it."""

from __future__ import annotations

import ast
from pathlib import Path


def class_problem(path: Path, class_name: str) -> tuple[str, str] | None:
    """(expected, got) unless the file may well define the class, then None.

    Names that code makes while it runs (`import *`, `exec`) cannot be seen: such files are let through, as are classes
    that turn out to be no bots. The bot's own process finds out.
    """
    try:
        tree = ast.parse(path.read_bytes(), filename=path.name)
    except SyntaxError as error:
        return "Python", f"{error.msg} in line {error.lineno} of {path.name}"
    except (OSError, ValueError) as error:
        return "a readable Python file", str(error)
    names = set().union(*(_bound(node) for node in ast.walk(tree)))
    if class_name in names or "*" in names:
        return None
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    got = f"{', '.join(classes)} alone" if classes else "no class"
    return f"a class {class_name} in {path.name}", got


def _bound(node: ast.AST) -> set[str]:
    """Names that a statement may bind; functions' own names too, which does no harm."""
    match node:
        case ast.ClassDef() | ast.FunctionDef():
            return {node.name}
        case ast.Import() | ast.ImportFrom():
            return {alias.asname or alias.name for alias in node.names}
        case ast.Name(ctx=ast.Store()):
            return {node.id}
        case ast.Call(func=ast.Name(id="exec" | "globals" | "setattr")):
            return {"*"}
        case _:
            return set()
