"""The exception tree: every error says whose fault it is. Text: lower case, what was expected, what came."""


class JoustError(Exception):
    """Root of everything the runner raises on purpose."""


class ConfigError(JoustError):
    """The user's files or arguments: `file: key path: expected ..., got ...`. Exit code 2."""


class ProtocolFault(JoustError):  # noqa: N818 - a bot's fault, counted, not an error of the runner
    """A bot's message that cannot be accepted; `kind` is the fault it is counted as."""


class BrokerError(JoustError):
    """The world: no broker, connection lost, port taken. Exit code 3."""


class BugError(JoustError):
    """The runner's or a game's own: matches broke off on it, the others were played. Exit code 4."""


class RecordError(JoustError):
    """A record that cannot be read or does not verify."""
