"""What people get wrong in a tournament file and in bots: the line they read, and the exit code."""

from __future__ import annotations

import pytest

from tests.gridjoust.commands.desk import GOOD, Desk

FILES: dict[str, tuple[str, str, str]] = {
    "a misspelt key": ("tournament: cup", "turnament: cup",
        "turnament: expected tournament, got an unknown key (line 1)"),
    "a tab": ("  - {game", "\t- {game", "expected spaces, got a tab: YAML does not indent with tabs (line 3)"),
    "an open bracket": ("5}}", "5}",
        "expected valid YAML, got 'bots:': expected ',' or '}', but got '<scalar>' (line 4)"),
    "a misspelt game": ("game: bomber", "game: bomer", "games[0].game: expected bomber, got 'bomer' (line 3)"),
    "a misspelt bot": ("bot: random", "bot: randm", "bots[0].bot: expected random, got 'randm' (line 5)"),
    "a misspelt parameter": ("max_ticks", "max_tiks",
        "games[0].params.max_tiks: expected 'max_ticks', got an unknown parameter of bomber (line 3)"),
    "a parameter out of range": ("max_ticks: 5", "max_ticks: 0",
        "games[0].params.max_ticks: expected 1 to 100000, got 0 (line 3)"),
    "too many seats": ("bomber,", "bomber, seats: 9,", "games[0].seats: expected 2 to 4 for bomber, got 9 (line 3)"),
    "one name twice": ("name: b", "name: a",
        "bots[1].name: expected a name of its own for each bot, got a second 'a' (line 6)"),
    "a name with a space": ("name: a", "name: a b",
        "bots[0].name: expected a name of 1 to 64 letters, digits, - and _, got 'a b' (line 5)"),
    "a key twice": ("execution", "tournament: again\nexecution",
        "tournament: expected each key once, got it again (first in line 1) (line 7)"),
    "text for a number": ("bots:", "seed: soon\nbots:",
        "seed: expected a whole number from 0 to 9007199254740991 or secret, got 'soon' (line 4)"),
    "a map that is not there": ("params: {max_ticks: 5}", "maps: [arena.txt]",
        "games[0].maps[0]: expected random or a map file (in FOLDER), got 'arena.txt': NONE (line 3)"),
    "a game without its list": ("games:\n  - {game: bomber, params: {max_ticks: 5}}", "games: bomber",
        "games: expected a list with at least one entry, got 'bomber': write games: [{game: bomber}] (line 2)"),
    "a game without its key": ("{game: bomber, params: {max_ticks: 5}}", "bomber",
        "games[0]: expected a mapping, got 'bomber': write {game: bomber} (line 3)"),
    "a bot without its keys": ("{name: a, bot: random}", "random",
        "bots[0]: expected a mapping, got 'random': write {name: NAME, bot: random} (line 5)"),
    "a format without its key": ("bots:", "format: knockout\nbots:",
        "format: expected a mapping, got 'knockout': write {type: knockout} (line 4)"),
    "a time without its key": ("time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}", "time: 100",
        "time: expected a mapping, got 100: write {turn_ms: 100} (line 8)"),
    "a reason left out": ("bots:", "exclude: [a]\nbots:",
        "exclude: expected a mapping, got a list: write {a: REASON} (line 4)"),
    "a command as one text": ("bot: random", "command: python3 mine.py",
        "bots[0].command: expected a list or null, got 'python3 mine.py': write [python3, mine.py] (line 5)"),
    "rounds at the top": ("bots:", "rounds: 3\nbots:", "rounds: write it below format (line 4)"),
    "a limit of time at the top": ("bots:", "turn_ms: 100\nbots:", "turn_ms: write it below time (line 4)"),
    "isolation at the top": ("bots:", "isolation: none\nbots:", "isolation: write it below execution (line 4)"),
    "limits at the top": ("bots:", "limits: 512\nbots:", "limits: write it below bots (line 4)"),
    "a line without a colon": ("tournament: cup", "tournament cup",
        "expected `key: value`, got 'tournament cup' (line 1)"),
    "a colon without a space": ("tournament: cup", "tournament:cup",
        "expected a space after the colon, got 'tournament:cup' (line 1)"),
    "an open quote": ("tournament: cup", 'tournament: "cup',
        "expected a closing quote, got the end of the file (line 1)"),
    "an unknown format": ("bots:", "format: {type: round_robbin}\nbots:",
        ("format.type: expected one of double_elimination, gauntlet, knockout, ladder, round_robin, solo, stages, "
         "swiss, got 'round_robbin': did you mean round_robin? (line 4)")),
    "no rounds": ("bots:", "format: {rounds: 0}\nbots:",
        "format.rounds: expected a whole number from 1 to 1000000000, got 0 (line 4)"),
    "a time with its unit": ("turn_ms: 30000", "turn_ms: 100ms",
        "time.turn_ms: expected a whole number of at least 1 or null, got '100ms' (line 8)"),
    "a bot that is remote too": ("bot: random", "bot: random, remote: true",
        "bots[0]: expected exactly one of bot, path, command, remote, roles, got bot and remote (line 5)"),
    "no program": ("{name: a, bot: random}", "{name: a}",
        "bots[0]: expected exactly one of bot, path, command, remote, roles, got none (line 5)"),
    "a file as a bot": ("bot: random", "bot: mine.py",
        ("bots[0].bot: expected a bot that comes with Joust, or `path: mine.py` for a file, got 'mine.py' (line 5)")),
    "a name with a slash": ("tournament: cup", "tournament: my/cup",
        "tournament: expected a name of 1 to 64 letters, digits, - and _, got 'my/cup' (line 1)"),
    "who is excluded plays not": ("bots:", "exclude: {zed: copied}\nbots:",
        "exclude.zed: expected one of a, b, got an unknown bot (line 4)"),
    "entries that match nothing": ("bots:", "entries: submissions/*/bot.py\nbots:",
        "entries: no file matches 'submissions/*/bot.py' (in FOLDER) (line 4)"),
    "groups of less than two": ("bots:", "format: {type: stages, groups: 4, advance: 2, final: knockout}\nbots:",
        "format.groups: expected at most 1, as each group needs two bots, got 4 (line 4)"),
    "an unknown stop rule": ("bots:", "stop: {when: sprd}\nbots:",
        "stop.when: expected one of better, resolved, sprt, got 'sprd': did you mean sprt? (line 4)"),
    "a stage that is no key": ("bots:", "format: {type: swiss, pears: 2}\nbots:",
        "format.pears: expected pairs, got an unknown key (line 4)"),
    "text for a switch": ("bot: random", "remote: yes please",
        "bots[0].remote: expected true or false, got 'yes please' (line 5)"),
    "a negative seed": ("bots:", "seed: -1\nbots:",
        "seed: expected a whole number from 0 to 9007199254740991 or secret, got -1 (line 4)"),
    "an empty file": (GOOD, "", "expected a mapping with tournament, games and bots, got an empty file (line 1)"),
    "another encoding": (GOOD, "# f\udcfcr alle\n", "expected UTF-8 text, got byte 0xfc (line 1)"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line"), FILES.values(), ids=FILES)
def test_a_mistake_in_the_file_names_its_place(desk: Desk, old: str, new: str, line: str) -> None:
    assert old in GOOD
    line = line.replace("FOLDER", str(desk.folder)).replace("NONE", "no such file or directory")
    assert desk.run(GOOD.replace(old, new, 1)) == (2, f"joust: cup.yaml: {line}\n")


def test_several_mistakes_are_as_many_lines(desk: Desk) -> None:
    code, told = desk.run(GOOD.replace("bomber,", "bomer,").replace("bot: random", "bot: randm"))
    assert (code, told.splitlines()) == (2, [
        "joust: cup.yaml: games[0].game: expected bomber, got 'bomer' (line 3)",
        "cup.yaml: bots[0].bot: expected random, got 'randm' (line 5)",
    ])  # fmt: skip


NO_BOT, NO_ACT = "class Mine: ...\n", "from gridjoust.bots.api import Bot\n\n\nclass Mine(Bot): ...\n"
BOTS: dict[str, tuple[str, str, str]] = {
    "no such file": ("path: gone.py:Mine", NO_BOT,
        "cup.yaml: bots[0].path: file not found: gone.py (in FOLDER) (line 5)"),
    "a path to a file without a bot": ("path: mine.py", NO_BOT,
        "cup.yaml: bots[0].path: mine.py contains no bot class; start with `class MyBot(joust.Bot):` (line 5)"),
    "a path to a file with two bots": ("path: mine.py", NO_ACT + NO_ACT.partition("\n\n\n")[2].replace("Mine", "His"),
        ("cup.yaml: bots[0].path: mine.py contains several bots (Mine, His): "
         "name one of them, such as mine.py:Mine (line 5)")),
    "a class of another name": ("path: mine.py:Mine", NO_ACT.replace("Mine", "Main"),
        "cup.yaml: bots[0].path: expected a class Mine in mine.py, got only Main (line 5)"),
    "a syntax error": ("path: mine.py:Mine", "from gridjoust.bots.api import Bot\nclass Mine(Bot)\n    ...\n",
        "cup.yaml: bots[0].path: syntax error in mine.py line 2: expected ':' (line 5)"),
    "a class that is no bot": ("path: mine.py:Mine", NO_BOT,
        "--strict: a does not start: mine.py:Mine: class Mine is no bot; write class Mine(gridjoust.Bot)"),
    "a class without act": ("path: mine.py:Mine", NO_ACT,
        "--strict: a does not start: mine.py:Mine: expected an act method, got none"),
    "a file that does not import": ("path: mine.py:Mine", "import nmpy\n" + NO_BOT,
        ("--strict: a does not start: mine.py does not import: ModuleNotFoundError: No module named 'nmpy'"
        " (mine.py line 1)")),
    "a game that it does not play": ("path: mine.py:Mine",
        NO_ACT.replace("...", "plays, act = ('ricochet',), lambda self, question: 'up'"),
        "--strict: a does not start: plays ricochet, not bomber"),
    "no such command": ("command: [nodde, bot.js]", NO_BOT,
        "cup.yaml: bots[0].command[0]: expected a program on the PATH, got 'nodde' (line 5)"),
    "a command that may not be run": ("command: [./mine.py]", NO_BOT,
        "cup.yaml: bots[0].command[0]: expected a file that may be run (chmod +x), got './mine.py' (line 5)"),
}  # fmt: skip


@pytest.mark.parametrize(("program", "held", "line"), BOTS.values(), ids=BOTS)
def test_a_mistake_in_a_bot_is_one_line_and_ends_a_strict_run(desk: Desk, program: str, held: str, line: str) -> None:
    desk.write("mine.py", held)
    desk.write("cup.yaml", GOOD.replace("bot: random", program))
    told = f"joust: {line}".replace("FOLDER", str(desk.folder)) + "\n"
    assert desk.joust("run", "cup.yaml", "--strict") == (2, told)
    assert not list(desk.folder.glob("results/cup/records/*"))
