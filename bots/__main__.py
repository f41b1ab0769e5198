"""`python -P -m gridjoust.bots NAME` or `python -P -m gridjoust.bots FILE.py:Class` runs one bot as a process.

The environment holds the broker's address and login: JOUST_SOCKET or JOUST_URL, JOUST_USER, JOUST_PASSWORD,
JOUST_TOPIC.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import socket
import sys

from gridjoust.bots import load_bot_spec
from gridjoust.bots.answers import own_traceback
from gridjoust.bots.harness import Harness
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.bus import Address, Will, parse_address
from gridjoust.runner.wire.bus.blocking import BlockingBus, run_blocking
from gridjoust.runner.wire.errors import JoustError

USAGE = "usage: python -P -m gridjoust.bots NAME | FILE.py:Class   (needs JOUST_URL, _USER, _PASSWORD and _TOPIC)"


def main(arguments: list[str]) -> int:
    """Load the bot, connect and play until a stop message; return the exit code."""
    faulthandler.register(signal.SIGURG, all_threads=False)  # by it the runner asks where a late bot is
    if len(arguments) != 1 or "JOUST_TOPIC" not in os.environ or "JOUST_URL" not in os.environ:
        print(USAGE, file=sys.stderr)
        return 2
    spoken = os.environ.get("JOUST_PROTOCOL", str(protocol.PROTOCOL))
    if spoken != str(protocol.PROTOCOL):
        print(f"{protocol.HARNESS_MARK}expected protocol {protocol.PROTOCOL}, got {spoken}", file=sys.stderr)
        return 2
    try:
        return _play(arguments[0])
    except (ValueError, JoustError) as error:
        if error.__cause__ is not None:  # the exception in the bot's own file
            import traceback  # noqa: PLC0415 - only a failed bot pays for this import

            traceback.print_exception(error.__cause__.with_traceback(own_traceback(error.__cause__)))
        print(f"{protocol.HARNESS_MARK}{error}", file=sys.stderr)
        return 2


def _play(spec: str) -> int:
    address, user, password = parse_address(os.environ["JOUST_URL"])
    if path := os.environ.get("JOUST_SOCKET"):
        address = Address(address.host, address.port, socket=path)
    prefix = os.environ["JOUST_TOPIC"]
    user = os.environ.get("JOUST_USER", user)
    harness: Harness | None = None

    def on_lost(reason: str) -> None:
        if harness is not None:
            harness.on_lost(reason)

    bus = BlockingBus(
        address,
        user=user,
        password=os.environ.get("JOUST_PASSWORD", password),
        client_id=prefix.replace("/", "-"),
        will=Will(f"{prefix}/status", protocol.encode(protocol.Status(online=False))),
        on_lost=on_lost,
        connection=_given_connection(),
    )
    with bus:  # connect before loading the bot, which may take long: brokers wait two seconds for a log-in
        bot_class = load_bot_spec(spec)
        harness = Harness(
            bot_class,
            bus=bus,
            prefix=prefix,
            file_hint=os.environ.get("JOUST_FILE_HINT", ""),
            shows="JOUST_LENS" in os.environ,
        )
        return run_blocking(harness.run())


def _given_connection() -> socket.socket | None:
    """Return the connection to the broker that the parent process passed on, or None if there is none."""
    number = os.environ.pop("JOUST_CONNECTION", None)
    if number is None:
        return None
    given = socket.socket(fileno=int(number))
    given.set_inheritable(False)
    return given


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
