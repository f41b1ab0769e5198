"""Bids race over real brokers: no late bid is lost, no fault is dealt out, the record verifies."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from runner.record.file import list_records, read_record
from runner.tables import load
from tests.joust_here import joust

pytestmark = pytest.mark.e2e

CUP = """
tournament: bids
seed: 4
games: [{game: ricochet, seats: 4, params: {chips: 17, sand_s: 0.1, think_s: 5.0}}]
format: {swap_seats: false}
time: {start_ms: 30000}
broker: {use: BROKER}
bots:
  - {name: a, bot: ricochet/astar}
  - {name: b, bot: ricochet/beam}
  - {name: c, bot: ricochet/dijkstra_map}
  - {name: d, bot: ricochet/dstar_lite}
"""


@pytest.mark.parametrize(
    "broker",
    [
        pytest.param(
            "mosquitto",
            marks=pytest.mark.skipif(shutil.which("mosquitto") is None, reason="mosquitto is not on PATH"),
        ),
        "embedded",
    ],
)
def test_four_bots_bid_against_the_sand(broker: str, tmp_path: Path) -> None:
    (tmp_path / "bids.yaml").write_text(CUP.replace("BROKER", broker))
    done = joust("run", "bids.yaml", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    results = load(tmp_path / "results" / "bids").results
    assert set(results["termination"]) == {"completed"}
    assert results["faults"].sum() == 0
    chips = load(tmp_path / "results" / "bids").metrics.query("metric == 'chips'")["value"]
    assert chips.sum() == 17  # every target of the pool was won
    [path] = list_records(tmp_path / "results" / "bids")
    bids = [text for line in read_record(path).lines for text in getattr(line, "actions", {}).values()]
    assert any(text.startswith("bid ") for text in bids)
    assert any(text.startswith("solve ") for text in bids)
    assert joust("verify", "results/bids", folder=tmp_path).returncode == 0
