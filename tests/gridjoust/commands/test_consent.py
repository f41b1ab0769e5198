"""Programs of a results folder from elsewhere: not started before the user has seen and allowed them."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
import typer

from gridjoust.commands.shared.consent import require_consent
from gridjoust.runner.config.values import RoleProgram
from gridjoust.runner.results.maker import ENVIRONMENT, MAKER, TOURNAMENT, is_own, make_mark
from gridjoust.runner.results.records.file import list_records
from gridjoust.runner.wire.errors import ConfigError
from tests.gridjoust.commands.desk import GOOD, Desk

COMMAND = RoleProgram(command=("node", "bot.mjs"))
RESULTS = "results/cup"


def make_folder(folder: Path, text: str = "tournament: cup") -> Path:
    (folder / TOURNAMENT).write_text(text)
    (folder / ENVIRONMENT).write_text(f'{{"{MAKER}": "{make_mark("tournament: cup")}"}}')
    return folder


def test_a_folder_is_ones_own_as_long_as_its_tournament_file_is_what_it_was_here(tmp_path: Path) -> None:
    assert is_own(make_folder(tmp_path))
    assert not is_own(make_folder(tmp_path, "tournament: pup"))
    make_folder(tmp_path)
    for text in ("", "[]", "{}", '{"maker": 1}', '{"maker": "é"}', "[" * 5000):
        (tmp_path / ENVIRONMENT).write_text(text)
        assert not is_own(tmp_path)
    (tmp_path / ENVIRONMENT).unlink()
    assert not is_own(tmp_path)


def test_nobody_is_asked_about_ones_own_folder_nor_about_installed_bots_nor_after_yes(tmp_path: Path) -> None:
    require_consent(tmp_path, [RoleProgram(bot="random"), RoleProgram(remote=True)], is_given=False)
    require_consent(tmp_path, [COMMAND], is_given=True)
    require_consent(make_folder(tmp_path), [COMMAND], is_given=False)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_the_command_is_shown_and_the_answer_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = Terminal()
    monkeypatch.setattr(sys, "stderr", told)
    monkeypatch.setattr(sys, "stdin", Terminal("y\n"))
    require_consent(tmp_path, [COMMAND], is_given=False)
    expected = f"You did not make {tmp_path} on this machine. This command would start: --command 'node bot.mjs'"
    assert told.getvalue().splitlines()[0] == expected
    monkeypatch.setattr(sys, "stdin", Terminal("\n"))
    with pytest.raises(typer.Abort):
        require_consent(tmp_path, [COMMAND], is_given=False)
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    with pytest.raises(ConfigError, match="you did not make this folder on this machine; this command would"):
        require_consent(tmp_path, [COMMAND], is_given=False)


BOT = """
from pathlib import Path
from gridjoust.bots.api import Bot

Path(__file__).with_name("started").touch()

class Mine(Bot):
    def act(self, observation):
        return "wait"
"""


@pytest.mark.gate
@pytest.mark.e2e
def test_the_bots_of_a_folder_from_elsewhere_start_with_yes_alone(desk: Desk) -> None:
    desk.write("mine.py", BOT)
    desk.write("cup.yaml", GOOD.replace("bot: random", "path: mine.py:Mine"))
    assert desk.joust("run", "cup.yaml", "--trust")[0] == 0
    record = list_records(desk.folder / RESULTS)[0]
    environment = desk.folder / RESULTS / ENVIRONMENT
    environment.write_text(environment.read_text().replace(f'"{MAKER}": "', f'"{MAKER}": "0'))
    (desk.folder / "started").unlink()
    ask = ["ask", "--record", str(record.relative_to(desk.folder)), "--turn", "1"]
    seat = record.read_text().partition('"bot":"a"')[0].count('"bot":')
    for typed in (["rerun", RESULTS, record.stem], [*ask, "--seat", str(seat)]):
        code, line = desk.joust(*typed)
        assert (code, line.count("\n")) == (2, 1)
        assert line.startswith(f"joust: {desk.folder / RESULTS if typed[0] == 'ask' else RESULTS}: you did not make ")
        assert line.endswith(" this command would start programs that it names: mine.py:Mine; allow it with --yes\n")
    assert not (desk.folder / "started").exists()
    assert not (desk.folder / RESULTS / "reruns").exists()
    assert desk.joust("rerun", RESULTS, record.stem, "--yes", "--trust")[0] == 0
    assert (desk.folder / "started").exists()
