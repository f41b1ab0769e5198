"""Tournament files: what is read, and the one line that each mistake gets.

A case is an edit of SMALL, or several with `and` between them: `old >> new`, or lines that are added.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from gridjoust import games
from gridjoust.runner.config.formats import Knockout, Ladder, Resolved, RoundRobin, Sprt, tag_of, unions_of
from gridjoust.runner.config.load import config_schema, load_tournament, read_map, resolve
from gridjoust.runner.config.values import BotInfo, TimeLimits, Tournament
from gridjoust.runner.config.variants import LoadedTournament
from gridjoust.runner.wire.errors import ConfigError
from tests.runner.config.tiny_games import GAMES

BOTS = {
    "random": BotInfo((), "other"),
    "duel/astar": BotInfo(("duel",), "astar"),
    "quest/astar": BotInfo(("quest",), "astar"),
    "quest/zargon": BotInfo(("quest",), "other"),
}

SMALL = """\
tournament: cup
games:
  - game: duel
bots:
  - {name: a, bot: random}
  - {name: b, bot: random}
"""


@pytest.fixture(autouse=True)
def _tiny_games_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "GAMES", GAMES)
    (tmp_path / "more").mkdir()
    for name, text in {"good.txt": "#.\n.#\n", "more/good.txt": "...", "bad.txt": "no way in", "mine.py": ""}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe")


def load(folder: Path, text: str | bytes) -> LoadedTournament:
    """The tournament of a file `cup.yaml` with this text."""
    path = folder / "cup.yaml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return load_tournament(path, known_bots=BOTS)


def refusal(folder: Path, text: str | bytes) -> str:
    """What is said about the file, from its name on."""
    with pytest.raises(ConfigError) as caught:
        load(folder, text)
    return str(caught.value).replace(f"{folder}/cup.yaml", "cup.yaml").replace(str(folder), "FOLDER")


def edited(edits: str, *, place: str = "") -> str:
    """SMALL with these edits; what names no other place stands in `place`."""
    text = SMALL
    for edit in edits.split("\nand\n"):
        old, arrow, new = edit.partition(" >> ")
        old, new = (old, new) if arrow else (place, edit)
        assert old in text, old
        text = text.replace(old, new) if old else f"{text}{new}\n"
    return text


def cases(table: str, *, place: str = "") -> dict[str, tuple[str, str]]:
    """What is wrong -> the text and what is said; the table has `edits  # what is wrong` and `=> what is said`."""
    entries = re.findall(r"(.+?)  # ([^\n]+)\n=> ([^\n]+\n(?:   [^\n]+\n)*)", table, re.DOTALL)
    return {wrong: (edited(edits, place=place), " ".join(said.split())) for edits, wrong, said in entries}


TEXTS: dict[str, tuple[str | bytes, str]] = {
    "a required part is missing": (
        "tournament: cup\nbots: [{name: a}]\n",
        "games: expected a list with at least one entry, got nothing: the key is required (line 1)",
    ),
    "a list for the whole": ("- a\n- b\n", "expected a mapping, got a list (line 1)"),
    "text for the whole": ("hello\n", "expected a mapping, got 'hello' (line 1)"),
    "nothing but comments": (
        "# nothing yet\n",
        "expected a mapping with tournament, games and bots, got an empty file (line 1)",
    ),
    "text that is not UTF-8": (SMALL.encode() + b"# caf\xe9\n", "expected UTF-8 text, got byte 0xe9 (line 7)"),
}
EDITS = cases("""\
- game: duel >> - game: duel
    qqq: 1  # an unknown key that resembles none
=> games[0].qqq: expected one of game, name, params, maps, seats, seating, time, got an unknown key (line 4)
game: duel >> gmae: duel  # an unknown key before the key that is missing because of it
=> games[0].gmae: expected game, got an unknown key (line 3)
tournament: cup >> tournament: ../cup  # a name unfit for a folder
=> tournament: expected a name of 1 to 64 letters, digits, - and _, got '../cup' (line 1)
tournament: cup >> tournament: "cup\\n"  # a name with a line end
=> tournament: expected a name of 1 to 64 letters, digits, - and _, got 'cup\\n' (line 1)
tournament: cup >> tournament: "a\\n\\nb"
x: |
  1
  2  # a text of several lines, of which the message is one line
=> x: expected one of tournament, games, bots, entries, exclude, seed, format, stop, time, faults, execution, broker,
   records, tables, got an unknown key (line 2)
name: a, >> name: off,  # a word that YAML takes for a boolean
=> bots[0].name: expected a name of 1 to 64 letters, digits, - and _, got off, which YAML reads as false: put it in
   quotes (line 5)
name: a, bot: random >> name: a, command: [node, 3]  # a number for text
=> bots[0].command[1]: expected text, got 3: put it in quotes (line 5)
{name: b, bot: random} >> name: b
    roles:
      heroes:
        bot: [x]  # a mistake deep inside
=> bots[1].roles.heroes.bot: expected text or null, got a list (line 9)
name: a,  >>   # a required key that is missing
=> bots[0].name: expected a name of 1 to 64 letters, digits, - and _, got nothing: the key is required (line 5)
  - game: duel
 >>   []
  # an empty list
