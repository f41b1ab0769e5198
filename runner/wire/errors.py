"""The exception tree: every error says whose fault it is. Text: lower case, what was expected, what came."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NO_TEMPORARY = "no usable temporary directory"  # `tempfile` tries a list of them and names it in this sentence


class JoustError(Exception):
    """Root of everything the runner raises on purpose."""


class ConfigError(JoustError):
    """The user's files or arguments: `file: key path: expected ..., got ...`. Exit code 2."""


class ProtocolFault(JoustError):  # noqa: N818 - a bot's fault, counted, not an error of the runner
    """A bot's message that cannot be accepted; `kind` is the fault it is counted as."""


class BrokerError(JoustError):
    """The world: no broker, connection lost, port taken. Exit code 3."""


class RefusedError(BrokerError):
    """The broker is there and lets us not in; `code` is that of its CONNACK, as MQTT 5 numbers them."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class BugError(JoustError):
    """The runner's or a game's own: matches broke off on it, the others were played. Exit code 4."""


class RecordError(JoustError):
    """A record that cannot be read or does not verify."""


class OtherVersionError(RecordError):
    """A record in the format of another version, or of another version of its game: whole perhaps, of no use here."""


def format_os_error(error: OSError, where: object = "") -> str:
    """What the system refused, and where, if it says so or we know."""
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
    """Put the file's name into an OSError that has none, as those of writing to an open file."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(file)
        raise
