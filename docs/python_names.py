"""The page of public names, read from signatures, docstrings and comments of the source.

The docstring of a function says under `Args:` what each argument means. A field has a comment on its line, or a
description for the JSON schema. A name that is imported under another one may have a comment there.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from inspect import cleandoc
from pathlib import Path

from docs.markdown import table

TOP = Path(__file__).parents[1]
PARTS = {  # heading -> names of `gridjoust`
    "Play": "play play_many Played PlayedTurn run",
    "Read results": "load load_batches Tables read_record MatchRecord",
    "Write a bot": "Bot AnytimeBot MatchSetup Observation MatchResult Deadline Budget OutOfWork SearchStats",
    "Write a game": (
        "Game GameSpec Param Metric Dynamics Utility Turn Outcome IllegalAction rng_for Seat ParamValue Json"
    ),
    "Test a bot or a game": "bot_tests check_bot game_tests check_game",
    "Errors and version": "JoustError ConfigError RecordError BugError __version__",
}
PLANNERS = "gridjoust.planners"
ADAPTERS = {  # modules that need an extra
    "gridjoust.adapters.pettingzoo": "make_aec make_parallel read_observation",
    "gridjoust.adapters.gymnasium": "make_env",
}
LISTS = {"gridjoust.drawing": "gridjoust.drawing", "gridjoust.statistics": "gridjoust.runner.statistics"}
_ARGS, _PROMPT = "Args:", ">>> "
_ARG = re.compile(r"^    (\w+): (.*\n(?:     +.*\n)*)", re.MULTILINE)
Row = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a module: its name, its statements, the comment of each line that has one, its imports."""

    module: str
    tree: ast.Module
    comments: Mapping[int, str]
    imports: tuple[ast.ImportFrom, ...]

    def comment(self, node: ast.stmt) -> str:
        """Return the comment on a statement's last line; "" if there is none."""
        return self.comments.get(node.end_lineno or 0, "")


@dataclass(frozen=True, slots=True)
class Found:
    """The statement that defines a name, its source, and the comment on an import that renames it."""

    node: ast.stmt
    source: Source
    renamed: str = ""


@cache
def load_source(module: str) -> Source:
    """Parse the source of a module of `gridjoust`."""
    path = TOP.joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return parse_source(module, path.read_text(encoding="utf-8"))