=> games: expected a list with at least one entry, got an empty list (line 2)
  - game: duel >>   game: duel  # a mapping for a list
=> games: expected a list with at least one entry, got a mapping (line 2)
  - game >> \t- game  # a tab
=> expected spaces, got a tab: YAML does not indent with tabs (line 3)
game: duel >> game: maze
and
format: {type: gauntlet, challengers: [a]}  # a gauntlet without rivals
=> format.type: expected round_robin or solo for maze, where one bot holds every seat, got gauntlet (line 7)
game: duel >> {game: duel, seats: 3}
and
  - {name: c, bot: random}
stop: {}  # a stop rule for three sides
=> stop: used only in games with 2 sides, and duel has 3 sides: remove it (line 8)
game: duel >> game: maze
and
stop: {}  # a stop rule for one side
=> stop: used only in games with 2 sides, and maze has 1 side: remove it (line 7)
  - {name: b, bot: random} >>   # one bot for two sides
=> bots: expected at least 2 for duel, which has 2 sides, got 1 (line 4)
game: duel >> {game: crew, seats: 3, seating: mixed}  # mixed seating with a bot too few
=> bots: expected at least 3 for crew, which has 3 sides, got 2 (line 4)
- game: duel >> - game: duel
  - game: quest
and
{name: a, bot: random} >> {name: a, bot: duel/astar}  # a bot that does not play every scheduled game
=> bots[0].bot: expected a bot that plays quest, got 'duel/astar', which plays duel (line 6)
game: duel >> game: quest
and
{name: a, bot: random} >> {name: a, roles: {heroes: {bot: quest/astar}}}  # a role without a program
=> bots[0].roles: expected a program for 'zargon' of quest, got none (line 5)
game: duel >> game: quest
and
a, bot: random >> a, roles: {heroes: {bot: random}, zargon: {bot: random}, zorgan: {bot: random}}  # a role of no game
=> bots[0].roles.zorgan: expected zargon, got an unknown role (line 5)
game: duel >> game: quest
and
a, bot: random >> a, roles: {heroes: {bot: random}, zargon: {bot: quest/zorgon}}  # an unknown bot in a role
=> bots[0].roles.zargon.bot: expected quest/zargon, got 'quest/zorgon' (line 5)
game: duel >> game: quest
and
a, bot: random >> a, roles: {heroes: {bot: random}, zargon: {bot: random}}, options: {x: 1}  # options beside roles
=> bots[0].options: expected options with the program of each role, got options beside roles (line 5)
""")
for kind in ("swiss", "knockout", "ladder"):
    EDITS |= cases(f"""\
game: duel >> {{game: duel, seats: 3}}
and
  - {{name: c, bot: random}}
format: {{type: {kind}}}  # three sides of a {kind}
=> format.type: expected round_robin or gauntlet for duel, which has 3 sides and not 2, got {kind} (line 8)
game: duel >> game: maze
and
format: {{type: {kind}}}  # one side of a {kind}
=> format.type: expected round_robin or solo for maze, where one bot holds every seat, got {kind} (line 7)
""")

ADDED = cases("""\
formt: {}  # an unknown key with the nearest one
=> formt: expected format, got an unknown key (line 7)
seed: abc  # text for a number
=> seed: expected a whole number from 0 to 9007199254740991 or secret, got 'abc' (line 7)
time: {turn_ms: 0}  # a number too small
=> time.turn_ms: expected a whole number of at least 1 or null, got 0 (line 7)
seed: 9007199254740992  # a seed too large
=> seed: expected a whole number from 0 to 9007199254740991 or secret, got 9007199254740992 (line 7)
faults:
  limit: 2.5  # a fraction for a whole number
=> faults.limit: expected a whole number of at least 1, got 2.5 (line 8)
time: {start_ms: 1:30}  # a time of day for a number
=> time.start_ms: expected a whole number of at least 1, got '1:30' (line 7)
format: {type: round-robin}  # a choice that is nearly right
=> format.type: expected one of double_elimination, gauntlet, knockout, ladder, round_robin, solo, stages, swiss, got
   'round-robin': did you mean round_robin? (line 7)
format: {type: hill}  # a format of a later version
=> format.type: expected one of double_elimination, gauntlet, knockout, ladder, round_robin, solo, stages, swiss,
   got 'hill' (line 7)
