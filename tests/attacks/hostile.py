"""`python hostile.py ATTACK`: a bot in plain paho that answers two turns, then attacks as its name says.

It stands alone, as a stranger's bot would: nothing of Joust is imported. What it does not spoil it plays, waiting.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

Message = dict[str, Any]

FIRST_TURN = 3  # of the attack
RIVAL = "honest"
SLOTS = range(4)  # of a bot, at most
NESTED = b'{"type":"action","match":"m","x":' + b"[" * 5000 + b"]" * 5000 + b"}"
ESCAPES = "\x1b[2J\x1b]0;owned\x07\u202e"
USER, PASSWORD, TOPIC = (os.environ.get(f"JOUST_{name}", "") for name in ("USER", "PASSWORD", "TOPIC"))


class Hostile:
    """The connection, and what every attack needs."""

    def __init__(self, attack: str) -> None:
        self.attack = attack
        self.waiting: deque[Message] = deque()
        self.old_ask = 0  # number of the first question
        self.client = open_client(USER, PASSWORD)
        self.client.on_message = self._on_message
        self.client.on_connect = self._on_connect
        self.client.on_subscribe = self._on_subscribe
        self.client.will_set(f"{TOPIC}/status", b'{"online":false}')
        connect(self.client)

    def run(self) -> None:
        """Serve until `stop`; messages are handled outside paho's callbacks, so that what is sent leaves at once."""
        while self.client.loop(timeout=1.0) == mqtt.MQTT_ERR_SUCCESS:
            while self.waiting:
                message = self.waiting.popleft()
                if message["type"] == "stop" and self.attack != "never_leaves":
                    self.client.disconnect()
                    return
                self._serve(message)
        sys.exit("the connection was lost")

    def _on_connect(self, *_: object) -> None:
        self.client.subscribe(f"{TOPIC}/in")

    def _on_subscribe(self, *_: object) -> None:
        self.client.on_subscribe = None  # what it subscribes to later is part of an attack
        self.send("status", {"online": True})

    def _on_message(self, *details: Any) -> None:
        packet: mqtt.MQTTMessage = details[2]
        if packet.topic != f"{TOPIC}/in":
            sys.exit(f"LEAK: {packet.topic}")  # a message that was not ours to read
        self.waiting.append(json.loads(packet.payload))

    def _serve(self, message: Message) -> None:
        kind = message["type"]
        self.old_ask = message["ask"] if message.get("turn") == 1 else self.old_ask
        attack = {"hello": ON_HELLO, "start": ON_START, "turn": ON_TURN}.get(kind, {}).get(self.attack)
        if attack is not None and message.get("turn", FIRST_TURN) >= FIRST_TURN:
            attack(self, message)
        elif kind in ("hello", "start"):
            self.ready(message)
        elif kind == "turn":
            self.answer(message)

    def ready(self, message: Message, **changed: Any) -> None:
        """To a `hello` or a `start`."""
        about = {"version": "1", "language": "python", "plays": []}
        self.send("out", {"type": "ready", "protocol": 1, "match": message.get("match"), **about, **changed})

    def answer(self, turn: Message, **changed: Any) -> None:
        """To a question, in good time unless it says otherwise."""
        known = {"type": "action", "action": "wait"} | {key: turn[key] for key in ("match", "ask", "seat")}
        self.send("out", known | changed)

    def send(self, topic: str, message: object, *, qos: int = 0, retain: bool = False) -> None:
        """To a topic of its own, or to any other; bytes go as they are."""
        place = topic if "/" in topic else f"{TOPIC}/{topic}"
        payload = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.client.publish(place, payload, qos=qos, retain=retain)
        while self.client.want_write() and self.client.loop_write() == mqtt.MQTT_ERR_SUCCESS:
            pass


def open_client(user: str | None, password: str | None) -> mqtt.Client:
    """A client that is not connected."""
    transport: Any = "unix" if os.environ.get("JOUST_SOCKET") else "tcp"
    client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=f"c{time.time_ns()}", transport=transport)
    client.username_pw_set(user, password)
    return client


