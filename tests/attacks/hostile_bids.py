"""`python hostile_bids.py ATTACK`: a bidder of ricochet that can prove nothing, and wins if its rival bids too late."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from hostile import Hostile, Message  # type: ignore[import-not-found] # beside this file


class Bidder(Hostile):  # type: ignore[misc]
    """Bids as its attack says, and passes where it should prove."""

    seq = 0

    def _serve(self, message: Message) -> None:
        kind = message["type"]
        if kind not in ("turn", "event"):
            super()._serve(message)
        elif message["observation"]["phase"] == "bidding":
            BIDS[self.attack](self, message)
        elif kind == "turn":
            self.answer(message, action="pass")

    def bid(self, message: Message, amount: int) -> None:
        """One more bid for the open question."""
        self.seq += 1
        self.answer(message, action=f"bid {amount}", seq=self.seq)


def burst(bot: Bidder, message: Message) -> None:
    """Every bid from 99 to 21 in one breath."""
    if message["type"] == "turn":
        for amount in range(99, 20, -1):
            bot.bid(message, amount)


def drip(bot: Bidder, message: Message) -> None:
    """A bid every 10 ms, while the sand runs."""
    if message["type"] == "turn":
        for amount in range(99, 49, -1):
            bot.bid(message, amount)
            time.sleep(0.01)


def undercut(bot: Bidder, message: Message) -> None:
    """One less than the rival's bid, as soon as that is known."""
    own, rivals = (message["observation"]["bids"][seat] for seat in (message["seat"], 1 - message["seat"]))
    if rivals is not None and 1 < rivals <= (own or 99):
        bot.bid(message, rivals - 1)


def flood(bot: Bidder, message: Message) -> None:
    """A bid, and then the rival's is to come too late."""
    if message["type"] == "turn":
        bot.bid(message, 99)
        for _ in range(20_000):
            bot.send("out", {"type": "ready", "protocol": 1, "match": "another"})


BIDS: dict[str, Callable[[Bidder, Message], None]] = {
    "bursts_bids": burst,
    "drips_bids": drip,
    "undercuts": undercut,
    "floods_after_bid": flood,
}

if __name__ == "__main__":
    Bidder(sys.argv[1]).run()
