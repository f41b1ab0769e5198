"""Tokens: one word that says everything, or is refused in words that do not repeat it."""

from __future__ import annotations

import msgspec
import pytest

from gridjoust.runner.wire.bus import Address
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.token import PIN_BYTES, Token, format_token, parse_token

ADA = Token(
    bot="ada", run="cup-1", hosts=("192.0.2.7", "::1"), port=8883, user="bot-ada.0", password="pw", pin=bytes(PIN_BYTES)
)


@pytest.mark.parametrize("bot", ["a", "ab", "abc", "abcd"])
def test_a_token_survives_being_pasted(bot: str) -> None:
    token = msgspec.structs.replace(ADA, bot=bot)
    word = format_token(token)
    assert word.replace("_", "").replace("-", "").isalnum()
    assert parse_token(f"  {word}\n") == token
    assert len(word) < 250


def test_a_token_says_where_the_bot_plays() -> None:
    assert ADA.prefix == "joust/cup-1/bot/ada.0"
    assert ADA.addresses == [Address("192.0.2.7", 8883, tls=True), Address("::1", 8883, tls=True)]


WORD = format_token(ADA)
WRONG = {
    "nothing": "",
    "a file": "bot.py",
    "another beginning": WORD.replace("joust1", "joust9"),
    "cut short": WORD[:-5],
    "mistyped": WORD[:40] + ("A" if WORD[40] != "A" else "B") + WORD[41:],
    "two at once": WORD + WORD,
    "letters of other kinds": WORD[:-1] + "é",
    "without hosts": format_token(msgspec.structs.replace(ADA, hosts=())),
    "a port that is none": format_token(msgspec.structs.replace(ADA, port=70_000)),
    "a pin of another length": format_token(msgspec.structs.replace(ADA, pin=b"1")),
    "without end": WORD + "A" * 10_000,
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_what_is_no_token_is_refused_and_not_repeated(wrong: str) -> None:
    with pytest.raises(
        ConfigError, match=r"^TOKEN: expected a word such as joust1_\.\.\., as `joust tokens`"
    ) as refused:
        parse_token(wrong)
    assert len(str(refused.value)) < 200
    assert WORD[:30] not in str(refused.value)
