"""The section on what was played, with which limits and versions, and the commands that play it again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

import pandas as pd

from gridjoust.leaderboard.report.blocks import Cell, Column, Commands, ReportTable, Section, line
from gridjoust.leaderboard.report.source import Source
from gridjoust.leaderboard.wording import NARROW, listed, per_cent, plural, whole_number

_SEEDED = ("swiss", "knockout", "double_elimination", "stages", "ladder")
_VERSIONS = ("python", "system", "mosquitto")
_ISOLATION = {
    "auto": "sandboxes where they work, else processes of their own",
    "process": "processes of their own",
    "sandbox": "sandboxes",
    "none": "the runner's process",
}
_LIMITS = {"bank_ms": "bank", "increment_ms": "increment", "start_ms": "start", "grace_ms": "grace"}
_WORK = {"bank_work": "bank", "increment_work": "increment"}

GLOSSARY = (
    (
        "rating",
        "Strength in Elo points from one fit of all matches; the mean of all bots is 0. 100 points more: 64 % to win.",
    ),
    (
        "returns",
        "What the game's rules give a seat at the end, such as a score; more is better. A forfeit loses, or has none.",
    ),
    ("points", "Share of the opponents beaten in a match: 1 for a win, a half for a draw, 0 for a loss."),
    (
        "rivals beaten %",
        "Share of rivals beaten: opponents, or without any the other bots on the same seed; each game counts once.",
    ),
    ("± and 95 % interval", "Holds the true value in 19 of 20 such tournaments; needs at least five pairs or seeds."),
    ("pair", "All matches of the same bots on one seed, seats swapped; errors of ratings count pairs, not matches."),
    ("group", "Letters: bots that share one are not separated at 95 %, all pairs together; their order may be chance."),
    ("pool", "No chain of matches links bots of different pools: places count within a pool."),
    ("P(better)", "How likely a bot is truly better than the next one: its likelihood of superiority (LOS)."),
    ("IQM", "Interquartile mean: the mean over seeds without the best and the worst quarter."),
    ("forfeit", "A loss by faults: late, illegal or malformed answers, a crash, a flood."),
    ("void", "A match spoilt by the machine or the runner; it does not count."),
    ("Pareto front", "The bots for which no other bot is both stronger and cheaper."),
)

Settings = Mapping[str, Any]
_MOST_S = 1e9  # of a tournament: 30 years


def facts_of(source: Source) -> tuple[tuple[str, str], ...]:
    """Return the conditions in short, as (name, text), for the head of the page."""
    results, python = source.results, source.environment.get("python")
    games = results.drop_duplicates("game")[["game", "game_version"]]
    distinct = plural(int(results["seed"].nunique()), "match seed")
    runner = listed([f"joust {version}" for version in sorted(results["runner_version"].unique())])
    facts = [
        ("Format", format_text(source.part("format"), source.part("stop"))),
        ("Decided", source.verdict),
        ("Games", listed([f"{one.game} (rules {one.game_version})" for one in games.itertuples()], most=6)),
        ("Matches", _matches_text(results)),
        ("Seeds", f"{source.config['seed']}, giving {distinct}" if "seed" in source.config else distinct),
        ("Time limits", time_text(source.part("time"))),
        ("Faults", _faults_text(source.part("faults"))),
        ("Bots run in", _isolation_text(source)),
        ("Versions", f"{runner}, Python {python}" if python else runner),
    ]
    return tuple((name, text) for name, text in facts if text)


def conditions_section(source: Source) -> Section:
    """Return the section with the commands to play again, the bots' versions and the software."""
    folder = source.folder.as_posix()
    quoted = shlex.quote(folder)
    config = shlex.quote(f"{folder}/tournament.yaml")
    commands = (
        ("Play the whole tournament again, with every default as it was", f"joust run {config} --out again"),
        ("Check every record and table against the rules", f"joust verify {quoted}"),
        ("Print the standings in a terminal", f"joust leaderboard {quoted}"),
        ("Make this page anew", f"joust report {quoted}"),
    )
    return Section(
        "conditions",
        "How to repeat this",
        "Same seeds, same limits, same bots: deterministic bots play the same matches again, turn by turn.",
        (Commands(commands), _bots_table(source), _software_table(source)),
    )


def glossary_section() -> Section:
    """Return the section that explains the words of the page."""
    lines = tuple(line(word, meaning) for word, meaning in GLOSSARY)
    table = ReportTable(
        "Glossary", (Column("word", "name"), Column("meaning", "text")), lines, css="plain", is_sortable=False
    )
    return Section(
        "glossary", "Glossary", "The words of this page. Point at a heading of a table for its meaning.", (table,)
    )


def format_text(settings: Settings, stop: Settings) -> str:
    """Return a format as text: `round robin, 5 rounds, seats swapped; stops when the winner is known at 95 %, ...`."""
    if not settings:
        return ""
    kind = str(settings.get("type", ""))
    words = [kind.replace("_", " ")]
    if settings.get("max_matches"):
        words.append(f"at most {plural(int(settings['max_matches']), 'match')}")
    elif kind == "stages":
        words.append(f"{plural(int(settings['groups']), 'group')}, then a {str(settings['final']).replace('_', ' ')}")
    elif kind != "knockout" and settings.get("rounds"):
        words.append(plural(int(settings["rounds"]), "round"))
    if kind in _SEEDED:
        words.append("seeded as listed" if settings.get("seeding", "file") == "file" else "seeding drawn by lot")
    elif kind != "solo":
        words.append("seats swapped" if settings.get("swap_seats") else "seats not swapped")
    if settings.get("challengers"):
        words.append(f"challengers {listed(list(map(str, settings['challengers'])))}")
    return "; ".join(filter(None, (", ".join(filter(None, words)), _stop_text(stop))))


