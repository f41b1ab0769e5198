"""Publish and subscribe, as the referee and the harness see it. Knows topics and bytes; no messages, no matches.

A handler runs on the event loop at receipt and must not block. Messages of one publisher on one topic arrive in order;
nothing else is promised: no retries (QoS 0), no order between topics. The topic filters of one bus must not overlap,
because brokers differ in how many copies they deliver then.
"""

from gridjoust.runner.wire.bus.address import RUNNER_KEEPALIVE_S, Address, BotBus, Bus, Handler, Will, parse_address

__all__ = ["RUNNER_KEEPALIVE_S", "Address", "BotBus", "Bus", "Handler", "Will", "parse_address"]