def connect(client: mqtt.Client) -> None:
    """Over the socket where there is one."""
    url = urlsplit(os.environ["JOUST_URL"])
    client.connect(os.environ.get("JOUST_SOCKET") or url.hostname or "", url.port or 1883)


def open_socket() -> socket.socket:
    """A connection without a word of MQTT."""
    if path := os.environ.get("JOUST_SOCKET"):
        link = socket.socket(socket.AF_UNIX)
        link.connect(path)
        return link
    url = urlsplit(os.environ["JOUST_URL"])
    return socket.create_connection((url.hostname, url.port))


def rivals(topic: str) -> list[str]:
    """A topic of every process of the rival."""
    prefix = TOPIC.rpartition("/")[0]
    return [f"{prefix}/{RIVAL}.{slot}/{topic}" for slot in SLOTS]


def stay_silent(bot: Hostile, turn: Message) -> None:
    """No answer, ever."""


def chatter_and_stay_silent(bot: Hostile, turn: Message) -> None:
    """Within the documented 200 messages, so that any low budget could be blamed instead."""
    if turn["turn"] == FIRST_TURN:
        for _ in range(150):
            bot.send("out", {"type": "ready", "protocol": 1, "match": turn["match"]})


def answer_late(bot: Hostile, turn: Message) -> None:
    time.sleep(turn["limit_ms"] / 1000 * 1.2)
    bot.answer(turn)


def nest(topic: str, *, answers: bool = False) -> Callable[[Hostile, Message], None]:
    def attack(bot: Hostile, message: Message) -> None:
        bot.send(topic, NESTED)
        if answers:
            bot.answer(message)

    return attack


def say(message: object) -> Callable[[Hostile, Message], None]:
    """In place of an answer."""
    return lambda bot, turn: bot.send("out", message)


def answers(**changed: Any) -> Callable[[Hostile, Message], None]:
    """Answers with something changed."""
    return lambda bot, turn: bot.answer(turn, **changed)


def nonsense_numbers(bot: Hostile, turn: Message) -> None:
    bot.answer(turn, stats={"expanded": 2**63, "plan_cost": 1e300}, planning_ms=-1e300)


def confess_at_length(bot: Hostile, turn: Message) -> None:
    bot.send("out", {"type": "error", "match": turn["match"], "message": ESCAPES + "x" * 60_000})


def hide_in_version(bot: Hostile, message: Message) -> None:
    bot.ready(message, version=f"1{ESCAPES}")


def blow_up_log(bot: Hostile, turn: Message) -> None:
    os.ftruncate(2, 3 << 30)  # a hole: it takes no room on the disk
    sys.exit("x" * 1_000_000)


def crash_by(signal_number: int) -> Callable[[Hostile, Message], None]:
    return lambda bot, message: os.kill(os.getpid(), signal_number)


def leave(bot: Hostile, turn: Message) -> None:
    os._exit(0)  # without a word to the broker


def hoard(bot: Hostile, message: Message) -> None:
    held = [open_socket() for _ in range(1100)]
    sys.exit(f"held {len(held)} connections")


def loiter(bot: Hostile, turn: Message) -> None:
    """Half a CONNECT on each of many connections, kept open for the rest of the match."""
    if turn["turn"] == FIRST_TURN:
        links = bot.__dict__.setdefault("links", [open_socket() for _ in range(30)])
        for link in links:
            link.sendall(b"\x10\x20\x00\x04MQ")
    bot.answer(turn)


def guess_passwords(bot: Hostile, turn: Message) -> None:
    """As the rival and as the referee, with wrong, empty and no passwords."""
    rival = f"{USER.rpartition('.')[0].rpartition('-')[0]}{RIVAL}.0"
    for user in (rival, "referee", None):
        for password in ("guess", "", None):
            client = open_client(user, None if user is None else password)
            client.on_connect = lambda client, *details: (
                None if details[2].is_failure else client.subscribe("#")  # let in: then `_on_message` shows it
            )
            client.on_message = bot._on_message
            connect(client)
            client.loop(timeout=0.02)
            client.disconnect()
    bot.answer(turn)


