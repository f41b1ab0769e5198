"""Loads a tournament file into checked, frozen values, and writes them back. Imports the games it names, but no bot.

A ConfigError has one mistake a line: `FILE: KEY PATH: expected ..., got ... (line N)`. All mistakes of a file are
reported together, except those that follow from others: where types are wrong, only the games and bots whose types fit
are looked at; how format and bots go together is checked once games and bots are known.

The resolved file in a results folder is the tournament that was played, with every default written out.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Collection, Container, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from gridjoust.runner.config.bot_files import Entries, with_class, without_excluded
from gridjoust.runner.config.check_entries import check_bots, check_games, check_starts
from gridjoust.runner.config.check_format import (
    check_broker,
    check_execution,
    check_format,
    check_stop,
    without_password,
)
from gridjoust.runner.config.document import (
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
from gridjoust.runner.config.formats import all_keys, choose_kinds, tag_of, unions_of
from gridjoust.runner.config.mistakes import NO_KEY, Mistake, find_mistakes, nearest
from gridjoust.runner.config.programs import programs_of, split_path, with_absolute_paths
from gridjoust.runner.config.values import BotEntry, BotInfo, BrokerConfig, GameEntry, Tournament
from gridjoust.runner.config.variants import MAP_PARAM, RANDOM_MAP, LoadedTournament, Variant, variant_name
from gridjoust.runner.seeds import SECRET
from gridjoust.runner.wire.errors import ConfigError

T = TypeVar("T")

MOST_MISTAKES = 10  # the most mistakes that are shown
_ALL_KEYS = all_keys(Tournament)


def load_tournament(
    path: Path,
    *,
    known_bots: Mapping[str, BotInfo] | None = None,
    strict: bool = True,
    may_lack_files: bool = False,
    resumed_in: Path | None = None,
) -> LoadedTournament:
    """Load and check a tournament from a YAML file; a ConfigError lists the mistakes, one a line.

    `known_bots`: built-in and installed bots by name; None = names are not checked. With `strict`, a bot whose files
    show that it cannot start is a mistake. Without, it is listed in `broken`, unless every bot is. A file that does not
    exist is a mistake in both cases unless `may_lack_files`, or unless the run that is resumed had it: `resumed_in` is
    the folder of results folders.
    """
    checks = _Checks(path, known_bots, strict=strict, may_lack_files=may_lack_files, resumed_in=resumed_in)
    return _checked(path, read_document(path), checks)


def read_document(path: Path) -> Document:
    """Read a YAML file; a ConfigError names the line at which it is none."""
    try:
        return parse_document(_read_text(path))
    except DocumentError as error:
        raise ConfigError(_line_text(path, error.path, str(error), error.line)) from None


def check_document(path: Path, document: Document, *, known_bots: Mapping[str, BotInfo]) -> LoadedTournament:
    """Return the tournament in a document that was read from `path`, checked as strictly as by `load_tournament`."""
    return _checked(path, document, _Checks(path, known_bots))


def _checked(path: Path, document: Document, checks: _Checks) -> LoadedTournament:
    try:
        config, variants = checks.run(document.data)
    except MistakesError as refused:
        raise refusal(path, document, refused.mistakes) from None
    broken, excluded, notes = checks.broken, checks.excluded, checks.notes
    return LoadedTournament(config, path, variants, broken, excluded, notes, is_strict=checks.strict)


def resolve(loaded: LoadedTournament) -> str:
    """Return the tournament as YAML text with every default written out; `load_tournament` reads it in any folder.

    Paths are absolute. A broker's password is left out, as people share the results folder with the text.
    """
    config, folder = loaded.config, loaded.folder
    bots = (*config.bots, *loaded.excluded)
    url = None if config.broker.url is None else without_password(config.broker.url)
    resolved = msgspec.structs.replace(
        config,
        games=tuple(_resolved_entry(entry, loaded) for entry in config.games),
        bots=tuple(_resolved_bot(bot, folder) for bot in bots),
        broker=msgspec.structs.replace(config.broker, url=url),
    )
    data = msgspec.to_builtins(resolved)
    del data["entries"]  # they are bots now
    if not config.exclude:
        del data["exclude"]
    for bot in data["bots"]:
        if bot["number"] is None:
            del bot["number"]
    return format_document(data)


def config_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a tournament file, for editors and documentation."""
    schema = msgspec.json.schema(Tournament)
    for kinds in unions_of(Tournament).values():
        for kind in kinds:
            tag_field, tag = tag_of(kind)
            section = schema["$defs"][kind.__name__]
            section["properties"][tag_field]["description"] = section["description"].partition("\n")[0]
            if kind is kinds[0]:  # the kind of a section without the tag
                section["properties"][tag_field]["default"] = tag
                section["required"].remove(tag_field)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Joust tournament", **schema}


