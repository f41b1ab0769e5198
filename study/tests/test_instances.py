"""The choice of the citable instances: from the same seeds come the rows of the manifest."""

from __future__ import annotations

from itertools import islice
from unittest.mock import patch

import pytest

from gridjoust.instances import manifest
from study import instances


@pytest.mark.parametrize("name", ["caves-32", "placement-1", "heroquest-vault", "eidolon-sim2"])
def test_the_first_seeds_that_fit_are_those_of_the_manifest(name: str) -> None:
    found = list(islice(instances.choose(name, {}), 2))
    assert found == [(row.seed, row.hardness) for row in manifest().values() if row.set == name][:2]


def test_positions_go_to_the_set_of_their_optimum_in_the_order_of_their_seeds() -> None:
    with patch.object(instances, "SEEDS", (30, 0, 0)):
        optima = instances.find_optima()
    assert len(optima) > 5
    for optimum in range(2, 12):
        listed = [(row.seed, row.hardness) for row in manifest().values() if row.set == f"ricochet-{optimum:02}"]
        assert optima.get(optimum, [])[:6] == [one for one in listed if one[0] < 30]