def _stop_text(stop: Settings) -> str:
    if not stop:
        return ""
    if stop.get("when") == "sprt":
        question = f"stops when an SPRT decides between Elo {stop.get('elo0')} and {stop.get('elo1')}"
    else:
        goal = {"top": f"the best {stop.get('top')} are", "winner": "the winner is", "order": "the order is"}
        known = goal.get(str(stop.get("goal")), "the answer is")
        question = f"stops when {known} known at {per_cent(float(stop.get('confidence', 0.95)))}"
    words = [question, f"at most {plural(int(stop.get('max_matches', 0)), 'match')}"]
    if stop.get("adaptive") not in (None, "none"):
        words.append(f"adaptive: {stop['adaptive']}")
    return ", ".join(words)


def time_text(settings: Settings) -> str:
    """Return limits as text: `100 ms a turn, start 10 s, grace 50 ms`; for other clocks CPU time or work a turn."""
    if not settings:
        return ""
    turn_ms = settings.get("turn_ms")
    of_clock = " of CPU time" if settings.get("clock") == "cpu" else ""
    words = ["no limit a turn" if turn_ms is None else f"{_limit(turn_ms)}{of_clock} a turn"]
    if settings.get("clock") == "work":
        words = [f"{plural(settings['turn_work'], 'successor')} a turn"]
        words += [f"{name} {plural(settings[key], 'successor')}" for key, name in _WORK.items() if settings.get(key)]
    words += [f"{name} {_limit(settings[key])}" for key, name in _LIMITS.items() if settings.get(key)]
    return ", ".join(words)


def _limit(limit_ms: float) -> str:
    """Format a limit: `100 ms`, `10 s`."""
    return f"{limit_ms / 1000:g}{NARROW}s" if limit_ms >= 1000 else f"{limit_ms:g}{NARROW}ms"


def _matches_text(results: pd.DataFrame) -> str:
    matches = results.drop_duplicates("match_id")
    counted = int(matches["counted"].sum())
    void = len(matches) - counted
    return f"{whole_number(counted)} played" + (f", {whole_number(void)} void" if void else ", none void")


def _faults_text(settings: Settings) -> str:
    if not settings:
        return ""
    return f"{settings.get('on_limit', 'forfeit')} at {plural(int(settings.get('limit', 0)), 'fault')}"


def _isolation_text(source: Source) -> str:
    """Return how bots were isolated, if that is known, else the isolation in the tournament file; and the broker."""
    asked = str(source.part("execution").get("isolation", ""))
    text = str(source.environment.get("isolation", "")) or _ISOLATION.get(asked, asked)
    text = text.replace("bubblewrap", "bubblewrap sandbox")
    return text if asked in ("", "none") else f"{text}; {_broker_text(source)}"


def _broker_text(source: Source) -> str:
    """Return the name of the run's broker; `auto` means mosquitto if the machine has it."""
    use, environment = str(source.part("broker").get("use", "auto")), source.environment
    if use == "auto" and environment:
        use = "mosquitto" if environment.get("mosquitto") else "embedded"
    version = str(environment.get("mosquitto") or "mosquitto").replace("mosquitto version", "mosquitto")
    return {"mosquitto": version, "embedded": "built-in broker", "external": "external broker"}.get(
        use, f"broker: {use}"
    )


def _bots_table(source: Source) -> ReportTable:
    bots = source.results.drop_duplicates(["bot", "bot_hash"]).sort_values(["bot", "bot_hash"], kind="stable")
    known = bots[["bot", "planner", "bot_version", "bot_hash"]].astype(object).fillna("").astype(str)
    lines = [line(*texts, Cell(code, css="code")) for *texts, code in known.itertuples(index=False, name=None)]
    columns = (
        Column("bot", "name"),
        Column("planner", "text"),
        Column("version", "text"),
        Column("code", "text", "Hash of the bot's code, or of its command and options"),
    )
    return ReportTable("Bots and versions", columns, tuple(lines), css="plain")


def _software_table(source: Source) -> ReportTable:
    environment = source.environment
    packages = environment.get("packages")
    found: list[tuple[str, object]] = [(name, environment.get(name)) for name in _VERSIONS]
    if isinstance(packages, Mapping):
        found += list(packages.items())
    lines = [line(name, str(value)) for name, value in found if value is not None]
    return ReportTable("Software", (Column("package", "name"), Column("version", "text")), tuple(lines), css="plain")


def played_text(results: pd.DataFrame) -> str:
    """Return when the matches were played, and the time from the first start to the last end."""
    matches = results.drop_duplicates("match_id")[["started_utc", "duration_ms"]].dropna()
    if matches.empty:
        return ""
    started = matches["started_utc"].min()
    # as floats: a folder from elsewhere may claim spans that no date can hold
    starts_s = matches["started_utc"].astype("datetime64[s, UTC]").astype("int64").astype("float64")
    ends_s = starts_s + matches["duration_ms"] / 1000
    taken_s = min(float(ends_s.max() - starts_s.min()), _MOST_S)
    return f"{started:%d %B %Y, %H:%M} UTC, {_duration(taken_s)}".lstrip("0")


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 120 else f"{minutes / 60:.1f} h"
