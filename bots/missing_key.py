"""What to say of a key that a dict has not: the nearest one, and those there are. Looked for once a bot has failed.

The dict is found again where the exception left the author's frame, by names, attributes and constant subscripts: no
method is called for it.
"""

from __future__ import annotations

import ast
import difflib
import linecache
from types import TracebackType

MOST_KEYS = 16  # that are named
_FOLLOWED = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Load)


def keys_hint(error: BaseException) -> str:
    """`did you mean 'ammo'? there are tick, seat, …`; "" where that is not known."""
    if not isinstance(error, KeyError) or len(error.args) != 1 or not isinstance(error.args[0], str):
        return ""
    found = _dict_of(error.__traceback__)
    keys = [key for key in found or () if isinstance(key, str)]
    if not keys:
        return ""
    near = difflib.get_close_matches(error.args[0], keys, n=1)
    names = ", ".join(keys[:MOST_KEYS]) + (", …" if len(keys) > MOST_KEYS else "")
    return (f"did you mean {near[0]!r}? " if near else "") + f"there are {names}"


def _dict_of(traceback: TracebackType | None) -> dict[object, object] | None:
    """What was subscripted where the innermost frame stopped, if it can be told without calling anything."""
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None:
        return None
    frame = traceback.tb_frame
    tree = _expression(traceback)
    if not isinstance(tree, ast.Subscript) or not all(isinstance(node, _FOLLOWED) for node in ast.walk(tree.value)):
        return None
    try:
        value = eval(  # noqa: S307 - the author's own names, where they stood
            compile(ast.Expression(tree.value), "<subscripted>", "eval"), frame.f_globals, frame.f_locals
        )
    except Exception:  # of a property, say: there is nothing to add then
        return None
    return value if isinstance(value, dict) else None


def _expression(traceback: TracebackType) -> ast.expr | None:
    """The expression that was being worked out; None where the file does not say."""
    code = traceback.tb_frame.f_code
    line, last_line, column, last_column = [*code.co_positions()][traceback.tb_lasti // 2]
    if line is None or line != last_line or column is None or last_column is None:
        return None
    text = linecache.getline(code.co_filename, line).encode()[column:last_column]
    try:
        return ast.parse(text.decode(), mode="eval").body
    except (SyntaxError, ValueError):
        return None
