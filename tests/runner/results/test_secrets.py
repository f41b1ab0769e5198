"""Secrets of a results folder: nobody else's while a run lasts, everybody's afterwards, and then never used again."""

from __future__ import annotations

import asyncio
import json
import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
import yaml

from gridjoust.in_process import open_in_process
from gridjoust.runner.config.load import load_played, load_tournament
from gridjoust.runner.plan import PreparedPlan
from gridjoust.runner.results.secrets import FILE, Secrets, load_secrets, open_secrets, publish_secrets, save_secrets
from gridjoust.runner.results.tables.compare import first_difference
from gridjoust.runner.table_sink import Played
from gridjoust.runner.tournament import run_tournament
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.tournament import Settings, planned


def mode(results: Path) -> int:
    return (results / FILE).stat().st_mode & 0o777


def test_a_folder_has_one_key_that_its_owner_alone_can_read_until_it_is_published(tmp_path: Path) -> None:
    assert load_secrets(tmp_path) is None
    opened = open_secrets(tmp_path)
    assert mode(tmp_path) == 0o600
    assert [len(key) for key in opened.keys] == [32]
    assert open_secrets(tmp_path) == load_secrets(tmp_path) == opened
    publish_secrets(tmp_path)
    assert mode(tmp_path) == 0o644
    published = load_secrets(tmp_path)
    assert published is not None
    assert (published.keys, published.published) == (opened.keys, True)
    assert [file.name for file in tmp_path.iterdir()] == [FILE]


