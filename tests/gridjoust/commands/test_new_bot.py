"""`joust new-bot`: the files, the line that enters the bot, what comes next, and what is refused."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from gridjoust import games
from gridjoust.bots import load_bot_file
from gridjoust.commands.new_bot import STARTERS, new_bot
from gridjoust.conformance import check_bot
from gridjoust.runner.wire.errors import ConfigError
from tests.doubles.games.reference import Pile
from tests.joust_here import joust

SUFFIXES = {"python": "py", "plain": "py", "javascript": "mjs"}
BOTS = Path("my_bots")

Make = Callable[..., list[str]]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Make:
    """In a user's folder, a bot is made as by the command; gives the lines printed."""
    monkeypatch.chdir(tmp_path)

    def call(name: str, *, game: str = "bomber", lang: str = "python", **options: Any) -> list[str]:
        new_bot(name, game=game, lang=lang, **options)
        return capsys.readouterr().out.splitlines()

    return call


def entry_of(printed: list[str]) -> dict[str, Any]:
    [line] = [line for line in printed if line.startswith("  - ")]
    entry: dict[str, Any] = yaml.safe_load(line.removeprefix("  - "))
    return entry


def test_the_command_line_reaches_all_of_it(tmp_path: Path) -> None:
    options = ("--game", "bomber", "--lang", "plain", "--folder", "team")
    assert joust("new-bot", "knight", *options, folder=tmp_path).returncode == 0
    assert (tmp_path / "team" / "knight.py").is_file()
    again = joust("new-bot", "knight", *options, folder=tmp_path)
    assert again.returncode == 2
    assert again.stderr == "joust: team/knight.py exists already; nothing was written\n"


@pytest.mark.parametrize("lang", SUFFIXES)
def test_the_file_ends_with_what_the_game_tells_a_bot(lang: str, make: Make) -> None:
    make("mine", lang=lang)
    text = (BOTS / f"mine.{SUFFIXES[lang]}").read_text()
    hints = text[text.index("What a bot receives in bomber") :].splitlines()
    sign = "//" if lang == "javascript" else "#"
    assert all(line.startswith(sign) for line in hints[1:])
    assert f"{sign}     ammo_tokens  [[2, 2]]" in hints
    assert f"{sign}     up  |  down  |  left  |  right  |  bomb  |  wait" in hints


def test_both_roles_are_told_apart_in_the_hints(make: Make) -> None:
    make("mine", game="heroquest")
    text = (BOTS / "mine.py").read_text()
    heroes, zargon = text.index("observation.view (heroes)"), text.index("observation.view (zargon)")
    assert "    hidden " not in text[heroes:zargon]
    assert "    hidden " in text[zargon:]


def test_the_program_is_named_and_no_class_takes_a_name_that_the_file_uses(make: Make) -> None:
    assert "  joust doctor my_bots/my-bot.py:MyBot --game ricochet" in make("my-bot", game="ricochet")
    assert entry_of(make("bot"))["path"] == "my_bots/bot.py:BotBot"
    assert entry_of(make("none"))["path"] == "my_bots/none.py:NoneBot"
    entry = {"name": "knight", "command": ["node", "my_bots/knight.mjs"]}
    assert entry_of(make("knight", lang="javascript", protocol="mqtt")) == entry


@pytest.mark.parametrize("lang", STARTERS)
def test_a_bot_in_another_language_needs_no_package(lang: str, make: Make) -> None:
    printed = make("rook", lang=lang)
    assert entry_of(printed)["protocol"] == "stdio"
    assert not any("install" in line for line in printed)
    assert [path.name for path in BOTS.iterdir()] == [f"rook.{STARTERS[lang].ending}"]


def test_javascript_is_installed_once_and_its_package_is_left_alone(make: Make) -> None:
    install = "  npm install --prefix my_bots"
    assert install in make("one", lang="javascript", protocol="mqtt")
    (BOTS / "node_modules" / "mqtt").mkdir(parents=True)
    (BOTS / "package.json").write_text("{}")
    assert install not in make("two", lang="javascript", protocol="mqtt")
    assert (BOTS / "package.json").read_text() == "{}"


NO_NAME = "name: expected a letter, then letters, digits, - or _ (64 at most), got "
MODULE = "name: expected a name that no Python module has, got "
REFUSALS: list[tuple[dict[str, str], str]] = [
    *(({"name": name}, NO_NAME + repr(name)) for name in ("9lives", "../evil", "a b", "", "ü", "-x", "x" * 65, "x\n")),
    *(({"name": name}, MODULE + repr(name)) for name in ("random", "JSON", "paho", "gridjoust")),
    ({"game": "bombr"}, "game: expected bomber, got 'bombr'"),
    ({"lang": "cobol"}, "lang: expected python, plain, javascript, c, cpp, java, go or rust, got 'cobol'"),
    ({"lang": "c", "protocol": "mqtt"}, "protocol: expected stdio with c, got 'mqtt'"),
    ({"lang": "plain", "protocol": "http"}, "protocol: expected stdio or mqtt with plain, got 'http'"),
    ({"name": "taken"}, "my_bots/taken.py exists already; nothing was written"),
]