stop: {indiference: 0.1}  # an unknown key of a stop rule
=> stop.indiference: expected indifference, got an unknown key (line 7)
stop: never  # a stop rule that is none
=> stop: expected a mapping or null, got 'never' (line 7)
stop: {adaptive: off}  # a word that YAML takes for false
=> stop.adaptive: expected one of none, race, safe, got off, which YAML reads as false: put it in quotes (line 7)
stop: {when: resolve}  # a stop rule that is nearly right
=> stop.when: expected one of better, resolved, sprt, got 'resolve': did you mean resolved? (line 7)
execution: {parallel: outo}  # a word for a number or auto
=> execution.parallel: expected a whole number of at least 1 or auto, got 'outo': did you mean auto? (line 7)
seed: 1
seed: 2  # a key given twice
=> seed: expected each key once, got it again (first in line 7) (line 8)
format: {challengers: [a]}  # challengers without a gauntlet
=> format.challengers: not used with `type: round_robin`: remove it (line 7)
format: {type: gauntlet}  # a gauntlet without challengers
=> format.challengers: expected at least one bot's name in a gauntlet, got an empty list (line 7)
format: {type: gauntlet, challengers: [a, gambt]}  # an unknown challenger
=> format.challengers[1]: expected one of a, b, got 'gambt' (line 7)
format: {type: gauntlet, challengers: [a, a]}  # a challenger twice
=> format.challengers[1]: expected each challenger once, got a second 'a' (line 7)
format: {type: gauntlet, challengers: [a, b]}  # nobody to challenge
=> bots: expected at least 1 besides the challengers for duel, which has 2 sides, got 0 (line 4)
format: {type: solo}  # solo where there are rivals
=> format.type: expected round_robin or gauntlet for duel, which has 2 sides, got solo (line 7)
format: {type: knockout, rounds: 3}  # rounds of a knockout
=> format.rounds: not used with `type: knockout`: remove it (line 7)
format: {seeding: hash}  # a seeding of a round robin
=> format.seeding: not used with `type: round_robin`: remove it (line 7)
format: {type: gauntlet, challengers: [a], pairs: 2}  # pairs of a gauntlet
=> format.pairs: not used with `type: gauntlet`: remove it (line 7)
format: {type: swiss, third_place: false}  # a third place in a swiss
=> format.third_place: not used with `type: swiss`: remove it (line 7)
format: {type: ladder, replays: 0}  # replays in a ladder
=> format.replays: not used with `type: ladder`: remove it (line 7)
format: {type: stages}  # more groups than pairs of bots
=> format.groups: expected at most 1, as each group needs two bots, got 2 (line 7)
format: {type: stages, groups: 1, advance: 3}  # more bots in the final than in a group
=> format.advance: expected at most 2, the bots of the smallest group, got 3 (line 7)
format: {type: stages, groups: 1, advance: 1}  # a final of one
=> format.advance: expected at least 2 bots in the final, got 1 (line 7)
format: {type: ladder, max_matches: 3, pairs: 2}  # a ladder too short for a challenge
=> format.max_matches: expected at least 4, the matches of one challenge, got 3 (line 7)
format: {type: ladder, max_matches: 30, rounds: 2}  # two lengths of a ladder
=> format.rounds: not used with `max_matches`: remove it (line 7)
format: {type: swiss}
stop: {}  # a stop rule in a format that ends by itself
=> stop: used only in a round_robin or gauntlet, not in a swiss: remove it (line 8)
stop: {elo1: 5}  # a stop rule of the other kind
=> stop.elo1: not used with `when: resolved`: remove it (line 7)
stop: {when: sprt, goal: order}  # a goal for a test of two versions
=> stop.goal: not used with `when: sprt`: remove it (line 7)
stop: {confidence: 95}  # a confidence in per cent
=> stop.confidence: expected a number above 0.5 and below 1, got 95 (line 7)
stop: {indifference: 20}  # an indifference in Elo points
=> stop.indifference: expected a number from 0 to below 0.5, got 20 (line 7)
stop: {goal: top}  # a top of nobody knows how many
=> stop.top: expected a whole number of at least 1, since the goal is top, got nothing (line 7)
stop: {goal: top, top: 2}  # a top of everybody
=> stop.top: expected a whole number below 2, the number of bots, got 2 (line 7)
stop: {goal: winner, top: 1}  # a number of winners
=> stop.top: not used with `goal: winner`: remove it (line 7)
format: {rounds: 3}
stop: {max_matches: 5}  # a cap below the first rounds
=> stop.max_matches: expected at least 6: the first 3 rounds have that many, got 5 (line 8)
format: {type: gauntlet, challengers: [a]}
stop: {}  # one challenger to tell apart
=> format.challengers: expected at least 2 to compare, since there is a stop rule, got 1 (line 7)
stop: {when: sprt, elo0: 10, elo1: 0}  # bounds in the wrong order
=> stop.elo1: expected a number above elo0, which is 10, got 0 (line 7)
stop: {when: sprt, elo1: 300}  # a bound that the test cannot tell
=> stop.elo1: expected at most 221, got 300 (line 7)
stop: {when: sprt, elo1: 221.5}  # a bound just above the limit
=> stop.elo1: expected at most 221, got 221.5 (line 7)
stop: {when: sprt, elo0: -222, elo1: 0}  # the other bound
=> stop.elo0: expected at least -221, got -222 (line 7)
format: {swap_seats: false}
stop: {when: sprt, elo1: 313}  # a bound that single matches cannot tell
=> stop.elo1: expected at most 312, got 313 (line 8)
format: {rounds: 2000000000}  # more rounds than anybody plays
=> format.rounds: expected a whole number from 1 to 1000000000, got 2000000000 (line 7)
format: {type: swiss, pairs: 10001}  # more seeds than a meeting may have
=> format.pairs: expected a whole number from 1 to 10000, got 10001 (line 7)
format: {type: knockout, replays: 10001}  # more replays than a meeting may have
=> format.replays: expected a whole number from 0 to 10000, got 10001 (line 7)
format: {type: ladder, max_matches: 1000000001}  # a ladder without end
=> format.max_matches: expected a whole number from 1 to 1000000000 or null, got 1000000001 (line 7)
stop: {max_matches: 1000000001}  # a cap that is none
=> stop.max_matches: expected a whole number from 1 to 1000000000, got 1000000001 (line 7)
format: {rounds: 60000}
stop: {max_matches: 999999999}  # first rounds that are planned at once
=> format.rounds: expected rounds of at most 100000 matches before the stop rule first decides, got 120000 (line 7)
stop: {when: sprt, beta: 0.5}  # an error rate of a half
=> stop.beta: expected a number above 0 and below 0.5, got 0.5 (line 7)
  - {name: c, bot: random}
