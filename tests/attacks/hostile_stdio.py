"""`python hostile_stdio.py ATTACK`: a bot on standard input and output that answers two turns, then attacks."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

FIRST_TURN = 3  # of the attack


def write(data: bytes) -> None:
    """To standard output, all of it."""
    while data:
        data = data[os.write(1, data) :]


def half_a_line() -> None:
    write(b'{"action": "wa')
    time.sleep(3600)


def long_line() -> None:
    for _ in range(100):
        write(b"x" * 1_000_000)


def bytes_of_all_kinds() -> None:
    write(bytes(range(256)) * 40 + b"\n")


def closed_output() -> None:
    os.close(1)
    time.sleep(3600)


def no_reading() -> None:
    time.sleep(3600)


def flood() -> None:
    while True:
        write(b'{"action": "wait"}\n' * 1000)


ATTACKS: dict[str, Callable[[], None]] = {
    "stdio_half_line": half_a_line,
    "stdio_long_line": long_line,
    "stdio_binary": bytes_of_all_kinds,
    "stdio_closes_output": closed_output,
    "stdio_reads_nothing": no_reading,
    "stdio_floods": flood,
}


def main() -> None:
    """Serve; questions are counted, not read."""
    turns = 0
    for line in sys.stdin:
        if line.startswith('{"type":"turn"'):
            turns += 1
            if turns >= FIRST_TURN:
                ATTACKS[sys.argv[1]]()
            write(b'{"action": "wait"}\n')


if __name__ == "__main__":
    main()
