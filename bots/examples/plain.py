"""A whole bot in plain Python. It needs paho-mqtt 2.1 and nothing of Joust: it speaks protocol 1 by hand.

Change `Match`, which plays; leave `Connection` as it is. One process plays many matches, one after another.
"""

from __future__ import annotations

import json
import os
import random
import socket
import sys
import time
import traceback
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

PROTOCOL = 1
PLAYS: list[str] = []  # games by name; empty = every game
PLANNER = "other"  # or the algorithm of its search: astar, dstar_lite, beam, dijkstra_map
VERSION = "1"

Message = dict[str, Any]


class Match:
    """One match, from its start to its end. The bot may hold several seats: every question names one."""

    def __init__(self, start: Message) -> None:
        """Prepare for the match.

        The time limit is `start["limits"]["start_ms"]`; `start["briefing"]` describes the board.
        """
        self.id: str = start["match"]
        self.chance = random.Random(start["bot_seed"])  # draw from this only: a rerun then plays the same match
        self.is_looked_at: bool = start.get("lens", False)  # True if spectators watch the search
        self.shown: list[Message] = []

    def show(self, name: str, kind: str, data: list[float] | str) -> None:
        """Show a layer over the board: heat, path, nodes, frontier or arrows with numbers, or text."""
        if self.is_looked_at:
            self.shown.append({"name": name, "kind": kind, "data": data})

    def answer(self, turn: Message) -> str:
        """Return a legal action; if `turn["legal_complete"]` is false, actions that are not listed may be legal too."""
        action: str = self.chance.choice(turn["legal"])
        self.show("choice", "text", f"{action}, one of {len(turn['legal'])}")
        return action

    def hear(self, event: Message) -> None:
        """Take note of a change while a question to this bot is open (real-time games)."""

    def finish(self, end: Message) -> None:
        """Take note of the result when the match is over; `end["ranks"]` has a rank for every seat."""


class Connection:
    """One connection to the broker: it announces the bot, passes questions to the match and sends the answers."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._prefix = environment["JOUST_TOPIC"]
        self._match: Match | None = None
        self._exit_code: int | None = None
        self._client = self._make_client(environment)

    def run(self) -> int:
        """Serve until a stop message; return the exit code."""
        while self._client.loop(timeout=1.0) == mqtt.MQTT_ERR_SUCCESS:
            pass
        if self._exit_code is None:
            say("the connection was lost")  # Joust starts a new process
            return 1
        return self._exit_code

    def _make_client(self, environment: Mapping[str, str]) -> mqtt.Client:
        path = environment.get("JOUST_SOCKET")  # faster than TCP, and the only connection from a sandbox
        url = urlsplit(environment["JOUST_URL"])
        client = mqtt.Client(
            CallbackAPIVersion.VERSION2,
            client_id=self._prefix.replace("/", "-"),
            protocol=mqtt.MQTTv311,
            transport="unix" if path else "tcp",
        )
        client.username_pw_set(environment.get("JOUST_USER"), environment.get("JOUST_PASSWORD"))
        client.will_set(f"{self._prefix}/status", json.dumps({"online": False}))
        client.on_connect = self._on_connect
        client.on_subscribe = self._on_subscribe
        client.on_message = self._on_message
        if not path:
            client.on_socket_open = send_at_once
        if url.scheme == "mqtts" and not path:
            client.tls_set()
        client.connect(path or url.hostname or "", url.port or (8883 if url.scheme == "mqtts" else 1883))
        return client

    def _on_connect(self, client: mqtt.Client, *details: Any) -> None:
        code = details[2]
        if code.is_failure:
            say(f"the broker lets nobody in: {code}")
            self._leave(1)
            return
        client.subscribe(f"{self._prefix}/in")

    def _on_subscribe(self, client: mqtt.Client, *_: object) -> None:
        client.publish(f"{self._prefix}/status", json.dumps({"online": True}))  # last: now it can miss nothing

    def _on_message(self, *details: Any) -> None:
        packet: mqtt.MQTTMessage = details[2]
        try:
            self._serve(json.loads(packet.payload))
        except Exception as error:  # report it to the referee, so that the result says why
            traceback.print_exc()
            match = None if self._match is None else self._match.id
            at = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{os.path.basename(at.filename)} line {at.lineno}, in {at.name}"  # noqa: PTH119 - avoids an import
            said = f"{type(error).__name__}: {error} ({where})"[:500]
            self._send({"type": "error", "match": match, "message": said})
            self._leave(1)

    def _serve(self, message: Message) -> None:
        kind = message["type"]
        if kind == "hello":
            self._report(None)
        elif kind == "start":
            self._match = Match(message)
            self._report(self._match.id)
        elif kind == "stop":
            self._leave(0)
        elif self._match is not None and message.get("match") == self._match.id:
            self._play(self._match, kind, message)

    def _play(self, match: Match, kind: str, message: Message) -> None:
        if kind == "turn":
            began_s = time.perf_counter()
            action = match.answer(message)
            planning_ms = (time.perf_counter() - began_s) * 1000
            answer = {"type": "action", "match": match.id, "ask": message["ask"], "seat": message["seat"]}
            if match.is_looked_at:
                answer["shown"], match.shown = match.shown, []
            self._send({**answer, "action": action, "planning_ms": round(planning_ms, 3)})
        elif kind == "event":
            match.hear(message)
        elif kind == "end":
            self._match = None
            match.finish(message)

    def _report(self, match: str | None) -> None:
        about = {"planner": PLANNER, "plays": PLAYS, "version": VERSION, "language": "python"}
        self._send({"type": "ready", "protocol": PROTOCOL, "match": match, **about})

    def _send(self, message: Message) -> None:
        self._client.publish(f"{self._prefix}/out", json.dumps(message))

    def _leave(self, exit_code: int) -> None:
        self._exit_code = exit_code
        self._client.disconnect()  # after everything has been sent; the last will is not published


def send_at_once(*details: Any) -> None:
    """Switch off the delay for small packets, which may hold an answer back for 40 ms."""
    link: socket.socket = details[2]
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def say(text: str) -> None:
    """Write a line to the bot's log."""
    sys.stderr.write(f"{text}\n")


def main() -> int:
    """Play until a stop message; return the exit code."""
    if not {"JOUST_URL", "JOUST_TOPIC"} <= os.environ.keys():
        say("expected JOUST_URL and JOUST_TOPIC in the environment; a tournament sets them: joust run FILE")
        return 2
    spoken = os.environ.get("JOUST_PROTOCOL", str(PROTOCOL))
    if spoken != str(PROTOCOL):
        say(f"expected protocol {PROTOCOL}, got {spoken}")
        return 2
    try:
        return Connection(os.environ).run()
    except OSError as error:
        say(f"expected a broker at {os.environ['JOUST_URL']}, got: {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
