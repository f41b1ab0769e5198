"""Bots found in Python files, the files that `entries` names, and the bots that `exclude` keeps out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gridjoust.runner.config.load import RESOLVED, load_resolved, load_tournament, resolve
from gridjoust.runner.config.variants import LoadedTournament
from gridjoust.runner.engines.job import load_job, make_job
from gridjoust.runner.schedule import make_schedule
from gridjoust.runner.wire.errors import ConfigError
from tests.runner.config.tiny_games import only_tiny_games  # noqa: F401 - autouse

BOT = "import gridjoust as joust\nclass Mine(joust.Bot):\n    def act(self, observation): return 'pass'\n"
CUP = "tournament: cup\ngames: [{game: duel}]\n"
ENTRIES = f"{CUP}entries: submissions/*/bot.py\n"


def submit(folder: Path, **texts: str) -> None:
    """Write a bot file for each person."""
    for name, text in texts.items():
        (folder / "submissions" / name).mkdir(parents=True, exist_ok=True)
        (folder / "submissions" / name / "bot.py").write_text(text)


def load(folder: Path, text: str, *, strict: bool = False) -> LoadedTournament:
    (folder / "cup.yaml").write_text(text)
    return load_tournament(folder / "cup.yaml", strict=strict)


def refusal(folder: Path, text: str, *, strict: bool = False) -> str:
    with pytest.raises(ConfigError) as caught:
        load(folder, text, strict=strict)
    return str(caught.value).replace(f"{folder}/cup.yaml", "cup.yaml").replace(str(folder), "FOLDER")


def ids(loaded: LoadedTournament, *, without: str = "") -> set[str]:
    """The matches, but for those of one bot."""
    return {one.match_id for one in make_schedule(loaded) if without not in [entrant.bot for entrant in one.entrants]}


def test_each_file_is_a_bot_with_the_name_of_its_folder_after_the_listed_ones(tmp_path: Path) -> None:
    submit(tmp_path, ben=BOT, ada=BOT.replace("Mine", "Ada"))
    loaded = load(tmp_path, f"{ENTRIES}bots: [{{name: house, bot: random}}]\n")
    assert [(bot.name, bot.path) for bot in loaded.config.bots] == [
        ("house", None),
        ("ada", "submissions/ada/bot.py:Ada"),
        ("ben", "submissions/ben/bot.py:Mine"),
    ]


@pytest.mark.parametrize(
    ("pattern", "file", "name"),
    [
        ("bots/*.py", "bots/ada.py", "ada"),
        ("in/*/src/bot.py", "in/ada/src/bot.py", "ada"),
        ("in/**/bot.py", "in/group/ada/bot.py", "ada"),
        ("in/ada/bot.py", "in/ada/bot.py", "ada"),
        ("FOLDER/in/*/bot.py", "in/ada/bot.py", "ada"),
    ],
)
def test_a_name_is_what_the_last_wildcard_matches(tmp_path: Path, pattern: str, file: str, name: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text(BOT)
    loaded = load(
        tmp_path, f"{CUP}bots: [{{name: x, bot: random}}]\nentries: {pattern}\n".replace("FOLDER", f"{tmp_path}")
    )
    assert loaded.config.bots[1].name == name


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "bot.py contains no bot class; start with `class MyBot(joust.Bot):`"),
        (
            "class Mine:\n    def act(self, o): ...",
            "bot.py contains no bot class; change it to `class Mine(joust.Bot):`",
        ),
        (
            BOT + BOT.replace("Mine", "Other"),
            "bot.py contains several bots (Mine, Other): name one of them, such as bot.py:Mine",
        ),
        ("def act(:", "syntax error in bot.py line 1: invalid syntax"),
        ("(" * 500, "syntax error in bot.py line 1: too many nested parentheses"),
    ],
)
def test_a_file_without_one_bot_class_forfeits_with_a_reason_or_is_refused_if_strict(
    tmp_path: Path, text: str, reason: str
) -> None:
    submit(tmp_path, ada=BOT, ben=text, cem=BOT)
    assert load(tmp_path, ENTRIES).broken == {"ben": reason}
    line = f"cup.yaml: entries['submissions/ben/bot.py']: {reason} (line 3)"
    assert refusal(tmp_path, ENTRIES, strict=True) == line


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ("entries: missing/*/bot.py", "entries: no file matches 'missing/*/bot.py' (in FOLDER) (line 3)"),
        (
            "entries: submissions/*/*",
            "entries: expected a pattern of Python files, such as submissions/*/bot.py, got 'submissions/*/*' (line 3)",
        ),
        (
            "entries: submissions/*/bot.py\nbots: [{name: ada, bot: random}]",
            "entries['submissions/ada/bot.py']: expected a name of its own for each bot, got a second 'ada' (line 3)",
        ),
        (
            "entries: '*/*/bot.py'",
            (
                "entries['submissions/zoë/bot.py']: expected a folder with a name of 1 to 64 letters, digits, - and _,"
                " got 'zoë' (line 3)"
            ),
        ),
        ("bots: []", "bots: expected a list with at least one entry, got an empty list (line 3)"),
        ("seed: 1", "bots: expected a list with at least one entry, got nothing: the key is required (line 1)"),
        (
            "entries: submissions/*/bot.py\nexclude: {adda: why}",
            "exclude.adda: expected ada, got an unknown bot (line 4)",
        ),
        (
            "entries: submissions/*/bot.py\nexclude: {ada: ''}",
            "exclude.ada: expected text of 1 to 200 letters, got '' (line 4)",
        ),
        (
            "bots: [{name: a, bot: random, number: 1}, {name: b, bot: random}]",
            "bots[1].number: expected a number of its own for each bot, got a second 1 (line 3)",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, more: str, line: str) -> None:
    submit(tmp_path, ada=BOT, ben=BOT, **({"zoë": BOT} if "'*/" in more else {}))
    assert refusal(tmp_path, f"{CUP}{more}\n") == f"cup.yaml: {line}"


def test_a_folder_without_a_bot_is_named(tmp_path: Path) -> None:
    submit(tmp_path, ada=BOT, ben=BOT)
    assert load(tmp_path, ENTRIES).notes == ()
    (tmp_path / "submissions" / "cem").mkdir()
    (tmp_path / "submissions" / "__pycache__").mkdir()
    assert load(tmp_path, ENTRIES).notes == ("entries: no bot.py in submissions/cem/",)


def test_a_late_submission_and_one_that_is_gone_change_no_other_match(tmp_path: Path) -> None:
    submit(tmp_path, ben=BOT, cem=BOT, dee=BOT)
    before = ids(load(tmp_path, ENTRIES))
    submit(tmp_path, ada=BOT)
    after = load(tmp_path, ENTRIES)
    assert before == ids(after, without="ada") < ids(after)


def excluding(text: str) -> Callable[[Path], LoadedTournament]:
    return lambda folder: load(folder, f"{text}exclude: {{ben: 'copied from ada'}}\n")


BOTS = f"{CUP}bots: [{{name: ada, bot: random}}, {{name: ben, bot: random}}, {{name: cem, bot: random}}]\n"


@pytest.mark.parametrize("text", [ENTRIES, BOTS])
def test_an_excluded_bot_does_not_play_and_the_others_play_the_same_matches(tmp_path: Path, text: str) -> None:
    submit(tmp_path, ada=BOT, ben=BOT, cem=BOT)
    everyone, loaded = load(tmp_path, text), excluding(text)(tmp_path)
    assert [bot.name for bot in loaded.config.bots] == ["ada", "cem"]
    assert ids(loaded) == ids(everyone, without="ben")
    assert len(ids(loaded)) == 2
    schedule = make_schedule(loaded)
    assert schedule.planned is not None
    assert schedule.planned.excluded == {"ben": "copied from ada"}


def test_an_excluded_file_need_not_be_a_bot_but_the_last_bot_must_start(tmp_path: Path) -> None:
    submit(tmp_path, ada=BOT, ben="", cem=BOT)
    assert excluding(ENTRIES)(tmp_path).broken == {}
    submit(tmp_path, ada="", cem="")
    assert "contains no bot class" in refusal(tmp_path, f"{ENTRIES}exclude: {{ben: late}}\n")


@pytest.mark.parametrize("text", [ENTRIES, BOTS])
def test_the_resolved_file_plays_the_same_matches_and_keeps_the_excluded(tmp_path: Path, text: str) -> None:
    submit(tmp_path, ada=BOT, ben=BOT, cem=BOT)
    loaded = excluding(text)(tmp_path)
    results = tmp_path / "results"
    results.mkdir()
    (results / RESOLVED).write_text(resolve(loaded))
    again = load_tournament(results / RESOLVED)
    assert ids(again) == ids(loaded)
    assert [bot.name for bot in again.excluded] == ["ben"]
    assert resolve(again) == resolve(loaded)
    assert load_resolved(results).bots == again.config.bots


def test_workers_get_the_same_matches_without_the_files_of_others(tmp_path: Path) -> None:
    submit(tmp_path, ada=BOT, ben=BOT, cem=BOT)
    loaded = excluding(ENTRIES)(tmp_path)
    job, files = make_job(loaded)
    again = load_job(job, tmp_path / "worker", lambda digest: files[digest].read_bytes(), known_bots={})
    assert ids(again) == ids(loaded)
    assert sorted(Path(file.path).parent.name for file in job.files) == ["ada", "cem"]