stop: {when: sprt}  # two versions are compared by a test
=> bots: expected 2, since sprt compares two bots, got 3 (line 4)
stop: {when: better, error: 0.5}  # a series that is wrong in half of all cases
=> stop.error: expected a number above 0 and below 0.5, got 0.5 (line 7)
format: {type: gauntlet, challengers: [a]}
stop: {when: better}  # a series of challengers
=> format.type: expected round_robin, since versions are tested in the order of the file, got gauntlet (line 7)
  - {name: c, bot: random}
format: {type: gauntlet, challengers: [a, b]}
stop: {adaptive: race}  # a race of challengers
=> stop.adaptive: expected none or safe in a gauntlet, where challengers do not meet, got race (line 9)
broker: {use: external}  # an external broker without a url
=> broker.url: expected mqtt://host:port or mqtts://user:password@host:port, since the broker is external, got nothing
   (line 7)
broker: {use: external, url: 'http://x:1883'}  # a url of another kind
=> broker.url: expected mqtt://host:port or mqtts://user:password@host:port, got 'http://x:1883' (line 7)
broker: {use: external, url: 'mqtt://'}  # a url without a host
=> broker.url: expected mqtt://host:port or mqtts://user:password@host:port, got 'mqtt://' (line 7)
broker: {use: external, url: 'mqtt://joe:secret@x:99999'}  # a url whose port is none
=> broker.url: expected mqtt://host:port or mqtts://user:password@host:port, got 'mqtt://joe@x:99999' (line 7)
broker: {use: mosquitto, url: 'mqtt://joe:se@cret@x'}  # a url that nobody asked for
=> broker.url: used only with `use: external`: remove it (line 7)
broker: {listen: 0.0.0.0}  # a place to listen without a port
=> broker.listen: expected host:port, got '0.0.0.0' (line 7)
broker: {use: external, url: 'mqtt://x', listen: '0.0.0.0:1883'}  # a place to listen at somebody else's broker
=> broker.listen: not used with `use: external`: remove it (line 7)
broker: {listen: '0.0.0.0:1883', advertise: 'mqtt://x'}  # a name to be found by that is a url
=> broker.advertise: expected host or host:port, got 'mqtt://x' (line 7)
broker: {use: external, url: 'mqtt://x', advertise: x}  # a name to be found by at somebody else's broker
=> broker.advertise: not used with `use: external`: remove it (line 7)
""")

GAME_ENTRIES = cases(
    """\
{game: dual}  # an unknown game
=> games[0].game: expected duel, got 'dual' (line 3)
{game: duel, params: {max_tiks: 3}}  # an unknown parameter
=> games[0].params.max_tiks: expected 'max_ticks', got an unknown parameter of duel (line 3)
{game: duel, params: {max_ticks: 0}}  # a parameter out of bounds
=> games[0].params.max_ticks: expected 1 to 1000, got 0 (line 3)
{game: duel, params: {fog: 1}}  # a parameter of the wrong type
=> games[0].params.fog: expected true or false, got 1 (line 3)
{game: duel, params: {pace: medium}}  # a parameter beside its choices
=> games[0].params.pace: expected one of slow, fast, got 'medium' (line 3)
{game: duel, params: {max_ticks: 9007199254740993}}  # a whole number that JavaScript cannot hold
=> games[0].params.max_ticks: expected a whole number from -9007199254740992 to 9007199254740992, got 9007199254740993
   (line 3)
{game: duel, params: {max_ticks: 13}}  # a value that the game refuses when it starts
=> games[0].params.max_ticks: expected a lucky number, got 13 (line 3)
{game: duel, params: {weight: 1}}  # values that the game refuses together
=> games[0].params: max_ticks + weight: expected at most 50, got 101 (line 3)
{game: duel, params: {max_ticks: 14}}  # a value that makes a default impossible
=> games[0].params.weight: expected at least 0.6, got 0.5 (line 3)
{game: duel, params: {pace: fast, fog: true}}  # values that the game refuses in its own words
=> games[0].params: expected what the game allows, got a refusal: too fast to see (line 3)
{game: duel, seats: 5}  # too many seats
=> games[0].seats: expected 2 to 4 for duel, got 5 (line 3)
{game: quest, seats: 3}  # seats of a game that has one number
=> games[0].seats: expected 4 for quest, got 3 (line 3)
{game: quest, maps: [random]}  # maps for a game without
=> games[0].maps: expected no maps, since quest has no parameter 'map', got 1 map (line 3)
{game: duel, params: {max_ticks: }}  # nothing for a parameter
=> games[0].params.max_ticks: expected true or false or a number or text, got nothing (line 3)
{game: duel, maps: [random, a.txt]}  # a map file that is not there
=> games[0].maps[1]: expected random or a map file (in FOLDER), got 'a.txt': no such file or directory (line 3)
{game: duel, maps: [random, bad.txt]}  # a map that the game refuses
=> games[0].maps[1]: row 2: expected a way in, got none (line 3)
{game: duel, maps: [binary.txt]}  # a map that is no text
=> games[0].maps[0]: expected random or a map file (in FOLDER), got 'binary.txt': line 1: expected UTF-8
   text, got byte 0xff of UTF-16 (line 3)
{game: duel, maps: [good.txt, more/good.txt]}  # two maps of one name
=> games[0].maps[1]: expected maps with different names, got a second 'good' (line 3)
{game: duel, params: {map: '#'}, maps: [good.txt]}  # a map as parameter and in the list
=> games[0].params.map: expected no map here, since the entry has maps, got both (line 3)
{game: duel, name: x}
  - {game: duel, name: x}  # two variants of one name
