"""`joust new-bot`: the files, the line that enters the bot, what comes next, and what is refused."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
import yaml

import games
from bots import load_bot_file
from gridjoust.commands.new_bot import new_bot
from gridjoust.conformance import check_bot
from runner.wire.errors import ConfigError
from tests.doubles.games.reference import Pile
from tests.joust_here import joust

LANGUAGES = ("python", "plain", "javascript")
SUFFIXES = {"python": "py", "plain": "py", "javascript": "mjs"}


class Folder:
    """A user's folder, in which new bots are made as by the command."""

    def __init__(self, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.path = path
        self._capsys = capsys

    def new_bot(self, name: str, *, game: str = "bomber", lang: str = "python") -> str:
        """Make it; what was printed."""
        new_bot(name, game=game, lang=lang)
        return self._capsys.readouterr().out

    def refusal(self, name: str, *, game: str = "bomber", lang: str = "python") -> str:
        """What is wrong with it."""
        with pytest.raises(ConfigError) as raised:
            new_bot(name, game=game, lang=lang)
        assert self._capsys.readouterr().out == ""
        return str(raised.value)

    def text(self, name: str) -> str:
        """One of the files written."""
        return (self.path / "my_bots" / name).read_text()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Folder:
    monkeypatch.chdir(tmp_path)
    return Folder(tmp_path, capsys)


def entry_of(printed: str) -> str:
    [line] = [line for line in printed.splitlines() if line.startswith("  - ")]
    return line.removeprefix("  - ")


def test_the_command_line_reaches_all_of_it(tmp_path: Path) -> None:
    options = ("--game", "bomber", "--lang", "plain", "--folder", "team")
    assert joust("new-bot", "knight", *options, folder=tmp_path).returncode == 0
    assert (tmp_path / "team" / "knight.py").is_file()
    again = joust("new-bot", "knight", *options, folder=tmp_path)
    assert again.returncode == 2
    assert again.stderr == "joust: team/knight.py: expected no such file yet, got one; nothing was written\n"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_file_ends_with_what_the_game_tells_a_bot(lang: str, folder: Folder) -> None:
    folder.new_bot("mine", lang=lang)
    text = folder.text(f"mine.{SUFFIXES[lang]}")
    hints = text[text.index("What a bot is told in bomber") :]
    sign = "//" if lang == "javascript" else "#"
    assert all(line.startswith(sign) for line in hints.splitlines()[1:])
    assert f"{sign}     ammo_tokens  [[1, 4]]" in hints.splitlines()
    assert f"{sign}     up  |  down  |  left  |  right  |  bomb  |  wait" in hints.splitlines()


def test_both_roles_are_told_apart_in_the_hints(folder: Folder) -> None:
    folder.new_bot("mine", game="heroquest")
    text = folder.text("mine.py")
    heroes, zargon = text.index("observation.view (heroes)"), text.index("observation.view (zargon)")
    assert "    hidden " not in text[heroes:zargon]
    assert "    hidden " in text[zargon:]


def test_it_prints_the_command_that_tries_the_bot(folder: Folder) -> None:
    printed = folder.new_bot("my-bot", game="ricochet")
    assert "  joust doctor my_bots/my-bot.py:MyBot --game ricochet" in printed.splitlines()


def test_a_class_never_takes_a_name_that_the_file_uses(folder: Folder) -> None:
    assert yaml.safe_load(entry_of(folder.new_bot("bot")))["path"] == "my_bots/bot.py:BotBot"
    assert yaml.safe_load(entry_of(folder.new_bot("none")))["path"] == "my_bots/none.py:NoneBot"


def test_the_entry_is_one_yaml_mapping(folder: Folder) -> None:
    entry = entry_of(folder.new_bot("knight", lang="javascript"))
    assert yaml.safe_load(entry) == {"name": "knight", "command": ["node", "my_bots/knight.mjs"]}


def test_javascript_says_how_to_install_until_that_is_done(folder: Folder) -> None:
    install = "  npm install --prefix my_bots"
    assert install in folder.new_bot("one", lang="javascript").splitlines()
    (folder.path / "my_bots" / "node_modules" / "mqtt").mkdir(parents=True)
    assert install not in folder.new_bot("two", lang="javascript").splitlines()


def test_a_second_javascript_bot_leaves_package_json_alone(folder: Folder) -> None:
    folder.new_bot("one", lang="javascript")
    (folder.path / "my_bots" / "package.json").write_text("{}")
    folder.new_bot("two", lang="javascript")
    assert folder.text("package.json") == "{}"


def test_a_file_of_that_name_is_left_as_it_is(folder: Folder) -> None:
    (folder.path / "my_bots").mkdir()
    (folder.path / "my_bots" / "mine.py").write_text("precious")
    told = folder.refusal("mine")
    assert told == "my_bots/mine.py: expected no such file yet, got one; nothing was written"
    assert folder.text("mine.py") == "precious"


@pytest.mark.parametrize("name", ["9lives", "../evil", "a b", "", "ü", "-x", "x" * 65, "x\n"])
def test_a_name_that_is_none_is_refused(name: str, folder: Folder) -> None:
    told = folder.refusal(name)
    assert told == f"name: expected a letter, then letters, digits, - or _ (64 at most), got {name!r}"
    assert list(folder.path.iterdir()) == []


@pytest.mark.parametrize("name", ["random", "JSON", "paho", "bots"])
def test_a_name_that_would_hide_a_module_is_refused(name: str, folder: Folder) -> None:
    assert folder.refusal(name) == f"name: expected a name that no Python module has, got {name!r}"


def test_an_unknown_game_is_refused_with_the_nearest_one(folder: Folder) -> None:
    assert folder.refusal("mine", game="bombr") == "game: expected bomber, got 'bombr'"


def test_an_unknown_language_is_refused(folder: Folder) -> None:
    assert folder.refusal("mine", lang="cobol") == "lang: expected python, javascript or plain, got 'cobol'"


def test_a_python_that_has_paho_is_named_for_the_plain_bot(folder: Folder) -> None:
    python, file = yaml.safe_load(entry_of(folder.new_bot("mine", lang="plain")))["command"]
    assert file == "my_bots/mine.py"
    found = shutil.which(python)
    assert found is not None
    assert Path(found).parent == Path(sys.executable).parent


def test_a_game_of_somebody_elses_gets_the_general_template(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "load_game", lambda name: Pile)
    entry = entry_of(folder.new_bot("mine", game="pile"))
    assert yaml.safe_load(entry)["path"] == "my_bots/mine.py:Mine"
    bot = load_bot_file(folder.path / "my_bots" / "mine.py", "Mine")
    assert bot.plays == ("pile",)
    assert check_bot(bot, game=Pile) == []
