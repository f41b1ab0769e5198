"""Describes the wire protocol for bots as an AsyncAPI 3 document, made from `runner/wire/protocol.py`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.protocol import bot_prefix, view_topic

ASYNCAPI = "3.0.0"
MQTT_BINDING = "0.2.0"

Json = dict[str, Any]

_REPLIES = {"hello": "ready", "start": "ready", "turn": "action"}
_TO_BOT = [str(message.__struct_config__.tag) for message in protocol.MESSAGES_TO_BOT]
_FROM_BOT = [str(message.__struct_config__.tag) for message in protocol.MESSAGES_FROM_BOT]
_STATUS = "status"
_VIEW = "view"
_PARAMETERS = {
    "run": {"description": "Id of this run of the tournament."},
    "slot": {"description": "The bot process: `<bot>.<number>`. JOUST_TOPIC is `joust/<run>/bot/<slot>`."},
}


def asyncapi_document() -> Json:
    """Return the whole document as plain JSON values, always in the same order."""
    return {
        "asyncapi": ASYNCAPI,
        "info": {
            "title": "Joust bot protocol",
            "version": str(protocol.PROTOCOL),
            "description": (
                "How a bot process of any language plays in a Joust tournament: MQTT 3.1.1, QoS 0, JSON payloads with "
                "a `type`. Readers ignore keys and types that they do not know. Environment variables name the broker: "
                "JOUST_SOCKET (unix socket, if there is one) or JOUST_URL, JOUST_USER, JOUST_PASSWORD, JOUST_TOPIC "
                "(the prefix of the bot's topics), JOUST_PROTOCOL (this version)."
            ),
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "servers": {"broker": _server()},
        "channels": _channels(),
        "operations": _operations(),
        "components": {
            "messages": _messages(),
            "schemas": {**protocol.message_schemas(at="#/components/schemas/{name}"), "View": {"type": "object"}},
            "securitySchemes": {"account": {"type": "userPassword", "description": "JOUST_USER and JOUST_PASSWORD."}},
        },
    }


def _server() -> Json:
    will = {"topic": "joust/<run>/bot/<slot>/status", "qos": 0, "message": '{"online":false}', "retain": False}
    return {
        "host": "{host}:{port}",
        "protocol": "mqtt",
        "protocolVersion": "3.1.1",
        "description": "The broker of the run, as JOUST_URL names it; `mqtts` with an external broker.",
        "variables": {
            "host": {"description": "Usually this machine.", "default": "127.0.0.1"},
            "port": {"description": "Different in every run.", "default": "1883"},
        },
        "security": [{"$ref": "#/components/securitySchemes/account"}],
        "bindings": {"mqtt": {"cleanSession": True, "lastWill": will, "bindingVersion": MQTT_BINDING}},
    }


def _channels() -> Json:
    prefix = bot_prefix("{run}", "{slot}")
    view = view_topic("{run}", "{match}")
    limit = f"At most {protocol.ANSWER_LIMIT_BYTES} bytes per message."
    of_match = {"run": _PARAMETERS["run"], "match": {"description": "Id of the match."}}
    return {
        "in": _channel(f"{prefix}/in", _TO_BOT, "From the referee to one bot process."),
        "out": _channel(f"{prefix}/out", _FROM_BOT, f"From the bot to the referee. {limit}"),
        "status": _channel(f"{prefix}/status", [_STATUS], "Birth of the bot process, and its last will."),
        "view": {
            **_channel(view, [_VIEW], "The public view after every turn (`execution: {views: true}`)."),
            "parameters": of_match,
        },
    }


def _channel(address: str, messages: Iterable[str], description: str) -> Json:
    return {
        "address": address,
        "description": description,
        "parameters": _PARAMETERS,
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
    }


def _operations() -> Json:
    operations = {f"on_{name}": _operation("receive", "in", name) for name in _TO_BOT}
    for name, reply in _REPLIES.items():
        operations[f"on_{name}"]["reply"] = {
            "channel": {"$ref": "#/channels/out"},
            "messages": [{"$ref": f"#/channels/out/messages/{reply}"}],
        }
    for name in _FROM_BOT:
        operations[f"send_{name}"] = _operation("send", "out", name)
    operations["send_status"] = _operation("send", "status", _STATUS)
    operations["on_view"] = _operation("receive", "view", _VIEW)
    return operations


def _operation(action: str, channel: str, message: str) -> Json:
    return {
        "action": action,
        "channel": {"$ref": f"#/channels/{channel}"},
        "messages": [{"$ref": f"#/channels/{channel}/messages/{message}"}],
        "bindings": {"mqtt": {"qos": 0, "retain": False, "bindingVersion": MQTT_BINDING}},
    }


def _messages() -> Json:
    known = (*protocol.MESSAGES_TO_BOT, *protocol.MESSAGES_FROM_BOT, protocol.Status)
    described = [
        (name, cls.__name__, cls.__doc__) for name, cls in zip([*_TO_BOT, *_FROM_BOT, _STATUS], known, strict=True)
    ]
    described.append((_VIEW, "View", "The public view of a match; its keys are the game's."))
    return {
        name: {"title": schema, "summary": summary, "payload": {"$ref": f"#/components/schemas/{schema}"}}
        for name, schema, summary in described
    }