=> games[1].name: expected a name of its own for each variant, got a second 'x' (line 4)
{game: duel}
  - {game: duel}  # a variant named like a game without a name
=> games[1].name: expected a name of its own for each variant, got a second 'duel' (line 4)
""",
    place="game: duel",
)

BOT_ENTRIES = cases(
    """\
{name: b, bot: random}  # two bots of one name
=> bots[1].name: expected a name of its own for each bot, got a second 'b' (line 6)
{name: a, bot: randem}  # an unknown bot
=> bots[0].bot: expected random, got 'randem' (line 5)
{name: a, bot: mine.py:M}  # a file in the place of a name
=> bots[0].bot: expected a bot that comes with Joust, or `path: mine.py:M` for a file, got 'mine.py:M' (line 5)
{name: a, bot: quest/zargon}  # a bot of another game
=> bots[0].bot: expected a bot that plays duel, got 'quest/zargon', which plays quest (line 5)
{name: a, bot: '*/astra'}  # a planner without a bot for the game
=> bots[0].bot: expected duel/astar, got '*/astra', which is 'duel/astra' there (line 5)
{name: a, bot: random, remote: true}  # two ways
=> bots[0]: expected exactly one of bot, path, command, remote, roles, got bot and remote (line 5)
{name: a}  # no way
=> bots[0]: expected exactly one of bot, path, command, remote, roles, got none (line 5)
{name: a, roles: {heroes: {}}}  # no way in a role
=> bots[0].roles.heroes: expected exactly one of bot, path, command, remote, got none (line 5)
{name: a, roles: {heroes: {remote: true}}}  # a remote bot of one role
=> bots[0].roles.heroes: expected bot, path or command: a remote bot plays every role (remote: true beside its name),
   got remote (line 5)
{name: a, path: mine.py}  # a path to a file without a bot
=> bots[0].path: mine.py contains no bot class; start with `class MyBot(joust.Bot):` (line 5)
{name: a, path: mine.txt}  # a path to no Python file
=> bots[0].path: expected file.py, or file.py:Class with the bot's class in that file, got 'mine.txt' (line 5)
{name: a, path: 'his.py:His'}  # a path to no file
=> bots[0].path: file not found: his.py (in FOLDER) (line 5)
{name: a, command: [node], files: [more, 'book*']}  # a pattern that matches nothing
=> bots[0].files[1]: expected an existing file or folder (in FOLDER), got 'book*' (line 5)
{name: a, command: [node], files: [more, .]}  # a folder with the tokens of other bots, there or to come
=> bots[0].files[1]: expected what the bot may read, without FOLDER/.joust and the tokens of other bots there,
   got '.' (line 5)
{name: a, command: [node], files: ['*/..']}  # the same by another way
=> bots[0].files[0]: expected what the bot may read, without FOLDER/.joust and the tokens of other bots there,
   got '*/..' (line 5)
{name: a, command: [java, -cp, ./, First], build: [javac]}  # the same where the compiler puts its output
=> bots[0].command[2]: expected what the bot may read, without FOLDER/.joust and the tokens of other bots there,
   got './' (line 5)
{name: a, bot: random, files: [more]}  # files of a bot that has its own
=> bots[0].files: expected files beside path or command, got 1 without (line 5)
{name: a, bot: random, protocol: stdio}  # a protocol of a bot that has its own
=> bots[0].protocol: expected protocol: stdio beside command, got no command (line 5)
{name: a, bot: random, build: [make]}  # a build of a bot that is there
=> bots[0].build: expected build beside command, got no command (line 5)
{name: a, command: [./play], build: [no-compiler]}  # a compiler that is missing; what it makes need not be there
=> bots[0].build[0]: expected a program on the PATH, got 'no-compiler' (line 5)
{name: a, command: []}  # an empty command
=> bots[0].command: expected a program and its arguments, got no program (line 5)
{name: a, command: [./play, --fast]}  # a command whose file is not there
=> bots[0].command[0]: file not found: ./play (in FOLDER) (line 5)
{name: a, roles: {heroes: {bot: random}}}  # roles in a game without
=> bots[0].roles: expected bot, path, command or remote, since duel has no roles, got roles heroes (line 5)
{name: a, bot: random, options: {depth: -9007199254740993}}  # an option that JavaScript cannot hold
=> bots[0].options.depth: expected a whole number from -9007199254740992 to 9007199254740992, got -9007199254740993
   (line 5)
