"""Suggests the right key after a KeyError in a bot: the nearest key of that dict and a list of its keys.

It finds the dict in the frame where the exception arose, through names, attributes and constant subscripts, so it calls
none of the bot's methods.
"""

from __future__ import annotations

import ast
import difflib
import linecache
from types import TracebackType

MOST_KEYS = 16  # keys listed in a hint
_FOLLOWED = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Load)


def keys_hint(error: BaseException) -> str:
    """Return `did you mean 'ammo'? the keys are tick, seat, …`; "" if the dict cannot be found."""
    if not isinstance(error, KeyError) or len(error.args) != 1 or not isinstance(error.args[0], str):
        return ""
    found = _dict_of(error.__traceback__)
    keys = [key for key in found or () if isinstance(key, str)]
    if not keys:
        return ""
    near = difflib.get_close_matches(error.args[0], keys, n=1)
    names = ", ".join(keys[:MOST_KEYS]) + (", …" if len(keys) > MOST_KEYS else "")
    return (f"did you mean {near[0]!r}? " if near else "") + f"the keys are {names}"


def _dict_of(traceback: TracebackType | None) -> dict[object, object] | None:
    """Return the dict that was subscripted in the innermost frame, if it can be found without calling anything."""
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None:
        return None
    frame = traceback.tb_frame
    tree = _expression(traceback)
    if not isinstance(tree, ast.Subscript) or not all(isinstance(node, _FOLLOWED) for node in ast.walk(tree.value)):
        return None
    try:
        value = eval(  # noqa: S307 - only names, attributes and constants of the author's code
            compile(ast.Expression(tree.value), "<subscripted>", "eval"), frame.f_globals, frame.f_locals
        )
    except Exception:  # a property may raise anything: then there is no hint
        return None
    return value if isinstance(value, dict) else None


def _expression(traceback: TracebackType) -> ast.expr | None:
    """Return the expression that raised, or None if the source does not show it."""
    code = traceback.tb_frame.f_code
    line, last_line, column, last_column = [*code.co_positions()][traceback.tb_lasti // 2]
    if line is None or line != last_line or column is None or last_column is None:
        return None
    text = linecache.getline(code.co_filename, line).encode()[column:last_column]
    try:
        return ast.parse(text.decode(), mode="eval").body
    except (SyntaxError, ValueError):
        return None
