"""Turns what a bot's method returns into an action's text, and describes errors by the author's file, line and class.

A legal action's text is an answer. So is a numpy text or number that means one, and a coroutine that returns one.
Anything else raises a NoAnswerError that says what was returned, and where.
"""

from __future__ import annotations

import ast
import inspect
import linecache
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType, TracebackType
from typing import TYPE_CHECKING, TypeVar

from gridjoust.bots.api import Bot, Observation
from gridjoust.bots.planners.budget import OutOfWork
from gridjoust.games.grammar import choices_text

if TYPE_CHECKING:
    import asyncio

T = TypeVar("T")

SHOWN = 60  # characters of a value shown in an error
_NOT_THE_PLACE = ("/bots/harness.py", "/bots/answers.py", "/bots/match.py", "/bots/__init__.py", "/gridjoust/direct.py")
_signature = lru_cache(maxsize=64)(inspect.signature)  # cached: each match asks for the signatures of its bots again
_HINTS = {  # part of Python's message -> what to write instead
    "Message' object is not subscriptable": "write observation.view[...] or observation.legal",
    "'TurnMessage' object has no attribute": "an observation has view, legal, legal_complete, seat, turn and limit_ms",
    "EOF when reading a line": "a bot has no keyboard: answer from observation.view and observation.legal",
    "object has no attribute 'rng'": "self.rng is set after __init__: use it from `start` on",
    "'dict' object has no attribute": "a view is a dict: write observation.view['name']",
    "immutable type: 'TurnMessage'": "an observation cannot be changed: keep your notes in self",
    "No module named 'joust'": "write `import gridjoust as joust`",
    "name 'joust' is not defined": "begin with `import gridjoust as joust`",
    "name 'Bot' is not defined": "write joust.Bot, after `import gridjoust as joust`",
    "SystemExit": "a bot plays until it is told to stop: return an action instead",
}


class NoAnswerError(ValueError):
    """The value that `act` returned or `improve` yielded is no action; the message says what is wrong and where."""


def answer_text(answer: object, bot: Bot, question: Observation, *, method: str = "act") -> str:
    """Return the action's text that an author's method gave; NoAnswerError if it gave none."""
    if type(answer) is str:
        return answer
    found = plain_value(awaited(answer))
    if isinstance(found, str):
        return found
    if isinstance(found, int | float) and str(found) in question.legal:
        return str(found)
    verb = "returned" if method == "act" else "yielded"
    if inspect.isgenerator(found):
        where = place_of(getattr(type(bot), method, None), type(bot).__name__)
        raise NoAnswerError(f"{method} has a `yield`: return the action, or write a joust.AnytimeBot ({where})")
    expected = choices_text(question.legal, is_complete=question.legal_complete)
    where = place_of(getattr(type(bot), method, None), type(bot).__name__)
    raise NoAnswerError(f"{method} {verb} {_shown(found)}; expected {expected} ({where})")


def act_text(bot: Bot, question: Observation) -> str:
    """Return the text of the bot's `act`, or the first legal action named if `act` ran out of work.

    Raise NoAnswerError if neither gives an answer.
    """
    try:
        return answer_text(bot.act(question), bot, question)
    except OutOfWork:
        return first_legal(question)


def first_legal(question: Observation) -> str:
    """Return the first legal action that the question names, for a bot without work left; NoAnswerError if none."""
    if not question.legal:
        raise NoAnswerError("no answer within the limit of work, and no legal action was named")
    return question.legal[0]


def awaited(value: object) -> object:
    """Return the value or, if it is a coroutine, its result; it runs in an event loop on a thread of its own."""
    if not isinstance(value, Coroutine):
        return value
    import asyncio  # noqa: PLC0415 - few bots have coroutines, and it would take a third of a bot's start

    return asyncio.run_coroutine_threadsafe(_result_of(value), _loop()).result()


def run_method(method: Callable[[T], object], message: T) -> None:
    """Call an author's method and wait for it if it is an `async def`."""
    awaited(method(message))


