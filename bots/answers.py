"""What a bot's author hands back, and what went wrong, in the author's words: file, line, class. Sends nothing.

A text of a legal action is an answer; so are texts and numbers of numpy that mean one, and a coroutine that comes to
one. Everything else is a NoAnswerError that says what was returned where.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, TypeVar

from gridjoust.bots.api import Bot, Observation
from gridjoust.games.grammar import choices_text

if TYPE_CHECKING:
    import asyncio

T = TypeVar("T")

SHOWN = 60  # letters of a value
_NOT_THE_PLACE = ("/bots/harness.py", "/bots/answers.py", "/bots/match.py", "/bots/__init__.py", "/gridjoust/direct.py")
_signature = lru_cache(maxsize=64)(inspect.signature)  # each match asks for those of its bots again
_HINTS = {  # in the words of Python -> what to write instead
    "Message' object is not subscriptable": "write observation.view[...] or observation.legal",
    "'TurnMessage' object has no attribute": "an observation has view, legal, legal_complete, seat, turn and limit_ms",
    "EOF when reading a line": "a bot has no keyboard: answer from observation.view and observation.legal",
    "object has no attribute 'rng'": "self.rng is there from `start` on",
}


class NoAnswerError(ValueError):
    """What `act` returned or `improve` yielded stands for no action; the sentence says what is wrong and where."""


def answer_text(answer: object, bot: Bot, question: Observation, *, method: str = "act") -> str:
    """The text of the action that an author's method gave; NoAnswerError if it gave none."""
    if type(answer) is str:
        return answer
    found = plain_value(awaited(answer))
    if isinstance(found, str):
        return found
    if isinstance(found, int | float) and str(found) in question.legal:
        return str(found)
    verb = "returned" if method == "act" else "yielded"
    expected = choices_text(question.legal, is_complete=question.legal_complete)
    where = place_of(getattr(type(bot), method, None), type(bot).__name__)
    raise NoAnswerError(f"{method} {verb} {_shown(found)}; expected {expected} ({where})")


def awaited(value: object) -> object:
    """The value itself, or what a coroutine of the author's comes to, in an event loop that bots have to themselves."""
    if not isinstance(value, Coroutine):
        return value
    import asyncio  # noqa: PLC0415 - most bots have no coroutines, and it takes half as long as all else at the start

    return asyncio.run_coroutine_threadsafe(_result_of(value), _loop()).result()


def run_method(method: Callable[[T], object], message: T) -> None:
    """Call what an author may have written as `async def` too, and wait for its end."""
    awaited(method(message))


def plain_value(value: object) -> object:
    """A scalar of numpy as the value of Python that it stands for, and a text of any class as text."""
    if isinstance(value, str):
        return str.__str__(value)
    is_scalar = getattr(value, "ndim", None) == 0 and hasattr(value, "item")
    return value.item() if is_scalar else value  # type: ignore[attr-defined]


def nothing_yielded_error(bot: Bot, question: Observation) -> NoAnswerError:
    """What is wrong with an `improve` that has come to its end without an answer."""
    expected = choices_text(question.legal, is_complete=question.legal_complete)
    where = place_of(type(bot).improve, type(bot).__name__)  # type: ignore[attr-defined]
    return NoAnswerError(f"improve yielded no answer; expected {expected} ({where})")


def no_iterator_error(answers: object, bot: Bot) -> NoAnswerError:
    """What is wrong with an `improve` that hands back something else than its answers one by one."""
    where = place_of(type(bot).improve, type(bot).__name__)  # type: ignore[attr-defined]
    got = "an async generator" if inspect.isasyncgen(answers) else _shown(answers)
    return NoAnswerError(f"improve returned {got}; expected `def improve` that yields its answers ({where})")


def place_of(method: object, class_name: str) -> str:
    """`first.py line 12, class First`."""
    code = getattr(inspect.unwrap(method) if callable(method) else None, "__code__", None)
    line = f"{Path(code.co_filename).name} line {code.co_firstlineno}, " if isinstance(code, CodeType) else ""
    return f"{line}class {class_name}"


def failure_text(error: BaseException) -> str:
    """The exception with the innermost line of the author's own: `KeyError: 'ammo' (first.py line 12, in act)`."""
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    hint = next((f"; {hint}" for part, hint in _HINTS.items() if part in said), "") or _keys_hint(error)
    if isinstance(error, SyntaxError) and error.filename:
        return f"{type(error).__name__}: {error.msg} ({Path(error.filename).name} line {error.lineno})"
    from traceback import walk_tb  # noqa: PLC0415 - needed where something has failed

    frames = [(frame.f_code, line) for frame, line in walk_tb(error.__traceback__)]
    own = [(code, line) for code, line in frames if _is_own(code.co_filename)]
    own = own or [(code, line) for code, line in frames[-1:] if not code.co_filename.endswith(_NOT_THE_PLACE)]
    if not own:
        return said + hint
    code, line = own[-1]
    within = f", in {code.co_name}" if code.co_name != "<module>" else ""
    return f"{said}{hint} ({Path(code.co_filename).name} line {line}{within})"


def _keys_hint(error: BaseException) -> str:
    if not isinstance(error, KeyError):
        return ""
    from gridjoust.bots.missing_key import keys_hint  # noqa: PLC0415 - needed where something has failed

    hint = keys_hint(error)
    return f"; {hint}" if hint else ""


def call_problem(bot_class: type[Bot], method: str, *given: str) -> str:
    """Why a method cannot be called with what is given to it; "" if it can, or if nobody knows."""
    signature = _signature_of(bot_class, method)
    if signature is None or _fits(signature, (bot_class, *given), {}):
        return ""
    expected = f"def {method}({', '.join(('self', *given))})"
    where = place_of(getattr(bot_class, method), bot_class.__name__)
    return f"expected {expected}, got def {method}{signature} ({where})"


def options_problem(bot_class: type[Bot], options: Mapping[str, object]) -> str:
    """Why a bot cannot be made with the options of the tournament file; "" if it can, or if nobody knows."""
    signature = _signature_of(bot_class, "__init__")
    if signature is None or _fits(signature, (bot_class,), options):
        return ""
    got = ", ".join(options) or "none"
    where = place_of(bot_class.__init__, bot_class.__name__)
    return f"options: expected what def __init__{signature} takes, got {got} ({where})"


def _signature_of(bot_class: type[Bot], method: str) -> inspect.Signature | None:
    if isinstance(inspect.getattr_static(bot_class, method), staticmethod | classmethod):
        return None
    try:
        signature = _signature(getattr(bot_class, method))
    except (TypeError, ValueError):  # it is not written in Python
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
    """Where no author of a bot writes: the standard library, what is installed, our package."""
    import sysconfig  # noqa: PLC0415 - needed where something has failed

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
