"""The reference pages, made from the code: `python -m gridjoust.reference` writes them, a test holds them current.

Commands come from the command line itself, keys from the schema of the tournament file, columns from the tables' own
descriptions, parameters from the games' specs, messages from the protocol's schema. Adds no facts of its own.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from inspect import cleandoc
from pathlib import Path
from typing import Any

import games
from bots import bot_names, load_bot
from games.api import Param
from gridjoust.commands.table import COMMANDS, load_command
from runner.config.load import config_schema
from runner.record.lines import Fault
from runner.tables.columns import METRICS, RESULTS, STANDINGS, TURNS, Column
from runner.wire import protocol

FOLDER = Path(__file__).parents[1] / "docs" / "reference"
NOTE = "<!-- Made by `python -m gridjoust.reference`: change the code it describes instead. -->"
Schema = dict[str, Any]


def pages() -> dict[str, str]:
    """File name -> text of every page that is made."""
    return {
        "commands.md": _page("Commands", _commands()),
        "configuration.md": _page("The tournament file", _configuration()),
        "tables.md": _page("Result tables", _tables()),
        "games.md": _page("Games and their parameters", _games()),
        "bots.md": _page("Bots", _bots()),
        "protocol.md": _page("The wire protocol", _protocol()),
    }


def _page(title: str, blocks: Iterator[str]) -> str:
    return "\n\n".join([f"# {title}", NOTE, *blocks]) + "\n"


def _table(heading: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [heading, tuple("---" for _ in heading), *rows]
    return "\n".join("| " + " | ".join(map(_cell, row)) + " |" for row in lines)


def _cell(text: str) -> str:
    """Text inside a table: no line ends, no bars, no tags."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _commands() -> Iterator[str]:
    yield "Exit codes: 0 done, 1 something does not hold, 2 wrong input, 3 the machine or the broker, 130 stopped."
    for name in COMMANDS:
        command = load_command(name)
        yield f"## joust {name}"
        yield str(command.help)
        words = [_argument_text(p) for p in command.params if p.param_type_name == "argument"]
        yield f"```text\n{' '.join(['joust', name, *words, '[OPTIONS]'])}\n```"
        rows = [_option_row(option) for option in command.params if option.name != "help"]
        if rows:
            yield _table(("", "default", "meaning"), rows)


def _argument_text(argument: Any) -> str:
    name = str(argument.metavar or argument.name).upper()
    return name if argument.required or name.startswith("[") else f"[{name}]"


def _option_row(option: Any) -> tuple[str, str, str]:
    is_option = option.param_type_name == "option"
    name = " ".join(f"`{text}`" for text in option.opts) if is_option else f"`{option.metavar or option.name}`"
    shown = "" if option.default in (None, False) or callable(option.default) else f"`{option.default}`"
    if option.required:
        shown = "required"
    return name, shown, str(option.help or "")


_SECTIONS = {  # name in the schema -> where it is written
    "Tournament": "the file",
    "RoundRobin": "format: round_robin",
    "Gauntlet": "format: gauntlet",
    "Swiss": "format: swiss",
    "Knockout": "format: knockout",
    "Ladder": "format: ladder",
    "Solo": "format: solo",
    "Resolved": "stop: resolved",
    "Sprt": "stop: sprt",
    "GameEntry": "games[]",
    "BotEntry": "bots[]",
    "RoleProgram": "bots[].roles.ROLE",
    "ResourceLimits": "bots[].limits",
    "TimeLimits": "time",
    "TimeOverride": "games[].time, bots[].time",
    "FaultPolicy": "faults",
    "Execution": "execution",
    "BrokerConfig": "broker",
}


def _configuration() -> Iterator[str]:
    schemas: dict[str, Schema] = config_schema()["$defs"]
    if set(schemas) != set(_SECTIONS):
        raise ValueError(f"expected sections {sorted(schemas)}, got {sorted(_SECTIONS)}")
    yield (
        "Only `tournament`, `games` and `bots` are required. An unknown key is an error that names the nearest one. "
        "`joust schema config` prints this as JSON Schema, for editors."
    )
    for name, place in _SECTIONS.items():
        schema = schemas[name]
        yield f"## {place}"
        yield _description(schema)
        required = schema.get("required", [])
        rows = [_key_row(key, value, key in required) for key, value in schema["properties"].items()]
        yield _table(("key", "type", "default", "meaning"), rows)


def _key_row(key: str, schema: Schema, is_required: bool) -> tuple[str, str, str, str]:  # noqa: FBT001 - a column
    is_plain = "default" in schema and not isinstance(schema["default"], dict)
    default = "required" if is_required else f"`{json.dumps(schema['default'])}`" if is_plain else ""
    return f"`{key}`", _type_text(schema), default, str(schema.get("description", ""))