def _read_text(path: Path) -> str:
    if path.suffix == ".py" and path.is_file():
        raise ConfigError(
            f"{path}: expected a tournament file (YAML), got a Python file; to test a bot: joust doctor {path}"
        )
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
    except FileNotFoundError:
        raise ConfigError(f"file not found: {path}{_meant(path)}") from None
    except OSError as error:
        raise ConfigError(f"{path}: expected a tournament file, got {_os_reason(error)}") from None


def _meant(path: Path) -> str:
    """Return a question that names the YAML file beside a missing one with the nearest name; "" without one."""
    beside = {file.stem: file for file in sorted(path.parent.glob("*.y*ml"))}
    meant = beside.get(nearest(path.stem, beside))
    return "" if meant is None else f"; did you mean {meant}?"


def _os_reason(error: OSError) -> str:
    return "a directory" if isinstance(error, IsADirectoryError) else (error.strerror or str(error)).lower()


class MistakesError(Exception):
    """Raised with the mistakes of a tournament file, the most important first."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        super().__init__()
        self.mistakes = list({mistake.path: mistake for mistake in reversed([*mistakes])}.values())[::-1]  # one a place


class _Checks:
    """Checks plain data step by step and makes a tournament of it; a step runs only if those before it pass."""

    def __init__(
        self,
        path: Path,
        known_bots: Mapping[str, BotInfo] | None,
        *,
        strict: bool = True,
        may_lack_files: bool = False,
        resumed_in: Path | None = None,
    ) -> None:
        self.broken: dict[str, str] = {}  # filled by `run`, as the next two
        self.excluded: tuple[BotEntry, ...] = ()
        self.notes: tuple[str, ...] = ()
        self.strict = strict
        self._folder = path.absolute().parent
        self._entries = Entries("", self._folder)
        self._known_bots = known_bots
        self._may_lack_files = may_lack_files
        self._resumed_in = resumed_in

    def run(self, data: Data) -> tuple[Tournament, tuple[Variant, ...]]:
        """Return the tournament and its variants; a MistakesError lists what is wrong."""
        if data is None:
            raise MistakesError([Mistake((), "a mapping with tournament, games and bots", "an empty file")])
        if misfits := list(find_mistakes(data, _ALL_KEYS)):
            raise MistakesError([*misfits, *self._in_what_fits(data, misfits)])
        chosen, unused = choose_kinds(msgspec.convert(data, dict[str, Any]), Tournament)
        config = msgspec.convert(chosen, Tournament)
        config, mistakes = self._with_entries(config)
        variants, misplaced = self._check_games_and_bots(config)
        mistakes += misplaced
        are_counted = all(one.path[0] == "bots" and one.path[1:] for one in mistakes)  # else the format may seem wrong
        bots, self.excluded = without_excluded(config.bots, config.exclude)
        config = msgspec.structs.replace(config, bots=bots)
        if are_counted:
            mistakes += check_format(config, variants, unused.get("format", ()))
            mistakes += check_stop(config, variants, unused.get("stop", ()))
        mistakes += [*check_broker(config.broker), *check_execution(config)]
        if mistakes:
            raise MistakesError(mistakes)
        return _with_seed(_with_classes(config, self._folder), is_given="seed" in chosen), variants

    def _with_entries(self, config: Tournament) -> tuple[Tournament, list[Mistake]]:
        """Return the tournament with the bots that `entries` finds, and the mistakes in that."""
        if config.entries is None:
            is_empty = not config.bots
            return config, [Mistake(("bots",), "a list with at least one entry", NO_KEY)] if is_empty else []
        self._entries = Entries.find(config.entries, self._folder, written=len(config.bots))
        self.notes = self._entries.notes()
        if mistakes := [*self._entries.check()]:
            return msgspec.structs.replace(config, exclude={}), mistakes  # a name to exclude may be among them
        return msgspec.structs.replace(config, bots=(*config.bots, *self._entries.bots)), []

    def _check_games_and_bots(
        self, config: Tournament, *, has_other_games: bool = False, has_other_bots: bool = False
    ) -> tuple[tuple[Variant, ...], list[Mistake]]:
        """Return the variants of the games, and the mistakes in maps, games and bots.

        `has_other_games`, `has_other_bots`: the file has further ones, whose types do not fit.
        """
        maps, mistakes = _drained(_read_maps(config, self._folder))
        variants: tuple[Variant, ...] = ()
        if not mistakes:
            variants, mistakes = _drained(check_games(config, maps))
        are_complete = not mistakes and not has_other_games
        mistakes += check_bots(
            config, variants, folder=self._folder, known_bots=self._known_bots, are_complete=are_complete
        )
        mistakes += self._look_at_starts(config, has_others=has_other_bots)
        return variants, [*self._entries.placed(mistakes)]

    def _in_what_fits(self, data: Data, misfits: Sequence[Mistake]) -> Iterator[Mistake]:
        """Yield further mistakes in a file that has values of wrong types (`misfits`).

        Games and bots are checked if their own types are right. Of other bots, only the files are.
        """
        refused = {misfit.path[:2] for misfit in misfits}
        games, game_places = _fitting(data, "games", GameEntry, refused)
        bots, bot_places = _fitting(data, "bots", BotEntry, refused)
        name = data.get("tournament") if isinstance(data, dict) else None
        config = Tournament(tournament=name if isinstance(name, str) else "", games=games, bots=bots)
        if isinstance(data, dict) and "broker" in data and not any(path[:1] == ("broker",) for path in refused):
            yield from check_broker(msgspec.convert(data["broker"], BrokerConfig))
        sections = {path[0] for path in refused if path}
        _, mistakes = self._check_games_and_bots(
            config, has_other_games="games" in sections, has_other_bots="bots" in sections
        )
        for mistake in mistakes:
            section, position, *rest = mistake.path
            places = game_places if section == "games" else bot_places
            yield replace(mistake, path=(section, places[int(position)], *rest))
        parts, part_places = _fitting_parts(data, misfits)
        for mistake in self._look_at_starts(msgspec.structs.replace(config, bots=parts), has_others=True):
            section, position, *rest = mistake.path
            yield replace(mistake, path=(section, part_places[int(position)], *rest))

    def _look_at_starts(self, config: Tournament, *, has_others: bool) -> list[Mistake]:
        """Note the bots that cannot start; return the reasons as mistakes if the check is strict, or no bot can start.

        Otherwise return only missing files, unless these are allowed. `has_others`: another bot may be able to start.
        """
        problems = [
            (bot.name, mistake)
            for place, bot in enumerate(config.bots)
            if bot.name not in config.exclude
            for mistake in check_starts(bot, ("bots", place), folder=self._folder)
        ]
        for name, mistake in problems:
            self.broken.setdefault(name, mistake.recorded)
        playing = sum(bot.name not in config.exclude for bot in config.bots)
        if self.strict or (len(self.broken) == playing and not has_others):
            return [one for _, one in problems]
        excused = self._resumed(config)
        return [one for name, one in problems if one.is_missing and not self._may_lack_files and name not in excused]

    def _resumed(self, config: Tournament) -> set[str]:
        """Return the names of the bots that the resumed run had with the same files, which may be gone by now."""
        results = None if self._resumed_in is None else self._resumed_in / config.tournament
        if results is None or (results / RESOLVED).is_symlink() or not (results / RESOLVED).is_file():
            return set()  # a link is refused later, and not followed before
        had = [_files_of(bot) for bot in load_resolved(results).bots]
        return {bot.name for bot in config.bots if _files_of(_resolved_bot(bot, self._folder)) in had}


def _fitting(
    data: Data, section: str, kind: type[T], refused: Container[KeyPath]
) -> tuple[tuple[T, ...], Sequence[int]]:
    """Return the entries of a section (`games` or `bots`) whose types are right, and their positions in the section."""
    entries = data.get(section) if isinstance(data, dict) else None
    if not isinstance(entries, list):
        return (), ()
    places = [place for place in range(len(entries)) if (section, place) not in refused]
    return tuple(msgspec.convert(entries[place], kind) for place in places), places


def _fitting_parts(data: Data, misfits: Sequence[Mistake]) -> tuple[tuple[BotEntry, ...], Sequence[int]]:
    """Return the bots that have misfits, without these keys, and their positions; leave out what is still no bot."""
    wrong = {misfit.path[:3] for misfit in misfits}
    entries = data.get("bots") if isinstance(data, dict) else None
    bots: list[BotEntry] = []
    places: list[int] = []
    for place, entry in enumerate(entries if isinstance(entries, list) else ()):
        keys = [path[2] for path in wrong if path[:2] == ("bots", place) and len(path) > 2]
        if keys and isinstance(entry, dict):
            with contextlib.suppress(msgspec.ValidationError):
                fitting = {key: value for key, value in entry.items() if key not in keys}
                bots.append(msgspec.convert({"name": "x", **fitting}, BotEntry))
                places.append(place)
    return tuple(bots), places


def _files_of(bot: BotEntry) -> tuple[str, list[tuple[str, tuple[str, ...], tuple[str, ...]]]]:
    """Return the name of a resolved bot, and of each of its programs the files that must exist before it starts."""
    programs = programs_of(bot).values()
    return bot.name, [(split_path(one.path or "")[0], (one.command or ())[:1], one.build[:1]) for one in programs]


def _drained(checks: Generator[Mistake, None, T]) -> tuple[T, list[Mistake]]:
    """Run a generator of checks to its end; return its result and every mistake that it yields."""
    mistakes: list[Mistake] = []
    while True:
        try:
            mistakes.append(next(checks))
        except StopIteration as passed:
            return passed.value, mistakes


def _with_seed(config: Tournament, *, is_given: bool) -> Tournament:
    """Make the seed secret if a bot is remote and the file has no seed, as Joust cannot check what that bot knows."""
    is_remote = any(program.remote for bot in config.bots for program in programs_of(bot).values())
    return msgspec.structs.replace(config, seed=SECRET) if is_remote and not is_given else config


def _with_classes(config: Tournament, folder: Path) -> Tournament:
    """Add the class to each `path` that names only a file, if that file has one bot."""
    bots = []
    for bot in config.bots:
        roles = {role: with_class(program, folder) for role, program in bot.roles.items()}
        bots.append(with_class(msgspec.structs.replace(bot, roles=roles), folder))
    return msgspec.structs.replace(config, bots=tuple(bots))


def _read_maps(config: Tournament, folder: Path) -> Generator[Mistake, None, dict[str, str]]:
    """Read the map files of the tournament: return their texts by name; yield a mistake for each unreadable file."""
    maps: dict[str, str] = {}
    for position, entry in enumerate(config.games):
        for place, written in enumerate(entry.maps):
            try:
                maps[written] = "" if written == RANDOM_MAP else read_map(folder / written)
            except (OSError, ValueError) as error:
                reason = _os_reason(error) if isinstance(error, OSError) else str(error)
                expected = f"{RANDOM_MAP} or a map file (in {folder})"
                yield Mistake(("games", position, "maps", place), expected, f"{written!r}: {reason}")
    return maps


def refusal(path: Path, document: Document, mistakes: Sequence[Mistake]) -> ConfigError:
    """Return the error that lists the mistakes of a document, one a line, each with its place."""
    lines = [_mistake_line(path, document, mistake) for mistake in mistakes[:MOST_MISTAKES]]
    more = len(mistakes) - MOST_MISTAKES
    return ConfigError("\n".join([*lines, *([f"{path}: {more} more mistakes"] if more > 0 else [])]))


def read_map(file: Path) -> str:
    """Return a map's text, followed by its queries from the file `NAME.map.scen` beside it.

    OSError if a file cannot be read; ValueError if it is not UTF-8 text or has only queries of other maps.
    """
    from gridjoust.games.navigation.movingai import read_text  # noqa: PLC0415 - few tournaments have maps in files

    text, queries = read_text(file), read_queries(file)
    gap = "" if text.endswith("\n") else "\n"
    return text if queries is None else text + gap + queries[0]


def read_queries(file: Path) -> tuple[str, Counter[str]] | None:
    """Return a map's pathfinding queries (start, goal) from the file `NAME.scen` beside it; None without such a file.

    The second part counts, by map name, the rows of other maps, which are left out.
    """
    queries = file.with_name(f"{file.name}.scen")
    if not queries.is_file():
        return None
    from gridjoust.games.navigation.movingai import named, own_queries, read_text  # noqa: PLC0415 - as above

    return named(str(queries), lambda: own_queries(read_text(queries), file.name))


def _mistake_line(path: Path, document: Document, mistake: Mistake) -> str:
    written = document.as_written(mistake.path)
    if mistake.is_text_expected and written:
        reading = f", which YAML reads as {mistake.got}" if mistake.got in ("true", "false") else ""
        mistake = replace(mistake, got=f"{written}{reading}: put it in quotes")
    return _line_text(path, mistake.path, mistake.sentence, document.line_of(mistake.path))


def _line_text(path: Path, at: KeyPath, sentence: str, line: int) -> str:
    """Join place, sentence and line number into one line; line ends in the file's text become spaces."""
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