def plain_value(value: object) -> object:
    """Return the Python value of a numpy scalar, or the plain str of a subclass; other values are unchanged."""
    if isinstance(value, str):
        return str.__str__(value)
    is_scalar = getattr(value, "ndim", None) == 0 and hasattr(value, "item")
    return value.item() if is_scalar else value  # type: ignore[attr-defined]


def nothing_yielded_error(bot: Bot, question: Observation) -> NoAnswerError:
    """Return the error for an `improve` that ended without an answer."""
    expected = choices_text(question.legal, is_complete=question.legal_complete)
    where = place_of(type(bot).improve, type(bot).__name__)  # type: ignore[attr-defined]
    return NoAnswerError(f"improve yielded no answer; expected {expected} ({where})")


def no_iterator_error(answers: object, bot: Bot) -> NoAnswerError:
    """Return the error for an `improve` that returned something other than an iterator."""
    where = place_of(type(bot).improve, type(bot).__name__)  # type: ignore[attr-defined]
    got = "an async generator" if inspect.isasyncgen(answers) else _shown(answers)
    return NoAnswerError(f"improve returned {got}; expected `def improve` that yields its answers ({where})")


def place_of(method: object, class_name: str) -> str:
    """Return where a method is written: `first.py line 12, class First`."""
    code = getattr(inspect.unwrap(method) if callable(method) else None, "__code__", None)
    line = f"{Path(code.co_filename).name} line {code.co_firstlineno}, " if isinstance(code, CodeType) else ""
    return f"{line}class {class_name}"


def failure_text(error: BaseException) -> str:
    """Describe an exception and the author's innermost line: `KeyError: 'ammo' (first.py line 12, in act)`."""
    said = _said(error)
    hint = next((f"; {hint}" for part, hint in _HINTS.items() if part in said), "") or _keys_hint(error)
    return f"{said}{hint}{raised_at(error)}"


def author_failure(error: BaseException) -> str | None:
    """Describe an exception that code outside gridjoust raised, such as a user's game; None for any other."""
    from traceback import walk_tb  # noqa: PLC0415 - needed only after a failure

    files = [error.filename] if isinstance(error, SyntaxError) else []
    files += [frame.f_code.co_filename for frame, _ in walk_tb(error.__traceback__)]
    return _said(error) + raised_at(error) if any(map(_is_own, filter(None, files))) else None


def _said(error: BaseException) -> str:
    text = error.msg if isinstance(error, SyntaxError) and error.filename else str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def raised_at(error: BaseException) -> str:
    """Return the author's innermost line of an exception: ` (first.py line 12, in act)`; "" if none is known."""
    if isinstance(error, SyntaxError) and error.filename:
        return f" ({Path(error.filename).name} line {error.lineno})"
    from traceback import walk_tb  # noqa: PLC0415 - needed only after a failure

    frames = [(frame.f_code, line) for frame, line in walk_tb(error.__traceback__)]
    own = [(code, line) for code, line in frames if _is_own(code.co_filename)]
    own = own or [(code, line) for code, line in frames[-1:] if not code.co_filename.endswith(_NOT_THE_PLACE)]
    if not own:
        return ""
    code, line = own[-1]
    within = f", in {code.co_name}" if code.co_name != "<module>" else ""
    return f" ({Path(code.co_filename).name} line {line}{within})"


def own_traceback(error: BaseException) -> TracebackType | None:
    """Return the traceback of an author's exception without the calls of the harness before the author's first."""
    found = error.__traceback__
    while found is not None and _is_ours(found.tb_frame.f_code.co_filename):
        found = found.tb_next
    return found or error.__traceback__


def _is_ours(filename: str) -> bool:
    return filename.startswith("<frozen") or filename.endswith((*_NOT_THE_PLACE, "/bots/__main__.py"))


