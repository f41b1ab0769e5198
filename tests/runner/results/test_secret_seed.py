"""`seed: secret`: nobody reads it while the run lasts; --resume has the same; everybody can check it afterwards."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import yaml

from gridjoust.in_process import open_in_process
from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.config.resolved import load_played
from gridjoust.runner.plan import Played, PreparedPlan
from gridjoust.runner.results.secrets import FILE
from gridjoust.runner.results.tables.compare import first_difference
from gridjoust.runner.tournament import run_tournament
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.tournament import Settings, planned

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


def test_one_file_alone_names_the_seed_and_its_owner_alone_may_read_it_until_the_run_has_ended(cup: Path) -> None:
    results = play(cup, stop_after=2)
    texts = {path.name: path.read_bytes() for path in results.rglob("*") if path.is_file()}
    assert (seed_in(results), (results / FILE).stat().st_mode & 0o777) == ("secret", 0o600)
    play(cup, resume=True)
    seed = seed_in(results)
    assert len(bytes.fromhex(seed)) == 16
    assert [name for name, text in texts.items() if seed.encode() in text] == [FILE]
    assert seed_in(play(cup, "again")) != seed


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


def test_results_on_a_number_get_a_new_secret_seed(cup: Path) -> None:
    cup.write_text(CUP.replace("secret", "7"))
    ids = match_ids(play(cup))
    cup.write_text(CUP)
    results = play(cup, resume=True)
    assert ids < match_ids(results)
    assert len(match_ids(results)) == 2 * len(ids)
    assert (len(seed_in(results)), (results / "unused.txt").read_text().split()) == (32, sorted(ids))


def test_results_whose_secret_seed_is_lost_are_not_continued_with_another(cup: Path) -> None:
    results = play(cup, stop_after=2)
    (results / FILE).unlink()
    with pytest.raises(ConfigError, match=r"secret\.json: the seed of these results is missing; --overwrite"):
        play(cup, resume=True)
    assert len(match_ids(play(cup, overwrite=True))) == 4


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
