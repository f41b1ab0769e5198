"""Publish and subscribe for the referee and the harness, in topics and bytes.

A handler runs on the event loop at receipt and must not block. Messages of one publisher on one topic arrive in order.
There are no retries (QoS 0), and no order between topics. The topic filters of one bus must not overlap, because
brokers then differ in the number of copies that they deliver.
"""

from gridjoust.runner.wire.bus.address import RUNNER_KEEPALIVE_S, Address, BotBus, Bus, Handler, Will, parse_address

__all__ = ["RUNNER_KEEPALIVE_S", "Address", "BotBus", "Bus", "Handler", "Will", "parse_address"]