@pytest.mark.parametrize(("given", "line"), REFUSALS, ids=[line for _, line in REFUSALS])
def test_what_will_not_do_is_refused_and_nothing_is_written(
    given: dict[str, str], line: str, make: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    BOTS.mkdir()
    (BOTS / "taken.py").write_text("precious")
    with pytest.raises(ConfigError) as raised:
        make(**({"name": "mine"} | given))
    assert (str(raised.value), capsys.readouterr().out) == (line, "")
    assert [path.name for path in Path().rglob("*")] == ["my_bots", "taken.py"]
    assert (BOTS / "taken.py").read_text() == "precious"


def test_a_python_that_has_paho_is_named_for_the_plain_bot(make: Make) -> None:
    python, file = entry_of(make("mine", lang="plain", protocol="mqtt"))["command"]
    assert file == "my_bots/mine.py"
    found = shutil.which(python)
    assert found is not None
    assert Path(found).parent == Path(sys.executable).parent


def test_a_game_of_somebody_elses_gets_the_general_template(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "load_game", lambda name: Pile)
    assert entry_of(make("mine", game="pile"))["path"] == "my_bots/mine.py:Mine"
    bot = load_bot_file(BOTS / "mine.py", "Mine")
    assert bot.plays == ("pile",)
    assert check_bot(bot, game=Pile) == []


def test_a_bot_that_is_compiled_says_how(make: Make) -> None:
    printed = make("rook", lang="c")
    build = ["gcc", "-O2", "-o", "my_bots/rook", "my_bots/rook.c"]
    command = {"command": ["my_bots/rook"], "protocol": "stdio"}
    assert entry_of(printed) == {"name": "rook", "build": build, **command}
    assert printed[-1].endswith('--protocol stdio --game bomber --build "gcc -O2 -o my_bots/rook my_bots/rook.c"')
    assert entry_of(make("here", lang="go", folder=Path()))["command"] == ["./here"]


@pytest.mark.parametrize("lang", STARTERS)
def test_a_starter_on_standard_input_has_two_hundred_lines_at_most_and_ends_with_what_the_game_tells(
    lang: str, make: Make
) -> None:
    make("rook", lang=lang, protocol="stdio")
    starter, hints = (
        (BOTS / f"rook.{STARTERS[lang].ending}").read_text().split("\n\n" + STARTERS[lang].sign + " What a")
    )
    assert len(starter.splitlines()) <= 200
    assert all(line.startswith(STARTERS[lang].sign) for line in hints.splitlines()[1:])


LISTS = {
    "indented": "bots:  # who plays\n\n    # the best\n    - {name: a, bot: x}\n    - name: b\n      bot: x\nseed: 1\n",
    "at the margin": "bots:\n- name: a\n  bot: x\n# one\n\n- {name: b,\n   bot: x}\n\n# the rest\nseed: 1\n",
    "at the end of the file": "seed: 1\nbots:\n  - {name: a, bot: x}\n  - {name: b, bot: x}  # no line end",
}


@pytest.mark.parametrize("text", LISTS.values(), ids=LISTS)
def test_a_bot_is_entered_last_where_bots_are_listed(text: str, make: Make) -> None:
    Path("cup.yaml").write_text(text)
    make("rook", lang="c", enter=Path("cup.yaml"))
    entered = yaml.safe_load(Path("cup.yaml").read_text())
    assert [bot["name"] for bot in entered["bots"]] == ["a", "b", "rook"]
    assert entered["seed"] == 1
    assert set(text.splitlines()) < set(Path("cup.yaml").read_text().splitlines())


@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        ("cup.yaml", "bots: [{name: a}]\n", "cup.yaml has no list `bots:` with one line per bot"),
        (
            "x/cup.yaml",
            "",
            "--enter: expected a file in the current folder, as paths are relative to it, got x/cup.yaml",
        ),
    ],
)
def test_a_bot_is_entered_nowhere_else_and_not_written_then(file: str, text: str, problem: str, make: Make) -> None:
    Path(file).parent.mkdir(exist_ok=True)
    Path(file).write_text(text)
    with pytest.raises(ConfigError) as raised:
        make("rook", enter=Path(file))
    assert str(raised.value) == problem
    assert Path(file).read_text() == text
    assert not BOTS.exists()
