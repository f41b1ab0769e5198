"""`joust tokens`, and what people read when a token or a bot is none."""

from __future__ import annotations

import json

import pytest

from gridjoust.runner.wire.token import parse_token
from tests.gridjoust.commands.desk import PROCESSES, Desk

REMOTE = PROCESSES + "  - {name: ada, remote: true}\n  - {name: ben, remote: true}\n"
OPEN = REMOTE + "broker: {listen: '192.0.2.7:8883'}\n"


def words_of(printed: str) -> list[str]:
    return [word for word in printed.split() if word.startswith("joust1_")]


def test_every_remote_bot_has_a_line_that_can_be_pasted(desk: Desk) -> None:
    desk.write("cup.yaml", OPEN)
    code, printed = desk.read("tokens", "cup.yaml")
    assert code == 0
    tokens = [parse_token(word) for word in words_of(printed)]
    assert [token.bot for token in tokens] == ["ada", "ben"]
    assert "ada:\n  joust connect joust1_" in printed
    assert "192.0.2.7" in printed
    assert "Only bots on this machine" not in printed
    assert desk.read("tokens", "cup.yaml") == (code, printed)


def test_one_bots_token_is_renewed_alone(desk: Desk) -> None:
    desk.write("cup.yaml", REMOTE)
    ada, ben = words_of(desk.read("tokens", "cup.yaml")[1])
    [renewed] = words_of(desk.read("tokens", "cup.yaml", "ada", "--renew")[1])
    assert renewed != ada
    _, printed = desk.read("tokens", "cup.yaml")
    assert words_of(printed) == [renewed, ben]
    assert "Only bots on this machine" in printed


def test_programs_get_what_a_bot_that_speaks_mqtt_itself_needs(desk: Desk) -> None:
    desk.write("cup.yaml", OPEN)
    [about] = json.loads(desk.read("tokens", "cup.yaml", "ada", "--json")[1])
    token = parse_token(about["token"])
    assert about["environment"] == {
        "JOUST_URL": "mqtts://192.0.2.7:8883",
        "JOUST_USER": "bot-ada.0",
        "JOUST_PASSWORD": token.password,
        "JOUST_TOPIC": token.prefix,
        "JOUST_PROTOCOL": "1",
    }
    assert about["certificate"].startswith("-----BEGIN CERTIFICATE-----")


@pytest.mark.parametrize(
    ("text", "arguments", "said"),
    [
        (PROCESSES, ("cup.yaml",), "cup.yaml has no bot with `remote: true`"),
        (REMOTE, ("cup.yaml", "bne"), "BOTS: expected ben, got 'bne'"),
        (REMOTE, ("cup.yaml", "a"), "BOTS: expected one of ada, ben, got 'a'"),
    ],
)
def test_who_has_no_token_is_named(text: str, arguments: tuple[str, ...], said: str, desk: Desk) -> None:
    desk.write("cup.yaml", text)
    code, shown = desk.joust("tokens", *arguments)
    assert (code, said in shown) == (2, True), shown


def test_what_cannot_play_is_named_before_anything_is_connected(desk: Desk) -> None:
    desk.write("cup.yaml", OPEN)
    [word, _] = words_of(desk.read("tokens", "cup.yaml")[1])
    desk.write("two.py", "import gridjoust as joust\nclass One(joust.Bot): ...\nclass Two(joust.Bot): ...\n")
    for arguments, said in {
        ("nonsense", "random"): "TOKEN: expected a word such as joust1_...",
        (word, "no-such-program"): "BOT: expected a bot's name, file.py, file.py:Class, or behind -- a program",
        (word, "none.py"): "BOT: file not found: none.py",
        (word, "two.py"): "BOT: two.py contains several bots",
        (word, "two.py:One"): "BOT: two.py:One: expected an act method, got none",
        (word, "random", "--at", "host:none"): "--at: expected host:port, got 'host:none'",
        (word,): "missing argument 'bot'",
    }.items():
        code, shown = desk.joust("connect", *arguments)
        assert (code, said in shown) == (2, True), shown
