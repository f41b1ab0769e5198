"""`joust init`: a folder outside the repository in which everything that it prints works at once."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from gridjoust.runner.config import values
from gridjoust.runner.config.formats import choose_kinds, unions_of
from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.results.tables.frames import load
from gridjoust.tournament import KnownBots
from tests.joust_here import joust


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every key explained."""
    above = tmp_path_factory.mktemp("newcomer")
    assert joust("init", "cup", "--full", folder=above).returncode == 0
    return above / "cup"


SECTIONS: list[Any] = [
    values.Tournament, values.GameEntry, values.BotEntry, *unions_of(values.Tournament)["format"],
    values.TimeLimits, values.FaultPolicy, values.ResourceLimits, values.Execution, values.BrokerConfig,
]  # fmt: skip


@pytest.mark.gate
def test_the_own_bot_has_no_fault_and_every_key_is_in_the_file(started: Path) -> None:
    done = joust("run", "cup.yaml", folder=started)
    assert done.returncode == 0, done.stderr
    rows = load(started / "results" / "cup").results
    own = rows[rows["bot"] == "first"]
    assert (len(own), set(own["termination"]), own["faults"].sum()) == (8, {"completed"}, 0)
    text = (started / "cup.yaml").read_text()
    keys = [field.encode_name for section in SECTIONS for field in msgspec.structs.fields(section)]
    assert [key for key in keys if f"{key}:" not in text] == []


@pytest.mark.gate
def test_the_short_files_have_twelve_lines_each_and_play_without_a_fault(tmp_path: Path) -> None:
    assert joust("init", "cup", folder=tmp_path).returncode == 0
    texts = [(tmp_path / "cup" / name).read_text() for name in ("cup.yaml", "my_bots/first.py")]
    assert [len(text.splitlines()) for text in texts] == [12, 12]
    assert texts[1] in (Path(__file__).parents[3] / "README.md").read_text()
    assert joust("run", "cup.yaml", folder=tmp_path / "cup").returncode == 0
    rows = load(tmp_path / "cup" / "results" / "cup").results
    own = rows[rows["bot"] == "first"]
    assert (len(own), set(own["termination"]), own["faults"].sum()) == (8, {"completed"}, 0)


@pytest.mark.parametrize("key", ["format", "time", "faults", "execution", "broker"])
def test_what_it_calls_a_default_is_one(key: str, started: Path) -> None:
    written = yaml.safe_load((started / "cup.yaml").read_text())[key]
    for other in ("rounds", "turn_ms"):  # the comments say that they are none
        written.pop(other, None)
    chosen, unused = choose_kinds({**REQUIRED, key: written}, values.Tournament)
    default = getattr(msgspec.convert(REQUIRED, values.Tournament), key)
    assert not unused.get(key)
    assert getattr(msgspec.convert(chosen, values.Tournament), key) == default


ROLES_INSTEAD = {
    "game: bomber": "game: heroquest",
    "max_ticks: 150": "",
    "path: my_bots/first.py:First": "bot: random",
    "bot: bomber/dijkstra_map": "bot: random",
}
REQUIRED = {"tournament": "x", "games": [{"game": "bomber"}], "bots": [{"name": "x"}]}


def test_what_stands_in_comments_is_valid_too(started: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    node = started / "bin" / "node"  # whether or not it is installed here
    node.parent.mkdir()
    node.touch(mode=0o755)
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}{os.pathsep}{node.parent}")
    text = (started / "cup.yaml").read_text()
    text, bots = re.subn(r"^#   (- \{.*\})(  .*)$", r"  \1", text, flags=re.MULTILINE)
    text, rules = re.subn(r"^stop: null +# or (\{.*?\}).*$", r"stop: \1", text, flags=re.MULTILINE)
    assert (bots, rules) == (3, 1)
    for bombers, neutral in ROLES_INSTEAD.items():
        text = text.replace(bombers, neutral)
    (started / "more.yaml").write_text(text)
    (started / "my_bots" / "node.mjs").touch()
    loaded = load_tournament(started / "more.yaml", known_bots=KnownBots())
    assert [bot.name for bot in loaded.config.bots[3:]] == ["node", "guest", "both"]
    assert loaded.config.stop is not None


@pytest.mark.parametrize("precious", ["cup.yaml", "my_bots/first.py", ".gitignore"])
def test_nothing_is_overwritten_and_nothing_half_done(precious: str, tmp_path: Path) -> None:
    (tmp_path / precious).parent.mkdir(exist_ok=True)
    (tmp_path / precious).write_text("precious")
    before = sorted(tmp_path.rglob("*"))
    done = joust("init", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr == f"joust: {precious} exists already; nothing was written\n"
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / precious).read_text() == "precious"


def test_it_prints_what_comes_next_and_git_sees_no_results(tmp_path: Path) -> None:
    printed = joust("init", "cup", folder=tmp_path).stdout
    assert printed.index("  cd cup\n") < printed.index("  joust run cup.yaml")
    printed_here = joust("init", folder=tmp_path).stdout
    assert "  joust run cup.yaml" in printed_here
    assert "cd " not in printed_here
    assert (tmp_path / ".gitignore").read_text().splitlines() == ["results/", "node_modules/", "__pycache__/"]
