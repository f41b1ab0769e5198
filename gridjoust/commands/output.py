"""Standard input, output and error of a command: always there, fit for any terminal, and named where writing fails."""

from __future__ import annotations

import codecs
import io
import os
import sys
import unicodedata

from runner.wire.errors import naming

OUTPUT = "standard output"
_DEGRADE = "joust-degrade"  # the error handler's name
_SIGNS = {
    **dict.fromkeys("─╴╶–−", "-"),
    **dict.fromkeys("│╵╷", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╱╲", "+"),
    **dict.fromkeys("●○◎", "o"),
    **dict.fromkeys("⬢■█▒░", "#"),
    **dict.fromkeys("♦★", "*"),
    "◉": "@",
    "▲": "^",
    "⚑": "F",
    "·": ".",
    "…": "...",
    "±": "+-",
    "×": "x",
    "“": '"',
    "”": '"',
    "’": "'",
}


class _Output(io.TextIOWrapper):
    """Standard output whose errors name it."""

    def write(self, text: str) -> int:
        with naming(OUTPUT):
            return super().write(text)

    def flush(self) -> None:
        with naming(OUTPUT):
            super().flush()


def prepare_streams() -> None:
    """Open streams that are closed on nothing, and let output degrade where its encoding has no sign."""
    for handle in range(3):
        try:
            os.fstat(handle)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    codecs.register_error(_DEGRADE, degrade)
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors=_DEGRADE)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=_DEGRADE)
        if sys.stdout is sys.__stdout__:  # not what a caller has put in its place
            own = sys.stdout
            sys.stdout = _Output(
                own.buffer,
                encoding=own.encoding,
                errors=_DEGRADE,
                line_buffering=own.line_buffering,
                write_through=own.write_through,
            )


def flush_output() -> None:
    """Write what is waiting; OSError names standard output."""
    sys.stdout.flush()


def drop_output() -> None:
    """Write what is waiting, or drop it with all that follows: the interpreter would complain when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.close(nothing)


def degrade(error: UnicodeError) -> tuple[str, int]:
    """Return what stands for signs that an encoding does not have, and where to go on: for `codecs.register_error`.

    >>> codecs.register_error("joust-degrade", degrade)
    >>> "±3 ┌─┐ é Ада".encode("ascii", "joust-degrade")
    b'+-3 +-+ e ???'
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_ascii, error.object[error.start : error.end])), error.end


def _ascii(sign: str) -> str:
    plain = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    return _SIGNS.get(sign) or plain or "?"