def parse_source(module: str, text: str) -> Source:
    """Parse the text of a module."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    comments = {one.start[0]: one.string.lstrip("# ") for one in tokens if one.type == tokenize.COMMENT}
    tree = ast.parse(text)
    return Source(module, tree, comments, tuple(one for one in ast.walk(tree) if isinstance(one, ast.ImportFrom)))


def _search(module: str, name: str) -> Found | None:
    """Return where a name is defined, through imports; None if the module has no such name."""
    source = load_source(module)
    for node in (*source.tree.body, *source.imports):
        match node:
            case ast.FunctionDef(name=own) | ast.ClassDef(name=own) if own == name:
                return Found(node, source)
            case ast.Assign(targets=[ast.Name(id=own)]) if own == name:
                return Found(node, source)
            case ast.ImportFrom(module=str(home), names=names):
                for one in names:
                    if name == (one.asname or one.name) or one.name == "*":
                        there = _search(home, name if one.name == "*" else one.name)
                        if there is not None:
                            is_renamed = one.asname not in (None, one.name)
                            return replace(there, renamed=source.comment(node)) if is_renamed else there
            case _:
                pass
    return None


def public_page() -> Iterator[str]:
    """Yield the blocks of the page."""
    yield (
        "These names are meant for your programs, and `dir(gridjoust)` lists them. The changelog names every change of "
        "them; all other names may change without notice. The examples say `import gridjoust as joust`."
    )
    for heading, names in PARTS.items():
        yield f"## {heading}"
        for name in names.split():
            yield from _entry("gridjoust", name)
    yield from _heading(PLANNERS, PLANNERS)
    for name in dir(import_module(PLANNERS)):
        if name in dir(import_module("gridjoust")):
            yield f"### planners.{name}"
            yield f"It is [`gridjoust.{name}`](#{name.lower()})."
        else:
            yield from _entry(PLANNERS, name)
    for home, names in ADAPTERS.items():
        yield from _heading(home, home)
        for name in names.split():
            yield from _entry(home, name)
    for shown, home in LISTS.items():
        yield from _heading(shown, home)
        yield table(("name", "meaning"), [_short_row(home, name) for name in dir(import_module(home))])


def _heading(shown: str, home: str) -> Iterator[str]:
    yield f"## {shown}"
    yield from _prose(load_source(home).tree)


def _entry(module: str, name: str) -> Iterator[str]:
    """Yield the blocks on one name: heading, meaning, and tables of what it takes or has."""
    node, source = (found := find_name(module, name)).node, found.source
    yield f"### {name}".replace("__", r"\_\_")
    if isinstance(node, ast.FunctionDef):
        yield f"`{name}{_call(node)}`"
        yield from _prose(node)
        yield from _arguments(node, source, where=name)
    elif isinstance(node, ast.ClassDef):
        yield from [found.renamed] if found.renamed else _prose(node)
        yield from _members(node, source)
    else:
        yield from _constant(found)


def _short_row(module: str, name: str) -> tuple[str, str]:
    """Return a name with its arguments or fields, and what it means."""
    node, source = (found := find_name(module, name)).node, found.source
    if isinstance(node, ast.FunctionDef):
        return f"`{name}{_call(node, is_full=True)}`", _summary(node)
    if isinstance(node, ast.ClassDef):
        fields = ", ".join(f"`{field.target.id}`" for field in _fields(node) if isinstance(field.target, ast.Name))
        return f"`{name}`" + f": {fields}" * bool(fields), _summary(node)
    return f"`{name}`", source.comment(node) or f"`{ast.unparse(node)}`"


def _prose(node: ast.FunctionDef | ast.ClassDef | ast.Module) -> Iterator[str]:
    """Yield the paragraphs of a docstring; examples become code blocks, the part on arguments is left out."""
    for paragraph in (ast.get_docstring(node) or "").partition(f"\n{_ARGS}\n")[0].strip().split("\n\n"):
        if paragraph.startswith(("    ", _PROMPT)):
            yield f"```python\n{cleandoc(paragraph)}\n```"
        else:
            yield paragraph


def _summary(node: ast.FunctionDef | ast.ClassDef) -> str:
    return " ".join(block for block in _prose(node) if not block.startswith("```"))


def _call(node: ast.FunctionDef, *, is_full: bool = False) -> str:
    """Return the arguments of a function in brackets and what it returns; `is_full`: with types and defaults."""
    own = node.args
    if is_full:
        arguments = ast.unparse(own)
    else:
        star = [f"*{own.vararg.arg}"] if own.vararg else ["*"] if own.kwonlyargs else []
        more = [f"**{own.kwarg.arg}"] if own.kwarg else []
        names = [one.arg for one in [*own.posonlyargs, *own.args] if one.arg != "self"]
        arguments = ", ".join([*names, *star, *(one.arg for one in own.kwonlyargs), *more])
    returned = "" if node.returns is None else f" -> {ast.unparse(node.returns)}"
    return f"({arguments}){returned}"


def _arguments(node: ast.FunctionDef, source: Source, *, where: str) -> Iterator[str]:
    """Yield the table of a function's arguments; ValueError if it and the docstring name different ones."""
    meanings = dict(_ARG.findall((ast.get_docstring(node) or "").partition(f"\n{_ARGS}\n")[2] + "\n"))
    rows = [(name, *rest) for name, *rest in _signature(node, source)]
    if [name for name, *_ in rows] != list(meanings):
        raise ValueError(f"{where}: expected the arguments {[name for name, *_ in rows]}, got {list(meanings)}")
    if rows:
        named = [(f"`{name}`", kind, default, " ".join(meanings[name].split())) for name, kind, default in rows]
        yield table(("argument", "type", "default", "meaning"), named)


