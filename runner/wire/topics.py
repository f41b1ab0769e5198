"""Where messages go on the broker: the topics of a run. Sends nothing."""

from __future__ import annotations


def bot_prefix(run: str, name: str) -> str:
    """Where one bot process lives: `joust/<run>/bot/<name>.<slot>`; its topics are below."""
    return f"joust/{run}/bot/{name}"


def charge_topic(prefix: str) -> str:
    """Where the embedded broker says that a bot process floods it; no bot may write there."""
    return f"{prefix}/charge"


def view_topic(run: str, match: str) -> str:
    """Public views of a match."""
    return f"joust/{run}/match/{match}/view"


def echo_topic(run: str) -> str:
    """The referee's own round trip through the broker."""
    return f"joust/{run}/echo"
