"""Bots on standard input and output in tournaments: all games, the doctor, the sandbox."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.e2e.bot_on_wire import needs_sandbox
from tests.e2e.test_foreign_bots import play, said
from tests.joust_here import joust

pytestmark = pytest.mark.e2e

LEAST = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if "legal" in told:
        print(json.dumps({"action": told["legal"][0]}))
"""


def entry(name: str, *command: str) -> str:
    return f"{{name: {name}, command: [{', '.join(command)}], protocol: stdio}}"


@needs_sandbox
def test_five_lines_that_know_actions_alone_play_in_the_sandbox_in_real_time_too(tmp_path: Path) -> None:
    (tmp_path / "least.py").write_text(LEAST)
    bots = [entry("least", sys.executable, "-S", "least.py"), "{name: random, bot: random}"]
    rows = play(tmp_path, games=["ricochet"], bots=bots, isolation="sandbox")
    assert set(rows["termination"]) == {"completed"}
    assert rows["faults"].sum() == 0


def test_it_is_told_nothing_of_the_broker(tmp_path: Path) -> None:
    (tmp_path / "nosy.py").write_text(
        "import os, sys\nsys.stderr.write(' '.join(k for k in os.environ if k.startswith('JOUST')) + '\\n')\n" + LEAST
    )
    play(tmp_path, games=["bomber"], bots=[entry("nosy", sys.executable, "nosy.py"), "{name: random, bot: random}"])
    assert said(tmp_path, "nosy")[0].split() == ["JOUST_TOPIC", "JOUST_PROTOCOL"]


def test_the_doctor_says_what_is_wrong_with_a_bot_that_prints(tmp_path: Path) -> None:
    (tmp_path / "chatty.py").write_text(LEAST.replace("    if", "    print('thinking')\n    if"))
    command = f"{sys.executable} chatty.py"
    options = ("--game", "bomber", "--param", "max_ticks=12", "--matches", "1", "--turn-ms", "5000")
    done = joust("doctor", "--command", command, "--protocol", "stdio", *options, folder=tmp_path)
    assert done.returncode == 1
    assert "got 'thinking': print what is no answer to standard error" in done.stdout
    assert "--protocol stdio" in done.stdout


def test_protocols_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    for options, message in {
        ("--command", sys.executable, "--protocol", "http"): "--protocol: expected mqtt or stdio, got 'http'",
        ("random", "--protocol", "stdio"): "--protocol: expected --command beside it, got 'random'",
    }.items():
        done = joust("doctor", *options, "--game", "bomber", folder=tmp_path)
        assert done.returncode == 2
        assert message in done.stderr