def write_elsewhere(bot: Hostile, turn: Message) -> None:
    """To the rival in the referee's name, and to the referee in the rival's."""
    forged = {"type": "action", "match": turn["match"], "ask": turn["ask"], "seat": 1 - turn["seat"], "action": "no"}
    for topic, message in (
        ("out", forged),
        ("in", {"type": "stop"}),
        ("status", {"online": False}),
        ("charge", "flooded"),
    ):
        for place in rivals(topic):
            bot.send(place, message, retain=True)
    bot.send(f"joust/{TOPIC.split('/')[1]}/echo", b"1")
    bot.answer(turn)


def read_elsewhere(bot: Hostile, turn: Message) -> None:
    for place in ("#", "joust/#", "$SYS/#", *rivals("in"), *rivals("out")):
        bot.client.subscribe(place)
    bot.answer(turn)


def take_name(bot: Hostile, turn: Message) -> None:
    """With the rival's client id, which would push it off."""
    client = open_client(USER, PASSWORD)
    client._client_id = USER.replace(bot.attack, RIVAL).encode()
    client.on_connect = lambda *_: None
    connect(client)
    client.loop(timeout=0.05)
    bot.answer(turn)


def repeat_and_dig(bot: Hostile, turn: Message) -> None:
    """Duplicates, a second answer, answers to closed questions and to matches that never were."""
    for changed in ({}, {}, {"action": "up", "seq": 1}, {"ask": bot.old_ask, "action": "bomb"}, {"match": "other"}):
        bot.answer(turn, **changed)


def answer_for_rival(bot: Hostile, turn: Message) -> None:
    bot.answer(turn, seat=1 - turn["seat"], action="no")


def answer_ahead(bot: Hostile, turn: Message) -> None:
    bot.answer(turn, ask=turn["ask"] + 50)


def keep_open(bot: Hostile, turn: Message) -> None:
    """An answer that is never the last one: legal, and each turn takes its whole time."""
    bot.answer(turn, final=turn["turn"] != FIRST_TURN)


def stop_reading(bot: Hostile, turn: Message) -> None:
    time.sleep(60)


def flood(topic: str, message: object, times: int) -> Callable[[Hostile, Message], None]:
    """Many of one message, and the answer after them."""

    def attack(bot: Hostile, turn: Message) -> None:
        for _ in range(times):
            bot.send(topic, message)
        bot.answer(turn)

    return attack


def flood_elsewhere(bot: Hostile, turn: Message) -> None:
    """Topics without rights."""
    flood(rivals("in")[0], b"x" * 100, 20_000)(bot, turn)


def flood_packets(packet: bytes, times: int) -> Callable[[Hostile, Message], None]:
    """Packets past paho; `%d` in it is a number of two bytes."""

    def attack(bot: Hostile, turn: Message) -> None:
        link: Any = bot.client.socket()
        link.setblocking(True)
        for number in range(1, times + 1):
            link.sendall(packet.replace(b"%d", number.to_bytes(2, "big")))
        link.setblocking(False)
        bot.answer(turn)

    return attack


def subscribe_packet() -> bytes:
    topic = f"{TOPIC}/in".encode()
    return b"\x82" + bytes([5 + len(topic)]) + b"%d" + len(topic).to_bytes(2, "big") + topic + b"\0"


def publish_packet() -> bytes:
    """QoS 2, of which the release will never come."""
    topic = f"{TOPIC}/out".encode()
    return b"\x34" + bytes([5 + len(topic)]) + len(topic).to_bytes(2, "big") + topic + b"%dx"