""",
    place="{name: a, bot: random}",
)

MISTAKES: dict[str, tuple[str | bytes, str]] = {**TEXTS, **EDITS, **ADDED, **GAME_ENTRIES, **BOT_ENTRIES}


@pytest.mark.parametrize(("text", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_file_that_does_not_fit_is_refused(tmp_path: Path, text: str | bytes, said: str) -> None:
    assert f"cup.yaml: {said}" in refusal(tmp_path, text).split("\n")


def test_mistakes_are_told_together(tmp_path: Path) -> None:
    text = edited("game: duel >> game: dul\nand\n{name: a, bot: random} >> {name: a b, path: his.py:His, seeds: 3}")
    misspelt, unknown, name, game, file = refusal(tmp_path, f"{text}formt: 1\n").split("\n")
    assert misspelt == "cup.yaml: formt: expected format, got an unknown key (line 7)"
    assert unknown.startswith("cup.yaml: bots[0].seeds: expected one of bot, path, ")
    assert name == "cup.yaml: bots[0].name: expected a name of 1 to 64 letters, digits, - and _, got 'a b' (line 5)"
    assert game == "cup.yaml: games[0].game: expected duel, got 'dul' (line 3)"
    assert file == "cup.yaml: bots[0].path: file not found: his.py (in FOLDER) (line 5)"
    text = edited("game: duel >> game: dul\nand\n{name: a, bot: random} >> {name: a, path: his.py:His}")
    assert refusal(tmp_path, text).split("\n") == [
        "cup.yaml: games[0].game: expected duel, got 'dul' (line 3)",
        "cup.yaml: bots[0].path: file not found: his.py (in FOLDER) (line 5)",
    ]


def test_a_mistake_of_structure_hides_no_other_one(tmp_path: Path) -> None:
    text = """\
tournament: cup
games:
  - {game: duel, parms: {}}
  - {game: duel, params: {map: 3}}
bots:
  - {name: a, bot: random, seeds: 3}
  - {name: b, bot: randem}
  - {name: c, path: his.py:His}
  - {name: b, bot: random}
format: {type: knockout, rounds: many}
"""
    assert [re.split(": expected|: file", line)[0] for line in refusal(tmp_path, text).split("\n")] == [
        f"cup.yaml: {place}"
        for place in (
            "games[0].parms",
            "bots[0].seeds",
            "format.rounds",
            "games[1].params.map",
            "bots[3].name",
            "bots[1].bot",
            "bots[2].path",
        )
    ]


def test_mistakes_of_all_sections_are_told_at_once(tmp_path: Path) -> None:
    text = """\
tournament: cup
games:
  - {game: duel, maps: [none.txt]}
bots:
  - {name: a, bot: random}
  - {name: b, path: his.py}
