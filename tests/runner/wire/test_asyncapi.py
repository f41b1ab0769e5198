"""The AsyncAPI document and the JSON Schemas: current, valid, and true of what goes over the wire."""

from __future__ import annotations

import json
import re
from functools import cache, reduce
from operator import getitem
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.asyncapi import asyncapi_document
from gridjoust.runner.wire.protocol import bot_prefix, view_topic
from tests.runner.wire.wire_capture import PAGE, blocks_of, capture

ROOT = Path(__file__).parents[3]
COMMITTED = ROOT / "docs" / "protocol.asyncapi.json"
SPECIFICATION = ROOT / "bots" / "examples" / "node_modules" / "@asyncapi" / "specs" / "schemas" / "3.0.0.json"

BLOCKS = blocks_of(PAGE.read_text(encoding="utf-8"))

captured = cache(capture)


def schema_of(message: dict[str, Any]) -> dict[str, Any]:
    """The schema that the document gives for a captured message."""
    kind = message.get("type", "status")
    reference = asyncapi_document()["components"]["messages"][kind]["payload"]["$ref"]
    return {**asyncapi_document(), "$ref": reference}


def test_the_committed_document_is_current() -> None:
    """If not: `joust schema asyncapi > docs/protocol.asyncapi.json`."""
    assert json.loads(COMMITTED.read_text(encoding="utf-8")) == asyncapi_document()


@pytest.mark.skipif(not SPECIFICATION.is_file(), reason="expected @asyncapi/specs in bots/examples/node_modules")
def test_the_document_is_valid_by_the_specification() -> None:
    validator = jsonschema.Draft7Validator(json.loads(SPECIFICATION.read_text(encoding="utf-8")))
    assert [error.message for error in validator.iter_errors(asyncapi_document())] == []


def test_every_message_of_the_protocol_is_sent_or_received_by_one_operation() -> None:
    document = asyncapi_document()
    operations = document["operations"]
    described = [reference["$ref"].split("/")[-1] for one in operations.values() for reference in one["messages"]]
    known = [str(cls.__struct_config__.tag) for cls in (*protocol.MESSAGES_TO_BOT, *protocol.MESSAGES_FROM_BOT)]
    assert sorted(described) == sorted([*known, "status", "view"])
    turn, error = operations["on_turn"], operations["send_error"]
    assert (turn["action"], turn["channel"]) == ("receive", {"$ref": "#/channels/in"})
    assert turn["reply"]["messages"] == [{"$ref": "#/channels/out/messages/action"}]
    assert (error["action"], error["channel"]) == ("send", {"$ref": "#/channels/out"})
    references = set(re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(document)))
    assert len(references) > 30
    for reference in references:
        assert isinstance(reduce(getitem, reference.split("/"), document), dict)


def test_channels_have_the_topics_that_the_runner_uses_and_describe_their_parameters() -> None:
    channels = asyncapi_document()["channels"]
    prefix = bot_prefix("{run}", "{slot}")
    assert {name: channel["address"] for name, channel in channels.items()} == {
        **{name: f"{prefix}/{name}" for name in ("in", "out", "status")},
        "view": view_topic("{run}", "{match}"),
    }
    for channel in channels.values():
        assert set(channel["parameters"]) == set(re.findall(r"{(\w+)}", channel["address"]))


def test_every_field_says_what_it_is_or_is_named_so() -> None:
    plain = {"type", "match", "game", "message", "language", "online", "limits", "stats"}
    schemas = protocol.message_schemas(at="#/{name}")
    silent = {
        f"{name}.{field}"
        for name, schema in schemas.items()
        for field, described in schema["properties"].items()
        if "description" not in described and field not in plain
    }
    assert silent == set()


@pytest.mark.default("ready for a match", "turn", "first answer", "event")
@pytest.mark.parametrize("name", BLOCKS)
def test_what_goes_over_the_wire_fits_its_schema_and_is_what_the_page_shows(name: str) -> None:
    """If not: `python -m tests.runner.wire.wire_capture`."""
    message = captured()[name]
    jsonschema.Draft202012Validator(schema_of(message)).validate(message)
    assert BLOCKS[name] == message


def test_a_message_that_the_code_refuses_does_not_fit_the_schema_either() -> None:
    action = captured()["action"]
    wrong = {**action, "ask": "first"}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, protocol.Action)
    assert not jsonschema.Draft202012Validator(schema_of(action)).is_valid(wrong)


def test_the_page_shows_and_the_diagram_names_every_message() -> None:
    assert BLOCKS.keys() == captured().keys()
    kinds = {message.get("type", "status") for message in captured().values()}
    assert kinds == {*asyncapi_document()["components"]["messages"]} - {"view"}
    drawn = PAGE.with_name("conversation.svg").read_text(encoding="utf-8")
    named = {text.split()[0].strip(":") for text in re.findall(r"<text[^>]*>([^<]+)</text>", drawn)}
    assert named >= kinds - {"error"}
