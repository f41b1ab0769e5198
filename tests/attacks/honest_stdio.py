"""`python honest_stdio.py NAME`: a built-in bot on standard input and output, so that it plays over the bridge."""

from __future__ import annotations

import sys

from gridjoust.bots import load_bot
from gridjoust.bots.api import Bot
from gridjoust.bots.harness import act, make_bot, now_ms
from gridjoust.runner.wire import protocol


def main() -> None:
    """Serve until standard input ends."""
    bot_class, bot = load_bot(sys.argv[1]), Bot()
    for line in sys.stdin.buffer:
        match protocol.decode_to_bot(line):
            case protocol.Start() as start:
                bot = make_bot(bot_class, start)
            case protocol.TurnMessage() as question:
                print(protocol.encode(act(bot, question, now_ms)).decode(), flush=True)
            case _:
                pass


if __name__ == "__main__":
    main()
