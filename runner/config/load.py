"""Tournament file -> checked, frozen values, and back. Starts nothing; imports the games it names, but no bot.

Every mistake is a ConfigError of one line: `FILE: KEY PATH: expected ..., got ... (line N)`. The first one is reported.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from runner.config.check_entries import check_bots, check_games
from runner.config.check_format import check_broker, check_format, check_stop, without_password
from runner.config.document import (
    MOST_TEXT,
    TOO_LONG,
    Data,
    Document,
    DocumentError,
    KeyPath,
    format_document,
    format_path,
    parse_document,
)
from runner.config.mistakes import Mistake, find_mistake
from runner.config.programs import programs_of, with_absolute_paths
from runner.config.section import all_keys, choose_kinds, tag_of, unions_of
from runner.config.values import BotEntry, BotInfo, GameEntry, Tournament
from runner.config.variants import MAP_PARAM, RANDOM_MAP, LoadedTournament, variant_name
from runner.seeds import SECRET
from runner.wire.errors import ConfigError

_ALL_KEYS = all_keys(Tournament)


def load_tournament(path: Path, *, known_bots: Mapping[str, BotInfo] | None = None) -> LoadedTournament:
    """The checked tournament of a YAML file; ConfigError names the first mistake.

    `known_bots`: built-in and installed bots by name; None = names are not looked up.
    """
    try:
        document = parse_document(_read_text(path))
    except DocumentError as error:
        raise ConfigError(_line_text(path, error.path, str(error), error.line)) from None
    checks = _check(path, document.data, known_bots)
    try:
        mistake = next(checks)
    except StopIteration as passed:
        loaded: LoadedTournament = passed.value
        return loaded
    raise _refusal(path, document, mistake)


def resolve(loaded: LoadedTournament) -> str:
    """The tournament as YAML text with every default written out, for any folder: `load_tournament` reads it back.

    Paths are absolute. A broker's password is left out: the text lies among results that people share.
    """
    config, folder = loaded.config, loaded.folder
    url = None if config.broker.url is None else without_password(config.broker.url)
    resolved = msgspec.structs.replace(
        config,
        games=tuple(_resolved_entry(entry, loaded) for entry in config.games),
        bots=tuple(_resolved_bot(bot, folder) for bot in config.bots),
        broker=msgspec.structs.replace(config.broker, url=url),
    )
    return format_document(msgspec.to_builtins(resolved))


def config_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of a tournament file, for editors and documentation."""
    schema = msgspec.json.schema(Tournament)
    for kinds in unions_of(Tournament).values():
        for kind in kinds:
            tag_field, tag = tag_of(kind)
            section = schema["$defs"][kind.__name__]
            section["properties"][tag_field]["description"] = section["description"].partition("\n")[0]
            if kind is kinds[0]:  # what a section without the tag is
                section["properties"][tag_field]["default"] = tag
                section["required"].remove(tag_field)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Joust tournament", **schema}


def _read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_TEXT + 1)
        if len(raw) > MOST_TEXT:
            raise ConfigError(_line_text(path, (), TOO_LONG, 1))
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        sentence = f"expected UTF-8 text, got byte {error.object[error.start]:#04x}"
        raise ConfigError(_line_text(path, (), sentence, line)) from None
    except OSError as error:
        raise ConfigError(f"{path}: expected a tournament file, got {_os_reason(error)}") from None


def _os_reason(error: OSError) -> str:
    return "a directory" if isinstance(error, IsADirectoryError) else (error.strerror or str(error)).lower()


def _check(
    path: Path, data: Data, known_bots: Mapping[str, BotInfo] | None
) -> Generator[Mistake, None, LoadedTournament]:
    """Every mistake, in the order in which it matters; returns the tournament where there is none."""
    if data is None:
        yield Mistake((), "a mapping with tournament, games and bots", "an empty file")
    mistake = find_mistake(data, _ALL_KEYS)
    if mistake is not None:
        yield mistake
    chosen, unused = choose_kinds(msgspec.convert(data, dict[str, Any]), Tournament)
    config = msgspec.convert(chosen, Tournament)
    folder = path.absolute().parent
    maps = yield from _read_maps(config, folder)
    variants = yield from check_games(config, maps)
    yield from check_bots(config, variants, folder=folder, known_bots=known_bots)
    yield from check_format(config, variants, unused.get("format", {}))
    yield from check_stop(config, variants, unused.get("stop", {}))
    yield from check_broker(config.broker)
    return LoadedTournament(_with_seed(config, is_given="seed" in chosen), path, variants)


def _with_seed(config: Tournament, *, is_given: bool) -> Tournament:
    """What bots on other machines know cannot be looked into: unless the file has a seed, theirs is secret."""
    is_remote = any(program.remote for bot in config.bots for program in programs_of(bot).values())
    return msgspec.structs.replace(config, seed=SECRET) if is_remote and not is_given else config


def _read_maps(config: Tournament, folder: Path) -> Generator[Mistake, None, dict[str, str]]:
    """Text of every map by the name in the file; a mistake where one cannot be read."""
    maps: dict[str, str] = {}
    for position, entry in enumerate(config.games):
        for place, written in enumerate(entry.maps):
            try:
                maps[written] = "" if written == RANDOM_MAP else (folder / written).read_text(encoding="utf-8")
            except (OSError, ValueError) as error:
                reason = _os_reason(error) if isinstance(error, OSError) else "no UTF-8 text"
                expected = f"{RANDOM_MAP} or a map file (in {folder})"
                yield Mistake(("games", position, "maps", place), expected, f"{written!r}: {reason}")
    return maps


def _refusal(path: Path, document: Document, mistake: Mistake) -> ConfigError:
    written = document.as_written(mistake.path)
    if mistake.is_text_expected and written:
        reading = f", which YAML reads as {mistake.got}" if mistake.got in ("true", "false") else ""
        mistake = replace(mistake, got=f"{written}{reading}: put it in quotes")
    return ConfigError(_line_text(path, mistake.path, mistake.sentence, document.line_of(mistake.path)))


def _line_text(path: Path, at: KeyPath, sentence: str, line: int) -> str:
    """One line, whatever stood in the file."""
    parts = (str(path), format_path(at), sentence) if at else (str(path), sentence)
    return " ".join(": ".join(parts).split()) + f" (line {line})"


def _resolved_entry(entry: GameEntry, loaded: LoadedTournament) -> GameEntry:
    game = next(variant.game for variant in loaded.variants if variant.entry == entry)
    return msgspec.structs.replace(
        entry,
        name=variant_name(entry),
        seats=game.seats,
        params={key: value for key, value in game.params.items() if not entry.maps or key != MAP_PARAM},
        maps=tuple(written if written == RANDOM_MAP else str(loaded.folder / written) for written in entry.maps),
    )


def _resolved_bot(bot: BotEntry, folder: Path) -> BotEntry:
    roles = {role: with_absolute_paths(program, folder=folder) for role, program in bot.roles.items()}
    return msgspec.structs.replace(with_absolute_paths(bot, folder=folder), roles=roles)