entries: "none/*.py"
broker: {listen: nowhere}
"""
    assert [re.split(": expected|: file|: no file", line)[0] for line in refusal(tmp_path, text).split("\n")] == [
        f"cup.yaml: {place}" for place in ("entries", "games[0].maps[0]", "bots[1].path", "broker.listen")
    ]
    text = edited("format: {type: stages, groups: 3}\nand\n{name: a, bot: random} >> {name: a, path: his.py}")
    assert [line.split(": ")[1] for line in refusal(tmp_path, text).split("\n")] == ["bots[0].path", "format.groups"]


def test_a_missing_file_is_told_beside_a_misspelt_key_also_if_other_bots_may_be_broken(tmp_path: Path) -> None:
    text = edited(
        "{name: a, bot: random} >> {name: a, path: mein.py, optoins: {}}\nand\nbot: random} >> path: mine.py}"
    )
    (tmp_path / "cup.yaml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_tournament(tmp_path / "cup.yaml", strict=False)
    misspelt, missing = str(caught.value).split("\n")
    assert "bots[0].optoins: expected options, got an unknown key" in misspelt
    assert missing.endswith("did you mean mine.py? (line 5)")


def test_only_files_that_a_resumed_run_had_may_be_missing(tmp_path: Path) -> None:
    def resumed(text: str) -> LoadedTournament:
        (tmp_path / "cup.yaml").write_text(text)
        return load_tournament(tmp_path / "cup.yaml", strict=False, resumed_in=tmp_path)

    (tmp_path / "mine.py").write_text("import gridjoust as joust\nclass Mine(joust.Bot): pass\n")
    text = edited("{name: a, bot: random} >> {name: a, path: mine.py}")
    (tmp_path / "cup").mkdir()
    (tmp_path / "cup" / "tournament.yaml").write_text(resolve(resumed(text)))
    assert resumed(text).broken == {}
    (tmp_path / "mine.py").rename(tmp_path / "main.py")
    assert resumed(text).broken == {"a": "file not found: mine.py"}
    for other in (text.replace("mine.py", "mein.py"), text.replace("name: a", "name: c")):
        with pytest.raises(ConfigError, match=r"bots\[0\].path: file not found: .*; did you mean main.py\?"):
            resumed(other)


def test_of_many_mistakes_the_first_are_told_and_the_others_counted(tmp_path: Path) -> None:
    lines = refusal(tmp_path, SMALL + "".join(f"key_{number}: 1\n" for number in range(13))).split("\n")
    assert (len(lines), lines[-1]) == (11, "cup.yaml: 3 more mistakes")


def test_a_required_key_that_is_misspelt_is_one_mistake(tmp_path: Path) -> None:
    assert refusal(tmp_path, edited("games: >> gaems:")).count("\n") == 0


def test_a_bot_that_cannot_start_is_no_mistake_of_the_file_if_others_can(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text(edited("{name: a, bot: random} >> {name: a, path: his.py:His}"))
    loaded = load_tournament(tmp_path / "cup.yaml", strict=False, may_lack_files=True)
    assert loaded.broken == {"a": "file not found: his.py"}
    text = (
        (tmp_path / "cup.yaml").read_text().replace("{name: b, bot: random}", "{name: b, command: [no-such-program]}")
    )
    (tmp_path / "cup.yaml").write_text(text)
    with pytest.raises(ConfigError, match="got 'no-such-program'"):
        load_tournament(tmp_path / "cup.yaml", strict=False)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("path: mien.py", "mine.py"),
        ("path: mroe/own/bot.py", "more/own/bot.py"),
        ("path: mroe/bot.py:Mine", "more/bot.py"),
        ("command: [./mine]", "mine.py"),
    ],
)
def test_a_misspelt_file_is_refused_with_the_nearest_name(tmp_path: Path, written: str, meant: str) -> None:
    for name in ("mine.py", "more/bot.py", "more/own/bot.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "cup.yaml").write_text(edited(f"{{name: a, bot: random}} >> {{name: a, {written}}}"))
    with pytest.raises(ConfigError, match=rf"file not found: .*; did you mean {meant}\? \(line \d\)$"):
        load_tournament(tmp_path / "cup.yaml", strict=False)


def test_a_script_with_windows_line_ends_is_named_before_it_is_started(tmp_path: Path) -> None:
    (tmp_path / "play").write_text("#!/usr/bin/env python3\r\n", newline="")
    (tmp_path / "play").chmod(0o755)
    (tmp_path / "cup.yaml").write_text(edited("{name: a, bot: random} >> {name: a, command: [./play]}"))
    said = "expected a script saved with Unix line ends, got './play', whose first line ends in a carriage return"
    assert load_tournament(tmp_path / "cup.yaml", strict=False).broken == {"a": said}
    (tmp_path / "play").write_text("#!/usr/bin/env python3\n")
    assert load_tournament(tmp_path / "cup.yaml", strict=False).broken == {}


def test_every_entry_of_the_tables_is_read() -> None:
    assert [len(table) for table in (TEXTS, EDITS, ADDED, GAME_ENTRIES, BOT_ENTRIES)] == [5, 28, 65, 21, 24]
    assert len(MISTAKES) == 143


def test_a_path_without_a_tournament_file_is_refused(tmp_path: Path) -> None:
    missing = tmp_path / "cup.yaml"
    for path, message in (
        (missing, f"file not found: {missing}"),
        (tmp_path, f"{tmp_path}: expected a tournament file, got a directory"),
    ):
        with pytest.raises(ConfigError, match=f"^{re.escape(message)}$"):
            load_tournament(path)


MAZE, QUEST = "game: duel >> game: maze", "game: duel >> game: quest"
BOTH = "- game: duel >> - game: duel\n  - game: quest"
ONE_BOT = "  - {name: b, bot: random} >> "
ROLES = "a, bot: random >> a, roles: {heroes: {bot: '*/astar'}, zargon: {bot: quest/zargon}}"
FITTING: dict[str, tuple[str, Callable[[Tournament], object], object]] = {
    "three keys are enough": ("", lambda config: config.time, TimeLimits()),
    "one bot for one side": (f"{MAZE}\nand\n{ONE_BOT}", lambda config: [bot.name for bot in config.bots], ["a"]),
    "a place to listen": ("broker: {listen: '[::1]:1883'}", lambda config: config.broker.listen, "[::1]:1883"),
    "a name to be found by": ("broker: {advertise: x.org}", lambda config: config.broker.advertise, "x.org"),
    "a planner's bots": (
        f"{BOTH}\nand\nbot: random}} >> bot: '*/astar'}}",
        lambda config: config.bots[0].bot,
        "*/astar",
    ),
    "every role's program": (f"{QUEST}\nand\n{ROLES}", lambda config: {*config.bots[0].roles}, {"heroes", "zargon"}),
}
FORMATS = {
    "": RoundRobin(),
    "format: {rounds: 3}": RoundRobin(rounds=3),
    "format: {type: ladder, max_matches: 9, seeding: hash}": Ladder(max_matches=9, seeding="hash"),
    # keys of other types with the defaults that they have there
    "format: {type: knockout, rounds: 1, max_matches: null, challengers: [], replays: 1}": Knockout(replays=1),
}
STOPS = {
    "stop: {}": Resolved(),
    "stop: {max_matches: 9, elo0: 0}": Resolved(max_matches=9),
    "stop: {when: sprt, alpha: 0.1, top: null}": Sprt(alpha=0.1),
    "stop: null": None,
}
FITTING |= {line: (line, lambda config: config.format, form) for line, form in FORMATS.items()}
FITTING |= {line: (line, lambda config: config.stop, stop) for line, stop in STOPS.items()}


@pytest.mark.parametrize(("edits", "read", "expected"), FITTING.values(), ids=FITTING)
def test_a_file_that_fits_is_read(
    tmp_path: Path, edits: str, read: Callable[[Tournament], object], expected: object
) -> None:
    assert read(load(tmp_path, edited(edits)).config) == expected


def test_maps_are_read_beside_the_file(tmp_path: Path) -> None:
    loaded = load(tmp_path, edited("{game: duel, maps: [more/good.txt, random]}", place="game: duel"))
    played = {variant.map_name: variant.game.params["map"] for variant in loaded.variants}
    assert played == {"good": "...", "random": ""}


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    assert load(tmp_path, b"\xef\xbb\xbf" + SMALL.encode()).config.tournament == "cup"


def test_a_path_to_a_file_with_one_bot_gets_its_class(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import gridjoust as joust\n\n\nclass Mine(joust.Bot): ...\n")
    assert load(tmp_path, SMALL.replace("a, bot: random", "a, path: mine.py")).config.bots[0].path == "mine.py:Mine"


def test_built_in_names_are_not_looked_up_without_a_list(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text(edited("a, bot: random >> a, bot: who/knows"))
    assert load_tournament(tmp_path / "cup.yaml").config.bots[0].bot == "who/knows"


def test_the_schema_explains_every_key_of_every_section() -> None:
    schema = config_schema()["$defs"]

    assert {"Tournament", "RoundRobin", "Ladder", "Sprt", "BrokerConfig"} <= set(schema)
    for name, section in schema.items():
        assert section["description"], name
        for key, value in section["properties"].items():
            assert value.get("description"), f"{name}.{key}"


SEEDED = ("swap_seats", "seeding", "pairs")


def test_the_schema_offers_each_format_its_own_keys() -> None:
    schema = config_schema()["$defs"]
    formats = [option["$ref"].rpartition("/")[2] for option in schema["Tournament"]["properties"]["format"]["anyOf"]]

    assert {schema[name]["properties"]["type"]["enum"][0]: set(schema[name]["properties"]) for name in formats} == {
        "round_robin": {"type", "rounds", "swap_seats"},
        "gauntlet": {"type", "rounds", "swap_seats", "challengers"},
        "swiss": {"type", "rounds", "swap_seats", "seeding", "pairs"},
        "double_elimination": {"type", *SEEDED, "stop_decided", "replays", "second_final"},
        "stages": {
            *("type", *SEEDED, "stop_decided", "replays", "second_final", "third_place"),
            *("groups", "advance", "final", "rounds"),
        },
        "knockout": {"type", "swap_seats", "seeding", "pairs", "stop_decided", "third_place", "replays"},
        "ladder": {"type", "rounds", "swap_seats", "seeding", "pairs", "stop_decided", "max_matches"},
        "solo": {"type", "rounds", "swap_seats"},
    }
    assert [name for name in formats if "type" not in schema[name]["required"]] == ["RoundRobin"]


@pytest.mark.parametrize("kinds", unions_of(Tournament).values(), ids=unions_of(Tournament))
def test_a_key_is_the_same_in_every_kind_that_has_it(kinds: tuple[type[msgspec.Struct], ...]) -> None:
    schema = config_schema()["$defs"]
    tag_field, _ = tag_of(kinds[0])
    seen: dict[str, object] = {}
    for kind in kinds:
        for key, value in schema[kind.__name__]["properties"].items():
            assert key == tag_field or seen.setdefault(key, value) == value, key
    assert len(seen) > 5


def test_queries_beside_a_map_are_read_behind_it(tmp_path: Path) -> None:
    (tmp_path / "a.map").write_text("map\n")
    assert read_map(tmp_path / "a.map") == "map\n"
    (tmp_path / "a.map.scen").write_text("version 1\n")
    assert read_map(tmp_path / "a.map") == "map\nversion 1\n"
