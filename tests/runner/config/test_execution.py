"""Where matches are played: what a tournament file may say, and what cannot be played elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.wire.errors import ConfigError

CUP = """
tournament: cup
games: [{game: bomber}]
execution: {EXECUTION}
bots: [{name: a, bot: random}, {name: b, OTHER}]
"""
MISTAKES = {
    "address: 'tcp://x:1'": "execution.address: used only with `where: dask`: remove it",
    "where: workers, workers: 2": "execution.workers: used only with `where: dask`: remove it",
    "where: dask, listen: 'a:1'": "execution.listen: used only with `where: workers`: remove it",
    "where: dask, address: 'tcp://x:1', workers: 2": "execution.workers: not used with `address`",
    "where: workers, listen: '8711'": "execution.listen: expected host:port, got '8711'",
    "where: workers, views: true": "execution.views: expected false, as matches on workers cannot be watched, got true",
}


def load(folder: Path, execution: str, other: str = "bot: random") -> str:
    file = folder / "cup.yaml"
    file.write_text(CUP.replace("EXECUTION", execution).replace("OTHER", other))
    return load_tournament(file).config.execution.where


@pytest.mark.parametrize("execution", MISTAKES)
def test_keys_that_do_not_fit_are_named(execution: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as refused:
        load(tmp_path, execution)
    assert MISTAKES[execution] in str(refused.value)


@pytest.mark.parametrize("execution", ["where: dask, workers: 2", "where: workers, listen: '0.0.0.0:8711'"])
def test_keys_that_fit_are_taken(execution: str, tmp_path: Path) -> None:
    assert load(tmp_path, execution) == execution.split()[1].strip(",")


def test_remote_bots_play_where_they_can_connect(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="expected local, as remote bots connect to this machine"):
        load(tmp_path, "where: dask", "remote: true")
    assert load(tmp_path, "where: local", "remote: true") == "local"