def _description(schema: Schema) -> str:
    return cleandoc(str(schema.get("description", "")))


def _type_text(schema: Schema) -> str:
    """A JSON schema in words."""
    if "anyOf" in schema:
        return " or ".join(_type_text(option) for option in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{_SECTIONS.get(name, name)}](#{_anchor(_SECTIONS.get(name, name))})"
    kind = schema.get("type")
    if kind == "array":
        return f"list of {_type_text(schema.get('items', {}))}"
    if kind == "object":
        return "mapping"
    names = {
        "integer": "whole number",
        "number": "number",
        "string": "text",
        "boolean": "true or false",
        "null": "null",
    }
    limits = [f"at least {schema['minimum']:g}"] if "minimum" in schema else []
    return " ".join([names.get(str(kind), "any value"), *limits])


def _anchor(title: str) -> str:
    """As the site's table of contents makes it."""
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", title.lower())).strip("-")


def _tables() -> Iterator[str]:
    yield (
        "UTF-8, comma, LF; an empty field is a missing value; flags are 0 or 1; times are UTC. New columns are only "
        "ever added at the end. *Measured* columns may differ between two runs with identical results. "
        "`datapackage.json` beside the tables says the same to machines."
    )
    for table in (RESULTS, METRICS, TURNS, STANDINGS):
        yield f"## {table.file}"
        key = f" Key: {', '.join(f'`{name}`' for name in table.key)}." if table.key else ""
        yield f"{_sentence(table.description)}{key}"
        yield _table(("column", "type", "meaning"), [_column_row(column) for column in table.columns])
    yield "## Faults"
    yield "What they cost is [explained elsewhere](../explanation/time-and-faults.md#faults)."
    yield _table(("fault", "meaning"), [(f"`{fault.value}`", fault.meaning) for fault in Fault])


def _column_row(column: Column) -> tuple[str, str, str]:
    words = [column.description]
    if column.choices:
        words.append("one of " + ", ".join(f"`{choice}`" for choice in column.choices))
    if column.is_measured:
        words.append("*measured*")
    return f"`{column.name}`", column.type, "; ".join(words)


def _games() -> Iterator[str]:
    yield "What the games are like is [explained elsewhere](../explanation/games.md)."
    for name in games.game_names():
        spec = games.load_game(name).spec
        seats = f"{spec.min_seats}" if spec.min_seats == spec.max_seats else f"{spec.min_seats} to {spec.max_seats}"
        yield f"## {name}"
        yield f"{_sentence(spec.summary)} Rules version {spec.version}, {seats} seats, {_words(spec.dynamics.value)}."
        rows = [
            (f"`{key}`", f"`{json.dumps(param.default)}`", _param_text(param)) for key, param in spec.params.items()
        ]
        yield _table(("parameter", "default", "meaning"), rows)


def _param_text(param: Param) -> str:
    words = [param.help]
    if param.choices:
        words.append("one of " + ", ".join(f"`{choice}`" for choice in param.choices))
    elif param.minimum is not None and param.maximum is not None:
        words.append(f"{param.minimum:g} to {param.maximum:g}")
    elif param.minimum is not None:
        words.append(f"at least {param.minimum:g}")
    return "; ".join(words)


def _bots() -> Iterator[str]:
    yield (
        "Built-in bots, named as `bot:` in a tournament file. `*/astar` is that planner's bot in whichever game is "
        "played."
    )
    rows = []
    for name in bot_names():
        bot = load_bot(name)
        first = (bot.__doc__ or "").strip().partition("\n")[0]
        rows.append((f"`{name}`", _words(bot.planner), ", ".join(bot.plays) or "every game", first))
    yield _table(("bot", "planner", "plays", ""), rows)


def _protocol() -> Iterator[str]:
    yield (
        f"Version {protocol.PROTOCOL}. JSON messages over MQTT 3.1.1. [Write a bot in your language]"
        "(../how-to/bot-in-your-language.md) shows each of them in a real match; `joust schema protocol` prints the "
        "JSON Schema, `joust schema asyncapi` the [AsyncAPI document](../protocol.asyncapi.json)."
    )
    schema = protocol.json_schema()
    definitions: Mapping[str, Schema] = schema["$defs"]
    for name, one in definitions.items():
        if one.get("type") != "object":
            continue
        yield f"## {name}"
        yield _description(one)
        required = one.get("required", [])
        rows = [_key_row(key, value, key in required) for key, value in one.get("properties", {}).items()]
        if rows:
            yield _table(("field", "type", "default", "meaning"), rows)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _words(name: str) -> str:
    return name.replace("_", " ")


def main() -> int:
    """Write every page that differs; the exit code."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        path = FOLDER / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(path, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