def test_two_folders_have_different_keys_and_one_without_secrets_publishes_nothing(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
    assert open_secrets(tmp_path / "a").keys != open_secrets(tmp_path / "b").keys
    publish_secrets(tmp_path)
    assert load_secrets(tmp_path) is None


@pytest.mark.parametrize("how", ["published", "copied"])
def test_a_key_that_others_may_know_is_replaced_and_kept_beside_the_new_one(tmp_path: Path, how: str) -> None:
    first = open_secrets(tmp_path)
    if how == "published":
        publish_secrets(tmp_path)
    else:
        (tmp_path / FILE).chmod(0o644)
    again = open_secrets(tmp_path)
    assert mode(tmp_path) == 0o600
    assert again.keys[1:] == first.keys
    assert again.keys[0] != first.keys[0]
    assert not again.published
    assert open_secrets(tmp_path) == again
    save_secrets(tmp_path, Secrets(seal_key=again.seal_key))
    assert open_secrets(tmp_path).keys == again.keys[:1]


@pytest.mark.parametrize("text", ["", "{}", '{"seal_key": "xyz"}', '{"seal_key": "00"}', "[" * 5000, "\udcff"])
def test_a_damaged_file_is_one_line_with_its_name(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, errors="surrogateescape")
    with pytest.raises(ConfigError, match=r"secret\.json: expected the secrets of a results folder, got: "):
        open_secrets(tmp_path)


CUP = """
tournament: cup
seed: secret
games: [{game: bomber, params: {max_ticks: 12}}]
format: {rounds: 2}
time: {turn_ms: null}
execution: {isolation: none, parallel: 1}
bots: [{name: a, bot: random}, {name: b, bot: random}]
"""


class StoppedError(Exception):
    """The run ends here, as by a kill."""


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    (tmp_path / "cup.yaml").write_text(CUP)
    return tmp_path / "cup.yaml"


def play(
    cup: Path, out: str = "out", *, stop_after: int | None = None, resume: bool = False, overwrite: bool = False
) -> Path:
    """Play it, perhaps up to a match; the results folder."""
    played: list[Played] = []

    async def play_all(plan: PreparedPlan) -> None:
        async with open_in_process(plan) as backend:
            await run_tournament(plan, backend, on_played=hear)

    def hear(match: Played) -> None:
        played.append(match)
        if len(played) == stop_after:
            raise StoppedError

    with planned(cup, out=cup.parent / out, settings=Settings(resume=resume, overwrite=overwrite, trust=True)) as plan:
        try:
            asyncio.run(play_all(plan))
        except* StoppedError:
            assert stop_after is not None
    return cup.parent / out / "cup"


def seed_in(results: Path) -> str:
    return str(yaml.safe_load((results / "tournament.yaml").read_text())["seed"])


def match_ids(results: Path) -> set[str]:
    return {path.stem for path in (results / "records").glob("*.jsonl")}


@pytest.mark.gate
def test_one_file_alone_names_the_seed_and_its_owner_alone_may_read_it_until_the_run_has_ended(cup: Path) -> None:
    results = play(cup, stop_after=2)
    texts = {path.name: path.read_bytes() for path in results.rglob("*") if path.is_file()}
    assert (seed_in(results), (results / FILE).stat().st_mode & 0o777) == ("secret", 0o600)
    play(cup, resume=True)
    seed = seed_in(results)
    assert len(bytes.fromhex(seed)) == 16
    assert [name for name, text in texts.items() if seed.encode() in text] == [FILE]
    assert seed_in(play(cup, "again")) != seed


@pytest.mark.gate
def test_a_run_that_was_cut_short_goes_on_with_its_seed_to_what_the_published_seed_gives(cup: Path) -> None:
    results = play(cup, stop_after=2)
    before = match_ids(results)
    play(cup, resume=True)
    assert len(before) >= 2
    assert before <= match_ids(results)
    assert len(match_ids(results)) == 4
    whole = play(results / "tournament.yaml", "whole")
    assert match_ids(whole) == match_ids(results)
    assert first_difference(whole, results) is None
    assert seed_in(whole) == seed_in(results)


@pytest.mark.gate
def test_going_on_after_the_end_keeps_the_published_seed_and_overwrite_draws_another(cup: Path) -> None:
    results = play(cup)
    seed, ids = seed_in(results), match_ids(results)
    cup.write_text(CUP.replace("rounds: 2", "rounds: 3"))
    with planned(cup, out=cup.parent / "out", settings=Settings(resume=True, trust=True)) as plan:
        assert (plan.loaded.config.seed, plan.is_seed_secret) == (seed, False)
        assert seed_in(results) == seed
    assert ids < match_ids(play(cup, resume=True))
    assert seed_in(results) == seed
    assert match_ids(play(cup, overwrite=True)).isdisjoint(ids)
    assert seed_in(results) != seed


@pytest.mark.default("7-8-was played with seed 7, not with seed 8: --overwrite starts anew")
@pytest.mark.parametrize(
    ("first", "then", "line"),
    [
        ("7", "secret", "was played with seed 7, not with a secret seed: --overwrite starts anew"),
        ("7", "8", "was played with seed 7, not with seed 8: --overwrite starts anew"),
    ],
)
def test_results_are_not_continued_with_another_seed(cup: Path, first: str, then: str, line: str) -> None:
    cup.write_text(CUP.replace("secret", first))
    results = play(cup)
    ids = match_ids(results)
    cup.write_text(CUP.replace("secret", then))
    with pytest.raises(ConfigError, match=f"{re.escape(str(results))} {line}$"):
        play(cup, resume=True)
    assert match_ids(results) == ids
    assert match_ids(play(cup, overwrite=True)).isdisjoint(ids)


@pytest.mark.gate
def test_a_secret_seed_is_not_continued_with_a_number_but_with_itself(cup: Path) -> None:
    results = play(cup, stop_after=2)
    drawn = json.loads((results / FILE).read_text())["seed"]
    cup.write_text(CUP.replace("secret", "7"))
    with pytest.raises(ConfigError, match=r"was played with a secret seed, not with seed 7: --overwrite starts anew"):
        play(cup, resume=True)
    cup.write_text(CUP.replace("secret", f"'{drawn}'"))
    assert seed_in(play(cup, resume=True)) == drawn


@pytest.mark.gate
def test_a_resumed_run_knows_on_which_day_its_seed_was_revealed(cup: Path) -> None:
    results = play(cup, stop_after=2)
    for _ in range(2):
        with planned(cup, out=cup.parent / "out", settings=Settings(resume=True, trust=True)) as plan:
            assert (plan.is_seed_secret, plan.seed_revealed) == (True, "")
    play(cup, resume=True)
    day = json.loads((results / FILE).read_text())["revealed"]
    assert datetime.now(UTC).date() - date.fromisoformat(day) <= timedelta(days=1)
    for _ in range(2):
        with planned(cup, out=cup.parent / "out", settings=Settings(resume=True, trust=True)) as plan:
            assert (plan.is_seed_secret, plan.seed_revealed) == (False, day)


@pytest.mark.gate
def test_results_whose_secret_seed_is_lost_are_not_continued_with_another(cup: Path) -> None:
    results = play(cup, stop_after=2)
    (results / FILE).unlink()
    with pytest.raises(ConfigError, match=r"secret\.json: the seed of these results is missing; --overwrite"):
        play(cup, resume=True)
    assert len(match_ids(play(cup, overwrite=True))) == 4


@pytest.mark.gate
def test_what_needs_the_seed_of_an_unfinished_run_says_so_in_one_line(cup: Path) -> None:
    results = play(cup, stop_after=2)
    with pytest.raises(ConfigError, match=r"tournament\.yaml: the seed is secret until the run ends: finish the run"):
        load_played(results)
    play(cup, resume=True)
    assert load_played(results).seed == seed_in(results)


@pytest.mark.parametrize(
    ("seed", "bot", "expected"),
    [
        ("", "remote: true", "secret"),
        ("seed: 7", "remote: true", 7),
        ("", "bot: random", 0),
    ],
)
def test_remote_bots_make_the_seed_secret_unless_the_file_has_one(
    tmp_path: Path, seed: str, bot: str, expected: object
) -> None:
    text = (
        f"tournament: cup\n{seed}\ngames: [{{game: bomber}}]\nbots: [{{name: a, bot: '*/astar'}}, {{name: b, {bot}}}]\n"
    )
    (tmp_path / "cup.yaml").write_text(text)
    assert load_tournament(tmp_path / "cup.yaml").config.seed == expected
