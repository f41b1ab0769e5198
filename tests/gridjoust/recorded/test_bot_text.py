"""What a bot's file says of its chance and of what it prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridjoust.recorded.bot_text import Hints, hints_of
from gridjoust.runner.config.values import RoleProgram

DRAWS = {
    "the module": ("import random\nx = random.choice([1])", "mine.py line 2: random.choice"),
    "a name of it": ("from random import shuffle as mix\n\nmix([1])", "mine.py line 3: mix"),
    "numpy": ("import numpy as np\nnp.random.rand()", "mine.py line 2: np.random.rand"),
    "a generator without a seed": ("import random\nx = random.Random()", "mine.py line 2: random.Random"),
    "a generator with a seed": ("import random\nx = random.Random(7)", ""),
    "its own": ("class Mine:\n    def act(self, o):\n        return self.rng.choice(o.legal)", ""),
    "no Python": ("class (", ""),
}


@pytest.mark.parametrize(("text", "place"), DRAWS.values(), ids=DRAWS)
def test_a_draw_from_another_generator_is_found(tmp_path: Path, text: str, place: str) -> None:
    (tmp_path / "mine.py").write_text(text)
    assert hints_of(RoleProgram(path=f"{tmp_path}/mine.py:Mine")).draws == place


def test_a_print_to_standard_output_is_found_and_no_other(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import sys\nprint(1, file=sys.stderr)\nprint(2)\nprint(3)\n")
    assert hints_of(RoleProgram(path=f"{tmp_path}/mine.py:Mine")).prints == "mine.py line 3"


def test_only_classes_in_a_file_are_read() -> None:
    assert hints_of(RoleProgram(bot="random")) == Hints(is_class=True)
    assert hints_of(RoleProgram(command=("node", "x.mjs"))) == Hints()
