"""Tournament file -> checked, frozen values, and back. Starts nothing; imports the games it names, but no bot.

Every mistake is a ConfigError of one line: `FILE: KEY PATH: expected ..., got ... (line N)`. The first one is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

import games
from runner.config.check_bots import check_bots
from runner.config.check_format import check_broker, check_format, without_password
from runner.config.check_games import check_games
from runner.config.check_stop import check_stop
from runner.config.document import Document, DocumentError, KeyPath, format_document, format_path, parse_document
from runner.config.meanings import MEANINGS
from runner.config.mistakes import Mistake, find_mistake
from runner.config.programs import with_absolute_paths
from runner.config.values import BotEntry, BotInfo, GameEntry, LoadedTournament, Tournament
from runner.config.variants import MAP_PARAM, RANDOM_MAP, make_variants, params_on, variant_name
from runner.wire.errors import ConfigError


def load_tournament(path: Path, *, known_bots: Mapping[str, BotInfo] | None = None) -> LoadedTournament:
    """The checked tournament of a YAML file; ConfigError names the first mistake.

    `known_bots`: built-in and installed bots by name; None = names are not looked up.
    """
    try:
        document = parse_document(_read_text(path))
    except DocumentError as error:
        raise ConfigError(_line_text(path, error.path, str(error), error.line)) from None
    mistake = _find_misfit(document)
    if mistake is not None:
        raise _refusal(path, document, mistake)
    config = msgspec.convert(document.data, Tournament)
    maps, mistake = _read_maps(config, path.absolute().parent)
    if mistake is not None:
        raise _refusal(path, document, mistake)
    loaded = LoadedTournament(config=config, source=path, maps=maps)
    for mistake in _check(loaded, known_bots):
        raise _refusal(path, document, mistake)
    return loaded


def resolve(loaded: LoadedTournament) -> str:
    """The tournament as YAML text with every default written out, for any folder: `load_tournament` reads it back.

    Paths are absolute. A broker's password is left out: the text lies among results that people share.
    """
    config, folder = loaded.config, folder_of(loaded)
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
    for name, meanings in MEANINGS.items():
        for key, meaning in meanings.items():
            schema["$defs"][name]["properties"][key]["description"] = meaning
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Joust tournament", **schema}


def folder_of(loaded: LoadedTournament) -> Path:
    """Where the relative paths of the file start."""
    return loaded.source.absolute().parent


def _read_text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            _line_text(path, (), f"expected UTF-8 text, got byte {error.object[error.start]:#04x}", line)
        ) from None
    except OSError as error:
        raise ConfigError(f"{path}: expected a tournament file, got {_os_reason(error)}") from None


def _os_reason(error: OSError) -> str:
    return "a directory" if isinstance(error, IsADirectoryError) else (error.strerror or str(error)).lower()


def _find_misfit(document: Document) -> Mistake | None:
    if document.data is None:
        return Mistake((), "a mapping with tournament, games and bots", "an empty file")
    return find_mistake(document.data, Tournament)


def _read_maps(config: Tournament, folder: Path) -> tuple[dict[str, str], Mistake | None]:
    """Text of every map by the name in the file, and the first one that cannot be read."""
    maps: dict[str, str] = {}
    for position, entry in enumerate(config.games):
        for place, written in enumerate(entry.maps):
            try:
                maps[written] = "" if written == RANDOM_MAP else (folder / written).read_text(encoding="utf-8")
            except (OSError, ValueError) as error:
                reason = _os_reason(error) if isinstance(error, OSError) else "no UTF-8 text"
                expected = f"{RANDOM_MAP} or a map file (in {folder})"
                return maps, Mistake(("games", position, "maps", place), expected, f"{written!r}: {reason}")
    return maps, None


def _check(loaded: LoadedTournament, known_bots: Mapping[str, BotInfo] | None) -> Iterator[Mistake]:
    """Everything that types cannot show, in the order in which a mistake matters."""
    config = loaded.config
    yield from check_games(config, loaded.maps)
    variants = make_variants(loaded)
    yield from check_bots(config, variants, folder=folder_of(loaded), known_bots=known_bots)
    yield from check_format(config, variants)
    yield from check_stop(config, variants)
    yield from check_broker(config.broker)


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
    first = entry.maps[0] if entry.maps else ""
    game = games.make(entry.game, params_on(entry, first, loaded.maps), seats=entry.seats)
    folder = folder_of(loaded)
    return msgspec.structs.replace(
        entry,
        name=variant_name(entry),
        seats=game.seats,
        params={key: value for key, value in game.params.items() if not entry.maps or key != MAP_PARAM},
        maps=tuple(written if written == RANDOM_MAP else str(folder / written) for written in entry.maps),
    )


def _resolved_bot(bot: BotEntry, folder: Path) -> BotEntry:
    roles = {role: with_absolute_paths(program, folder=folder) for role, program in bot.roles.items()}
    return msgspec.structs.replace(with_absolute_paths(bot, folder=folder), roles=roles)