def _signature(node: ast.FunctionDef, source: Source) -> Iterator[tuple[str, str, str]]:
    """Yield name, type and default of every argument; those of a TypedDict stand for `**options`."""
    arguments = node.args
    positional = [one for one in [*arguments.posonlyargs, *arguments.args] if one.arg != "self"]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    for one, default in zip([*positional, *arguments.kwonlyargs], [*defaults, *arguments.kw_defaults], strict=True):
        yield one.arg, _type(one.annotation), "required" if default is None else f"`{_value(default, source)}`"
    if arguments.kwarg is not None:
        match arguments.kwarg.annotation:
            case ast.Subscript(slice=ast.Name(id=options)):
                for field in _fields(_class(source.module, options)):
                    is_required = ast.unparse(field.annotation).startswith("Required[")
                    yield ast.unparse(field.target), _type(field.annotation), "required" if is_required else ""


def _members(node: ast.ClassDef, source: Source) -> Iterator[str]:
    """Yield the tables of a class: values of an enum, fields, arguments of the constructor, methods."""
    if any(isinstance(base, ast.Name) and base.id == "Enum" for base in node.bases):
        values = [one for one in node.body if isinstance(one, ast.Assign)]
        yield table(("value", "meaning"), [(f"`{ast.unparse(one.targets[0])}`", source.comment(one)) for one in values])
        return
    if rows := [_field_row(field, source, where=node.name) for field in _fields(node)]:
        yield table(("field", "type", "default", "meaning"), rows)
    methods = [one for one in node.body if isinstance(one, ast.FunctionDef)]
    for one in methods:
        if one.name == "__init__" and _ARGS in (ast.get_docstring(one) or ""):
            yield from _arguments(one, source, where=f"{node.name}.__init__")
    if shown := [(_method(one), _summary(one)) for one in methods if not one.name.startswith("_")]:
        yield table(("", "meaning"), shown)


def _method(node: ast.FunctionDef) -> str:
    is_property = any(isinstance(one, ast.Name) and one.id == "property" for one in node.decorator_list)
    return f"`{node.name}`" if is_property else f"`{node.name}{_call(node)}`"


def _fields(node: ast.ClassDef) -> list[ast.AnnAssign]:
    fields = [one for one in node.body if isinstance(one, ast.AnnAssign)]
    return [one for one in fields if not ast.unparse(one.target).startswith("_")]


def _field_row(field: ast.AnnAssign, source: Source, *, where: str) -> Row:
    name, meaning = ast.unparse(field.target), source.comment(field)
    match field.annotation:
        case ast.Subscript(slice=ast.Tuple(elts=[_, ast.Call(args=[ast.Constant(value=str(text))])])):
            meaning = text
    if not meaning:
        raise ValueError(f"{source.module}: {where}.{name} has no comment that says what it means")
    match field.value:
        case None:
            default = ""
        case ast.Call(keywords=[ast.keyword(arg="default_factory", value=factory), *_]):
            default = f"`{ast.unparse(factory)}()`"
        case ast.Call(keywords=[ast.keyword(arg="name"), *_]):
            default = ""
        case value:
            default = f"`{_value(value, source)}`"
    return f"`{name}`", _type(field.annotation), default, meaning


def _constant(found: Found) -> Iterator[str]:
    """Yield what a constant or an alias of a type means, and its value."""
    assert isinstance(found.node, ast.Assign)
    yield f"`{ast.unparse(found.node.value)}`: {found.source.comment(found.node)}"


def _type(annotation: ast.expr | None) -> str:
    """Return the text of a type, without what only type checkers and schemas need."""
    match annotation:
        case None:
            return ""
        case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[kind, *_])):
            return _type(kind)
        case ast.Subscript(value=ast.Name(id="ClassVar" | "Required"), slice=kind):
            return _type(kind)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return f"{_type(left)} or {_type(right)}"
        case _:
            return f"`{ast.unparse(annotation)}`"


def _value(default: ast.expr, source: Source) -> str:
    """Return the text of a default; a constant of its module is shown as its value."""
    if isinstance(default, ast.Name):
        for node in source.tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() as value) if name == default.id:
                    return ast.unparse(value)
    return ast.unparse(default)


def find_name(module: str, name: str) -> Found:
    """Return where a name of a module is defined; ValueError if it has no such name."""
    if (found := _search(module, name)) is None:
        raise ValueError(f"{module} has no name {name}")
    return found


def _class(module: str, name: str) -> ast.ClassDef:
    node = find_name(module, name).node
    assert isinstance(node, ast.ClassDef)
    return node
