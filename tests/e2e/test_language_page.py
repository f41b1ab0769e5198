"""The page about bots in other languages: its commands and its entry, done in their order by somebody who reads it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from runner.broker import bot_account
from runner.config.values import BrokerConfig
from runner.launch import bot_environment
from runner.tables import load
from runner.wire.bus import Address
from tests.e2e.bot_on_wire import needs_node
from tests.e2e.short_cups import lend_modules
from tests.joust_here import joust
from tests.runner.wire.wire_capture import PAGE

pytestmark = [pytest.mark.e2e, needs_node]


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the shell blocks have been run."""
    folder = tmp_path_factory.mktemp("reader")
    lend_modules(folder / "my_bots")
    for line in "".join(blocks("sh")).splitlines():
        command, *arguments = shlex.split(line)
        assert command == "joust"
        if arguments[0] == "doctor":
            arguments += ["--turn-ms", "5000"]  # the machine that runs the tests may be busy
        done = joust(*arguments, folder=folder)
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
    return folder


def test_the_entry_of_the_page_plays(reader: Path) -> None:
    [entry] = blocks("yaml")
    games = "games: [{game: bomber, params: {max_ticks: 20}}]\ntime: {turn_ms: 5000, start_ms: 30000}\n"
    (reader / "cup.yaml").write_text(f"tournament: cup\n{games}{entry}  - {{name: random, bot: random}}\n")
    done = joust("run", "cup.yaml", folder=reader)
    assert done.returncode == 0, done.stderr
    rows = load(reader / "results" / "cup").results
    assert set(rows["bot"]) == {"rook", "random"}
    assert rows["faults"].sum() == 0


def test_every_variable_of_the_environment_is_explained() -> None:
    address = Address("127.0.0.1", 1883, socket="broker.sock")
    given = bot_environment(address, BrokerConfig(), "run", "rook.0", bot_account("run", "rook.0"))
    named = set(re.findall(r"`(JOUST_[A-Z]+)`", PAGE.read_text(encoding="utf-8")))
    assert named == {name for name in given if name.startswith("JOUST_")}
