"""Prepares standard input, output and error: always open, fit for any encoding, and named in write errors."""

from __future__ import annotations

import codecs
import errno
import io
import os
import re
import shutil
import signal
import stat
import sys
import textwrap
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gridjoust.runner.wire.errors import naming

OUTPUT = "standard output"
_WHOLE = re.compile(r"`[^`]*`|'[^']*'(?!\w)|\{[^{}]*\}|(?<=: )joust .*")  # texts with blanks that must not be broken
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
    "½": "1/2",
    "“": '"',
    "”": '"',
    "’": "'",
}


class _Output(io.TextIOWrapper):
    """Standard output whose errors name it; a write to a closed terminal acts like SIGHUP.

    If the reader of a pipe has left, as `head` does, further output is dropped.
    """

    def write(self, text: str) -> int:
        with _hanging_up(), naming(OUTPUT):
            return super().write(text)
        return len(text)

    def flush(self) -> None:
        with _hanging_up(), naming(OUTPUT):
            super().flush()


class _Errors(io.TextIOWrapper):
    """Standard error that drops its text if writing fails, as that failure cannot be reported anywhere."""

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError:
            _silence(2)
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError:
            _silence(2)


@contextmanager
def _hanging_up() -> Iterator[None]:
    """Treat the error EIO of a terminal like the signal SIGHUP: the terminal has closed, perhaps without that signal.

    If SIGHUP is ignored, output is dropped; if it has a handler, the signal is sent; otherwise KeyboardInterrupt is
    raised. After EPIPE, output is dropped, as the reader of the pipe has left.
    """
    try:
        yield
    except OSError as error:
        if error.errno == errno.EPIPE:
            _silence(1)
            return
        if error.errno != errno.EIO or not stat.S_ISCHR(os.fstat(1).st_mode):  # disks fail with EIO, too
            raise
        _silence(1)
        handler = signal.getsignal(signal.SIGHUP)
        if handler is signal.SIG_DFL:
            raise KeyboardInterrupt from None
        if handler is not signal.SIG_IGN:
            os.kill(os.getpid(), signal.SIGHUP)  # wakes up the main thread, also from another one


def _silence(handle: int) -> None:
    """Redirect a file descriptor to the null device, so that the interpreter does not fail when it flushes."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, handle)
    os.close(nothing)


def prepare_streams() -> None:
    """Open closed streams on the null device, and replace characters that the output's encoding lacks."""
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
        if sys.stderr is sys.__stderr__:  # a caller's replacement stays
            sys.stderr = _in_place_of(sys.stderr, _Errors)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=_DEGRADE)
        if sys.stdout is sys.__stdout__:
            sys.stdout = _in_place_of(sys.stdout, _Output)


def _in_place_of(own: io.TextIOWrapper, kind: type[io.TextIOWrapper]) -> io.TextIOWrapper:
    return kind(
        own.buffer,
        encoding=own.encoding,
        errors=_DEGRADE,
        line_buffering=own.line_buffering,
        write_through=own.write_through,
    )


def flush_output() -> None:
    """Flush standard output; an OSError names it."""
    sys.stdout.flush()


def drop_output() -> None:
    """Flush standard output; if that fails, drop this and all later output."""
    try:
        sys.stdout.flush()
    except OSError:
        _silence(1)


def degrade(error: UnicodeError) -> tuple[str, int]:
    """Return a replacement for characters that an encoding lacks, and their end: for `codecs.register_error`.

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


def say(text: str, *, indent: str = "  ", to_errors: bool = False) -> None:
    """Print sentences on standard output, or on standard error; on a terminal they wrap between words."""
    stream = sys.stderr if to_errors else sys.stdout
    if stream.isatty():
        text = wrapped(text, shutil.get_terminal_size().columns, indent=indent)
    print(text, file=stream, flush=True)


def say_with_time(line: str) -> None:
    """Print a line with the time of day before it."""
    say(f"{time.strftime('%H:%M:%S')}  {line}")


def wrapped(text: str, columns: int, *, indent: str = "  ") -> str:
    """Wrap each line between words; paths, quoted text, commands and JSON stay whole, so that they can be copied.

    >>> print(wrapped("a lost 2 matches: continue with: joust run cup.yaml", 26))
    a lost 2 matches: continue
      with: joust run cup.yaml
    """
    return "\n".join(
        line
        if len(line) <= columns or line.lstrip().startswith("joust ")
        else textwrap.fill(
            _WHOLE.sub(lambda match: match[0].replace(" ", "\0"), line),
            columns,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        ).replace("\0", " ")
        for line in text.split("\n")
    )


def counter(what: str) -> Callable[[int, int], None]:
    """Return a function that shows `what 3 of 10` on standard error, on one line; silent if that is no terminal."""
    is_seen = sys.stderr.isatty()

    def told(done: int, of: int) -> None:
        if is_seen:
            print(f"\r{what} {done} of {of}", end="" if done < of else "\n", file=sys.stderr, flush=True)

    return told
