"""Every key of a tournament file is explained to those who write one."""

import msgspec
import pytest

from runner.config.load import config_schema
from runner.config.meanings import MEANINGS
from runner.config.values import Tournament

PLAIN = msgspec.json.schema(Tournament)["$defs"]


@pytest.mark.parametrize("name", PLAIN)
def test_every_key_has_a_meaning_and_nothing_else_has(name: str) -> None:
    assert set(MEANINGS[name]) == set(PLAIN[name]["properties"])


def test_the_schema_tells_the_meanings() -> None:
    described = config_schema()["$defs"]["Tournament"]["properties"]["seed"]["description"]
    assert described == "the only source of chance: the same seed plays the same matches"
