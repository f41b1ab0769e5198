"""The exceptions of the runner: the type says whose fault an error is. Texts are lower case: expected X, got Y."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NO_TEMPORARY = "no usable temporary directory"  # `tempfile` tries a list of them and names it in this sentence


class JoustError(Exception):
    """The base of all exceptions that the runner raises on purpose."""


class ConfigError(JoustError):
    """A mistake in the user's files or arguments: `file: key path: expected ..., got ...`. Exit code 2."""


class ProtocolFault(JoustError):  # noqa: N818 - a bot's fault, counted, not an error of the runner
    """A bot's message that cannot be accepted."""


class BrokerError(JoustError):
    """A failure outside the runner: no broker, connection lost, port taken. Exit code 3."""


class RefusedError(BrokerError):
    """The broker has refused the connection; `code`: reason code of its CONNACK as in MQTT 5."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class BugError(JoustError):
    """A bug of the runner or a game that ended matches; all other matches were played. Exit code 4."""


class RecordError(JoustError):
    """A record that cannot be read or does not verify."""


class OtherVersionError(RecordError):
    """A record of another record format or another version of its game's rules, which cannot be used here."""


def format_os_error(error: OSError, where: object = "") -> str:
    """Describe an OSError: the reason, and the file if the error names one, else `where`."""
    what = (error.strerror or str(error)).lower()
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return f"{what}: raise the limit (ulimit -n)"
    if what.startswith(_NO_TEMPORARY):
        return (
            f"temporary files: {_NO_TEMPORARY}{(error.strerror or '')[len(_NO_TEMPORARY) :]}: free space, or set TMPDIR"
        )
    place = str(error.filename or where)
    if error.errno == errno.EEXIST and Path(place).is_symlink() and not Path(place).exists():
        return f"{place}: a link to nothing"
    return f"{place}: {what}" if place else what


@contextmanager
def naming(file: object) -> Iterator[None]:
    """Add the file's name to an OSError of the `with` block that names no file; errors of writing name none."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(file)
        raise
