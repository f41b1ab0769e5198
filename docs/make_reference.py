"""Makes the reference pages and pictures from the code: `python -m docs.make_reference` writes, tests compare them.

Commands come from the command line itself, keys from the schema of the tournament file, columns from the tables' own
descriptions, parameters from the games' specs, messages from the protocol's schema, Python's names from their source.
Adds no facts of its own.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import cleandoc
from pathlib import Path
from typing import Any

import msgspec

from docs import markdown
from docs.make_pictures import PICTURES, picture
from docs.python_names import public_page
from gridjoust import games
from gridjoust.bots import bot_names, load_bot
from gridjoust.commands.app import COMMANDS, load_command
from gridjoust.games.api import Metric, Param
from gridjoust.runner.config.load import config_schema
from gridjoust.runner.results.records.lines import Fault
from gridjoust.runner.results.tables.columns import METRICS, PAIRINGS, RESULTS, STANDINGS, TURNS, Column
from gridjoust.runner.wire import protocol
from gridjoust.serve.config import ContestSection

FOLDER = Path(__file__).parents[1] / "docs" / "reference"
PICTURES_FOLDER = FOLDER.parent / "pictures"
NOTE = "<!-- Made by `python -m docs.make_reference`: change the code it describes instead. -->"
Schema = dict[str, Any]


def _commands() -> Iterator[str]:
    codes = "0 done, 1 something does not hold, 2 wrong input, 3 the machine or the broker, 4 a bug, 130 stopped"
    yield f"Exit codes: {codes}."
    yield markdown.table(("command", "exit code 1 says"), _EXIT_1)
    for name in COMMANDS:
        command = load_command(name)
        yield f"## joust {name}"
        yield str(command.help)
        arguments = [one for one in command.params if one.param_type_name == "argument"]
        names = [str(one.metavar or one.name).upper() for one in arguments]
        words = [
            word if one.required or word.startswith("[") else f"[{word}]"
            for one, word in zip(arguments, names, strict=True)
        ]
        yield f"```text\n{' '.join(['joust', name, *words, '[OPTIONS]'])}\n```"
        if rows := [_option_row(option) for option in command.params if option.name != "help"]:
            yield markdown.table(("", "default", "meaning"), rows)


_EXIT_1 = (
    (
        "`run`",
        "`--fail-on` found such a match; `sprt` did not accept `elo1`; `better` did not accept the last version",
    ),
    ("`verify`", "a record, table or seed does not agree with the rest"),
    ("`pack`", "a record is damaged and was left as it is"),
    ("`doctor`", "the bot failed a check"),
    ("`rerun`, `compare`", "the matches differ"),
    ("`instances`", "with `--verify`: an instance differs from the manifest"),
    ("`ask`", "the bot gave no valid answer"),
    ("`submit`", "the bot was not admitted"),
)


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
    "DoubleElimination": "format: double_elimination",
    "Stages": "format: stages",
    "Ladder": "format: ladder",
    "Solo": "format: solo",
    "Resolved": "stop: resolved",
    "Sprt": "stop: sprt",
    "Better": "stop: better",
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
_OF_CONTESTS = {
    "ContestSection": "contest",
    "TrackEntry": "contest.tracks[]",
    "GradesEntry": "contest.grades",
    "ThresholdEntry": "contest.grades.thresholds[]",
    "Quotas": "contest.quotas",
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
        yield from _section(place, schemas[name], "key")
    of_contests: dict[str, Schema] = msgspec.json.schema(ContestSection)["$defs"]
    for name, place in _OF_CONTESTS.items():
        yield from _section(place, of_contests[name], "key")


def _section(title: str, schema: Schema, what: str) -> Iterator[str]:
    """Return a section on a struct of a schema, with a table of its keys if it has any."""
    yield f"## {title}"
    yield cleandoc(str(schema.get("description", "")))
    rows = []
    for key, value in schema.get("properties", {}).items():
        is_plain = "default" in value and not isinstance(value["default"], dict)
        default = f"`{json.dumps(value['default'])}`" if is_plain else ""
        if key in schema.get("required", []):
            default = "required"
        rows.append((f"`{key}`", _type_text(value), default, str(value.get("description", ""))))
    if rows:
        yield markdown.table((what, "type", "default", "meaning"), rows)


def _type_text(schema: Schema) -> str:
    """Return what a JSON schema allows, in words."""
    if "anyOf" in schema:
        return " or ".join(_type_text(option) for option in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        title = {**_SECTIONS, **_OF_CONTESTS}.get(name, name)  # the anchor is as the site's table of contents makes it
        anchor = re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", title.lower())).strip("-")
        return f"[{title}](#{anchor})"
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
    is_limited = (
        abs(schema.get("minimum", protocol.MAX_NUMBER)) < protocol.MAX_NUMBER
    )  # what no number reaches says nothing
    limit = f" at least {_number_text(schema['minimum'])}" if is_limited else ""
    return names.get(str(kind), "any value") + limit


def _tables() -> Iterator[str]:
    yield (
        "UTF-8, comma, LF; an empty field is a missing value; flags are 0 or 1; times are UTC. A text that a "
        "spreadsheet would take for a formula (`= + - @` in front) has an apostrophe in front. New columns are only "
        "ever added at the end. *Measured* columns may differ between two runs with identical results. "
        "`datapackage.json` beside the tables says the same to machines; `schedule.json` says how many matches the run "
        "plans (`matches`; the most it can be unless `is_exact`), whether it `is_over`, the bots whose "
        "matches alone it plays (`only`, where `joust run --only` named some), the version of the rule by which "
        "meetings got their seeds (`seed_rule`; 1 if missing), and the `decision` of a "
        "knockout, a Swiss or a ladder, whose order is then that of `standings.csv`. Tables may be read while they are "
        "written: the other tables have every match that `results.csv` has. `tables.seal` says how much of them a run "
        "that goes on may keep. With `tables: parquet`, or 2 million rows, `tables/` has the same columns as Parquet."
    )
    for table in (RESULTS, METRICS, TURNS, STANDINGS, PAIRINGS):
        yield f"## {table.file}"
        key = f" Key: {', '.join(f'`{name}`' for name in table.key)}." if table.key else ""
        yield f"{_sentence(table.description)}{key}"
        yield markdown.table(("column", "type", "meaning"), [_column_row(column) for column in table.columns])
    yield "## Faults"
    yield "What they cost is [explained elsewhere](../explanation/time-and-faults.md#faults)."
    yield markdown.table(("fault", "meaning"), [(f"`{fault.value}`", fault.meaning) for fault in Fault])


def _column_row(column: Column) -> tuple[str, str, str]:
    words = [column.description, _choices(column.choices), "*measured*" if column.is_measured else ""]
    return f"`{column.name}`", column.type, "; ".join(filter(None, words))


def _choices(choices: Sequence[object]) -> str:
    return "one of " + ", ".join(f"`{choice}`" for choice in choices) if choices else ""


def _games() -> Iterator[str]:
    yield "What the games are like is [explained elsewhere](../explanation/games.md)."
    for name in games.game_names():
        spec = games.load_game(name).spec
        rules = f"Rules version {spec.version}, {spec.seats_text} seats, {_words(spec.dynamics.value)}."
        yield f"## {name}"
        yield f"{_sentence(spec.summary)} {rules}"
        rows = [
            (f"`{key}`", f"`{json.dumps(param.default)}`", _param_text(param)) for key, param in spec.params.items()
        ]
        yield markdown.table(("parameter", "default", "meaning"), rows)
        if spec.metrics:
            yield markdown.table(("metric", "better", "meaning"), [_metric_row(*item) for item in spec.metrics.items()])


def _metric_row(name: str, metric: Metric) -> tuple[str, str, str]:
    return f"`{name}`", metric.better or "", metric.help + ("; share of matches" if metric.is_goal else "")


def _param_text(param: Param) -> str:
    bounds = ""
    if param.minimum is not None:
        low = _number_text(param.minimum)
        bounds = f"at least {low}" if param.maximum is None else f"{low} to {_number_text(param.maximum)}"
    return "; ".join(filter(None, [param.help, _choices(param.choices) or bounds]))


def _number_text(number: float) -> str:
    """Return all digits of a whole number.

    >>> _number_text(3_600_000), _number_text(0.5)
    ('3600000', '0.5')
    """
    return f"{number:.0f}" if float(number).is_integer() else f"{number:g}"


def _bots() -> Iterator[str]:
    yield (
        "Built-in bots, named as `bot:` in a tournament file. `*/astar` is that planner's bot in whichever game is "
        "played."
    )
    found = {name: load_bot(name) for name in bot_names()}
    rows = [
        (
            f"`{name}`",
            _words(bot.planner),
            ", ".join(bot.plays) or "every game",
            re.sub(r"(?<=\w)\*", r"\*", str(bot.__doc__).strip().split("\n")[0]),  # two A* would be emphasis
        )
        for name, bot in found.items()
    ]
    yield markdown.table(("bot", "planner", "plays", ""), rows)


def _protocol() -> Iterator[str]:
    yield (
        f"Version {protocol.PROTOCOL}. JSON messages over MQTT 3.1.1. [Write a bot in your language]"
        "(../how-to/bot-in-your-language.md) shows each of them in a real match; `joust schema protocol` prints the "
        "JSON Schema, `joust schema asyncapi` the [AsyncAPI document](../protocol.asyncapi.json)."
    )
    definitions: Mapping[str, Schema] = protocol.json_schema()["$defs"]
    for name, one in definitions.items():
        if one.get("type") == "object":
            yield from _section(name, one, "field")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _words(name: str) -> str:
    return name.replace("_", " ")


_PAGES: Mapping[str, tuple[str, Callable[[], Iterator[str]]]] = {  # file name -> title, and what makes its blocks
    "commands.md": ("Commands", _commands),
    "configuration.md": ("The tournament file", _configuration),
    "tables.md": ("Result tables", _tables),
    "games.md": ("Games and their parameters", _games),
    "bots.md": ("Bots", _bots),
    "protocol.md": ("The wire protocol", _protocol),
    "python.md": ("The Python interface", public_page),
}

PAGES = tuple(_PAGES)
"""File names of all pages that are made."""


def page(name: str) -> str:
    """Return the text of one of the `PAGES`."""
    title, make_blocks = _PAGES[name]
    return "\n\n".join([f"# {title}", NOTE, *make_blocks()]) + "\n"


def main() -> int:
    """Write every page and picture that differs and print its path; return the exit code 0."""
    written = {FOLDER / name: page(name) for name in PAGES}
    drawn = {PICTURES_FOLDER / f"{name}.svg": picture(name) for name in PICTURES}
    for path, text in (written | drawn).items():
        path.parent.mkdir(exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(path, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
