"""`joust schema`: the protocol as JSON Schema or as AsyncAPI document, or the JSON Schema of the tournament file."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from runner.wire import protocol
from runner.wire.errors import ConfigError


def schema(what: Annotated[str, typer.Argument(help="protocol, asyncapi or config.")] = "protocol") -> None:
    """Print the wire protocol (JSON Schema or AsyncAPI) or the JSON Schema of the tournament file."""
    print(json.dumps(_schema(what), indent=2))


def _schema(what: str) -> dict[str, Any]:
    if what == "protocol":
        return protocol.json_schema()
    if what == "asyncapi":
        from runner.wire.asyncapi import asyncapi_document

        return asyncapi_document()
    if what == "config":
        from runner.config.load import config_schema

        return config_schema()
    raise ConfigError(f"schema: expected protocol, asyncapi or config, got {what!r}")