def read_files(bot: Hostile, turn: Message) -> None:
    """The tournament's file, its seed and its key, and what other processes have been told."""
    wanted = [*Path().glob("*.yaml"), *Path("results").glob("*/*"), Path(__file__).with_name("table.py")]
    others = [place for place in Path("/proc").glob("[0-9]*/environ") if place.parent.name != str(os.getpid())]
    for place in (*wanted, *others):
        with contextlib.suppress(OSError):
            if place.is_file() and (text := place.read_bytes()) and (place in wanted or is_of_others(text)):
                say_leak(place)
    bot.answer(turn)


def is_of_others(environment: bytes) -> bool:
    """Whether a bot's environment is another one's: in the sandbox bubblewrap has the bot's own."""
    return b"JOUST_PASSWORD" in environment and PASSWORD.encode() not in environment


def write_files(bot: Hostile, turn: Message) -> None:
    """A record of its match, won, before it is over; and one of a match that nobody plays."""
    for name in (turn["match"], "0123456789abcdef"):
        with contextlib.suppress(OSError):
            Path(f"results/siege/records/{name}.jsonl").write_text('{"type":"header"}\n')
            say_leak(name)
    bot.answer(turn)


def say_leak(what: object) -> None:
    """For the tests, in its log: it has what it should not have."""
    print(f"LEAK: {what}", flush=True)


def hide_memory(bot: Hostile, turn: Message) -> None:
    """In a file that has no name and is mapped nowhere."""
    hidden = os.memfd_create("hidden")
    for _ in range(300):
        os.write(hidden, bytes(1 << 20))
    bot.__dict__["hidden"] = hidden
    time.sleep(2)
    bot.answer(turn)


def breed_threads(bot: Hostile, turn: Message) -> None:
    for _ in range(2000):
        threading.Thread(target=time.sleep, args=[600], daemon=True).start()
    time.sleep(2)


def breed_processes(bot: Hostile, turn: Message) -> None:
    """Each in a session of its own."""
    for _ in range(200):
        if os.fork() == 0:
            os.setsid()
            time.sleep(60)
            os._exit(0)
    time.sleep(2)


def leave_behind(code: str, *, own_sessions: bool) -> Callable[[Hostile, Message], None]:
    """A program two forks away, perhaps in a session and with an environment that do not lead back."""

    def attack(bot: Hostile, turn: Message) -> None:
        if turn["turn"] == FIRST_TURN:
            reading, writing = os.pipe()
            if os.fork() == 0:
                if own_sessions:
                    os.setsid()
                if os.fork() == 0:
                    if own_sessions:
                        os.setsid()
                    os.set_inheritable(writing, True)
                    program = f"import os, time; {code}; os.write({writing}, b'x'); time.sleep(60)"
                    os.execve(sys.executable, [sys.executable, "-S", "-c", program], {"JOUST_TOPIC": f"{TOPIC}x"})
                os._exit(0)
            os.close(writing)
            os.read(reading, 1)  # nothing, if it has been found already
            time.sleep(1.0)  # until it is looked for
        bot.answer(turn)

    return attack


def guess_seed(bot: Hostile, turn: Message) -> None:
    """Which number gives the bot's own seed? The tournament's name is in its topic, and the rules are known."""
    name = TOPIC.split("/")[1].rpartition("-")[0]
    told, guess = bot.__dict__["told"], turn["turn"] - FIRST_TURN
    if guess < 4 and is_seed(guess, name=name, games=[told["game"]], told=told):  # each takes a tenth of a second
        say_leak(f"the seed {guess}")
    bot.answer(turn)


def remember(bot: Hostile, start: Message) -> None:
    bot.__dict__["told"] = start
    bot.ready(start)