def _keys_hint(error: BaseException) -> str:
    """Return `; did you mean 'ammo'? the keys are tick, seat, …` after a KeyError; "" if the dict cannot be found.

    The dict is sought in the frame where the exception arose, through names, attributes and constant subscripts. So
    none of the bot's methods is called.
    """
    if not isinstance(error, KeyError) or len(error.args) != 1 or not isinstance(error.args[0], str):
        return ""
    found = _dict_of(error.__traceback__)
    keys = [key for key in found or () if isinstance(key, str)]
    if not keys:
        return ""
    import difflib  # noqa: PLC0415 - needed only after a failure

    near = difflib.get_close_matches(error.args[0], keys, n=1)
    names = ", ".join(keys[:MOST_KEYS]) + (", …" if len(keys) > MOST_KEYS else "")
    return (f"; did you mean {near[0]!r}? " if near else "; ") + f"the keys are {names}"


def call_problem(bot_class: type[Bot], method: str, *given: str) -> str:
    """Say why a method does not take positional arguments of these names; "" if it does or its signature is unknown."""
    signature = _signature_of(bot_class, method)
    if signature is None or _fits(signature, (bot_class, *given), {}):
        return ""
    expected = f"def {method}({', '.join(('self', *given))})"
    where = place_of(getattr(bot_class, method), bot_class.__name__)
    return f"expected {expected}, got def {method}{signature} ({where})"


def options_problem(bot_class: type[Bot], options: Mapping[str, object]) -> str:
    """Say why a bot does not accept the tournament file's options; "" if it does, or if its signature is unknown."""
    signature = _signature_of(bot_class, "__init__")
    if signature is None or _fits(signature, (bot_class,), options):
        return ""
    got = ", ".join(options) or "none: give them defaults, or set them under `options`"
    where = place_of(bot_class.__init__, bot_class.__name__)
    return f"options: expected the arguments of def __init__{signature}, got {got} ({where})"


def _signature_of(bot_class: type[Bot], method: str) -> inspect.Signature | None:
    if isinstance(inspect.getattr_static(bot_class, method), staticmethod | classmethod):
        return None
    try:
        signature = _signature(getattr(bot_class, method))
    except (TypeError, ValueError):  # the method is not written in Python
        return None
    return signature.replace(return_annotation=inspect.Signature.empty)


def _fits(signature: inspect.Signature, given: tuple[object, ...], named: Mapping[str, object]) -> bool:
    try:
        signature.bind(*given, **named)
    except TypeError:
        return False
    return True


def _shown(value: object) -> str:
    is_plain = value is None or isinstance(value, tuple | list | dict | set | bool | int | float | bytes)
    text = " ".join((repr(value) if is_plain else f"{type(value).__name__} {value!r}").split())
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


@cache
def _foreign_folders() -> tuple[str, ...]:
    """List the folders without a bot's own code: the standard library, installed packages, gridjoust itself."""
    import sysconfig  # noqa: PLC0415 - needed only after a failure

    paths = (sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    return (*(f"{path}/" for path in paths), f"{Path(__file__).parents[1]}/")


def _is_own(filename: str) -> bool:
    return not filename.startswith(("<", *_foreign_folders()))


@cache
def _loop() -> asyncio.AbstractEventLoop:
    import asyncio  # noqa: PLC0415 - as above
    import threading  # noqa: PLC0415

    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="coroutines of bots", daemon=True).start()
    return loop


async def _result_of(value: Awaitable[object]) -> object:
    return await value


MOST_KEYS = 16  # keys listed in a hint
_FOLLOWED = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Load)


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
    """Return the expression that raised the error, or None if the source does not show it."""
    code = traceback.tb_frame.f_code
    line, last_line, column, last_column = [*code.co_positions()][traceback.tb_lasti // 2]
    if line is None or line != last_line or column is None or last_column is None:
        return None
    text = linecache.getline(code.co_filename, line).encode()[column:last_column]
    try:
        return ast.parse(text.decode(), mode="eval").body
    except (SyntaxError, ValueError):
        return None