RESOLVED = "tournament.yaml"  # in a results folder
_NOT_OF_ONE_MATCH = ("format", "stop")  # sections that no single match needs; earlier versions had other keys in them


def load_played(results: Path) -> Tournament:
    """Load the tournament of a results folder, seed included; ConfigError while its seed is secret."""
    config = load_resolved(results)
    if config.seed == SECRET:
        raise ConfigError(
            f"{results / RESOLVED}: the seed is secret until the run ends: finish the run (--resume) first"
        )
    return config


def load_resolved(results: Path) -> Tournament:
    """Load the tournament of a results folder without its format and stop rule."""
    return _load(results, without=_NOT_OF_ONE_MATCH)


def load_whole(results: Path) -> Tournament:
    """Load the tournament of a results folder, format and stop rule included; ConfigError if they are too old."""
    return _load(results)


def _load(results: Path, without: Collection[str] = ()) -> Tournament:
    file = results / RESOLVED
    try:
        data = parse_document(file.read_text(encoding="utf-8")).data
        if isinstance(data, dict):
            data = {key: value for key, value in data.items() if key not in without}
        config = msgspec.convert(data, Tournament)
        return msgspec.structs.replace(config, bots=without_excluded(config.bots, config.exclude)[0])
    except FileNotFoundError:
        raise ConfigError(f"{results}: not a results folder: it has no {RESOLVED}") from None
    except (DocumentError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: expected a resolved tournament, got: {error}") from None