def is_seed(guess: object, *, name: str, games: list[str], told: Message) -> bool:
    """Whether the tournament's seed is this: as Joust derives a bot's own seed, written down anew."""
    salt = canonical(["run", name, sorted(games)])
    key = hashlib.scrypt(canonical(guess), salt=salt, dklen=32, n=2**15, r=8, p=1, maxmem=2**26)
    address = canonical(["bot", told["match"], told["seats"][0]])
    own = int.from_bytes(hashlib.blake2b(address, digest_size=8, key=key).digest(), "big") % 2**53
    return bool(own == told["bot_seed"])


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def send_without_end(bot: Hostile, turn: Message) -> None:
    """One message of 200 MB, past paho: as much of it as somebody takes."""
    topic, size = f"{TOPIC}/out".encode(), 200_000_000
    length = bytes(size >> shift & 0x7F | (0x80 if shift < 21 else 0) for shift in (0, 7, 14, 21))
    link: Any = bot.client.socket()
    link.setblocking(True)
    link.sendall(b"\x30" + length + len(topic).to_bytes(2, "big") + topic)
    for _ in range(size // 1_000_000):
        link.sendall(bytes(1_000_000))


def flicker(bot: Hostile, turn: Message) -> None:
    """Births and deaths by turns."""
    for number in range(400):
        bot.send("status", {"online": bool(number % 2)})


ON_HELLO: dict[str, Callable[[Hostile, Message], None]] = {
    "mute": stay_silent,
    "nested_hello": nest("out"),
    "old_protocol": lambda bot, hello: bot.ready(hello, protocol=99),
    "escapes_in_version": hide_in_version,
    "dies_at_start": crash_by(signal.SIGSEGV),
    "hoards_connections": hoard,
}
ON_START: dict[str, Callable[[Hostile, Message], None]] = {
    "never_ready": stay_silent,
    "nested_ready": nest("out"),
    "guesses_seed": remember,
}
ON_TURN: dict[str, Callable[[Hostile, Message], None]] = {
    "silent": stay_silent,
    "chatters_then_silent": chatter_and_stay_silent,
    "late": answer_late,
    "nested_answer": nest("out"),
    "nested_status": nest("status", answers=True),
    "garbage": say(b"\xff\x00 up please"),
    "surrogates": say(b'{"type":"error","message":"\\ud800"}'),
    "wrong_types": say([{"type": "action", "ask": "1"}]),
    "endless_number": say(b'{"type":"action","match":"m","ask":1' + b"0" * 60_000 + b"}"),
    "numbers": nonsense_numbers,
    "long_answer": answers(action="up" * 65_536),
    "giant_message": say(b"x" * 10_000_000),
    "no_such_action": answers(action=f"fly{ESCAPES}"),
    "confesses_at_length": confess_at_length,
    "giant_log": blow_up_log,
    "dies": crash_by(signal.SIGKILL),
    "leaves": leave,
    "answers_for_rival": answer_for_rival,
    "answers_ahead": answer_ahead,
    "repeats_and_digs": repeat_and_dig,
    "keeps_open": keep_open,
    "writes_elsewhere": write_elsewhere,
    "reads_elsewhere": read_elsewhere,
    "guesses_passwords": guess_passwords,
    "loiters": loiter,
    "takes_rivals_name": take_name,
    "flickers": flicker,
    "stops_reading": stop_reading,
    "reads_files": read_files,
    "writes_files": write_files,
    "hides_memory": hide_memory,
    "leaves_memory": leave_behind("held = bytearray(300 << 20)", own_sessions=False),
    "hides_processes": leave_behind("pass", own_sessions=True),
    "guesses_seed": guess_seed,
    "endless_message": send_without_end,
    "breeds_threads": breed_threads,
    "breeds_processes": breed_processes,
    "floods_answers": flood("out", {"type": "ready", "protocol": 1}, 20_000),
    "floods_status": flood("status", {"online": True}, 5_000),
    "floods_large_status": flood("status", b"x" * 60_000, 500),
    "floods_elsewhere": flood_elsewhere,
    "floods_pings": flood_packets(b"\xc0\x00", 20_000),
    "floods_subscriptions": flood_packets(subscribe_packet(), 10_000),
    "floods_unreleased": flood_packets(publish_packet(), 10_000),
}


if __name__ == "__main__":
    if sys.argv[1] == "never_leaves":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    Hostile(sys.argv[1]).run()
