"""What people read when they mistype a command line: one line, exit code 2."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path

import pytest

from gridjoust.runner.results.records.file import list_records, read_record
from tests.gridjoust.commands.test_plan import ROOM, SCEN
from tests.gridjoust.commands.test_solve import POSITIONS
from tests.joust_here import joust

SAMPLE = Path(__file__).parents[3] / "results" / "sample"
ID = list_records(SAMPLE)[0].stem
RECORDS = {path.stem: [seat.bot for seat in read_record(path).header.seats] for path in list_records(SAMPLE)}
RANDOMS, SEAT = next((match, bots.index("random")) for match, bots in RECORDS.items() if "random" in bots)
ASK = f"ask --record sample/records/{ID}.jsonl"
ASK_FILE = "ask random --observation q.json"
PLAN = "plan --map room.map --planner astar"
SOLVE = "solve ricochet positions.json"
LOCAL = "- bot: random\n  path: null\n  command: null\n  build: []\n  protocol: mqtt\n  files: []\n  remote: false"
REMOTE = "- bot: null\n  path: null\n  command: null\n  build: []\n  protocol: mqtt\n  files: []\n  remote: true"

MISTAKES = [
    ("runn cup.yaml", "no such command 'runn'. Did you mean 'run', 'rerun'?; see joust --help"),
    ("run", "run: missing argument 'file'; see joust run --help"),
    ("run cup.yaml --parallel many", "run: invalid value for '--parallel': Input should be a valid integer"),
    ("run cup.yaml --parallel 0",
        "run: invalid value for '--parallel': Input should be greater than or equal to 1; see"),
    ("run cup.yaml --quick", "run: no such option: --quick; see joust run --help"),
    ("run cup.yaml --seed soon", "--seed: expected a whole number from 0 to 9007199254740991, 32 hex digits or secret"),
    ("replay zzz", "zzz: no such match record, and no match in results has this id"),
    ("replay sample/zzz", "sample has no match whose id begins with 'zzz'"),
    ("draw bomber --moves x", "--moves works only with ricochet, without parameters, seats and seat"),
    ("draw chess", "draw: expected"),
    ("draw bomber --param soft=many", "draw: soft: expected"),
    ("run none.yaml", "file not found: none.yaml"),
    ("run cups/cup", "file not found: cups/cup; did you mean cups/cup.yaml?"),
    ("run two.py",
        "two.py: expected a tournament file (YAML), got a Python file; to test a bot: joust doctor two.py"),
    ("replay none/abc", "none/abc: no such match record or results folder"),
    ("play bomber --bot bomber/beem", "--bot: expected bomber/beam, got 'bomber/beem'"),
    ("doctor two", "BOT: did you mean two.py?"),
    ("doctor bots", "BOT: bots is a folder: name a file, such as bots/one.py"),
    ("doctor cups/cup.yaml", "BOT: cups/cup.yaml is a tournament file: joust run cups/cup.yaml"),
    ("doctor room.map", "BOT: room.map is not a Python file: give the command that starts it, such as"),
    ("doctor two.py:One --against three.py", "--against: file not found: three.py"),
    ("leaderboard cups/cup.yaml", "results folder not found: cups/cup.yaml"),
    ("leaderboard bots", "bots: expected one results folder, got no results.csv"),
    ("matches sample --bot zed", "--bot: expected one of "),
    ("matches sample --lost", "--lost works only with --bot NAME"),
    ("new-bot 'my bot' --game bomber", "name: expected a letter, then letters, digits, - or _ (64 at most), got"),
    ("new-bot mine --game bombr", "game: expected bomber, got 'bombr'"),
    ("new-bot mine --game bomber --lang ruby", "lang: expected python, plain, javascript, c, cpp, java, go or rust"),
    ("connect abc two.py", "TOKEN: expected a word such as joust1_..., as `joust tokens` prints it, got 3 letters"),
    ("work cup.yaml", "URL: expected http://host:port, got 'cup.yaml'"),
    ("analyse sample", "sample is a folder: name a match in it, such as sample/"),
    ("doctor nobody", "BOT: expected one of random, bomber/wanderer, "),
    ("doctor two.py:Three", "BOT: expected a class Three in two.py, got only One, Two"),
    ("run .", ".: expected a tournament file, got a directory"),
    ("leaderboard sample more", "leaderboard: got unexpected extra argument(s) (more); see joust leaderboard --help"),
    ("leaderboard sample --by colour", "--by: expected one of game, variant, map, role, planner, got 'colour'"),
    ("leaderboard sample --json --csv", "leaderboard: give --json or --csv, not both"),
    ("leaderboard sample --price --csv", "leaderboard: give --price or --csv, not both"),
    ("leaderboard sample --price", "--price: no path has a cost in bomber; it needs a game such as navigation"),
    ("verify none", "results folder not found: none"),
    ("report nowhere", "results folder not found: nowhere"),
    ("report sample --out .", "--out: expected a file to write, got the folder ."),
    ("schema yaml", "schema: expected protocol, asyncapi or config, got 'yaml'"),
    ("init room.map", "room.map is a file, not a folder"),
    ("doctor bomber/asta --game bomber", "BOT: expected bomber/astar, got 'bomber/asta'"),
    ("doctor none.py:Bot --game bomber", "BOT: file not found: none.py"),
    ("doctor random", "--game is missing: random does not say which game it plays"),
    ("doctor two.py", "BOT: two.py contains several bots (One, Two): name one of them, such as two.py:One"),
    ("doctor plain.py",
        "BOT: plain.py contains no bot class; change it to `class Mine(joust.Bot):`"),
    ("doctor misspelt.py", "BOT: misspelt.py: Mine.plays: expected bomber, got 'bommber'"),
    ("doctor two.py:One", "--game is missing: One plays bomber, ricochet"),
    ("doctor wrong.py", "BOT: syntax error in wrong.py line 1: '(' was never closed"),
    ("doctor --game bomber", "BOT is missing: name a bot, or use --command"),
    ("doctor random --command ls --game bomber", "give BOT or --command, not both"),
    ("doctor --command 'no-such-program x' --game bomber",
        "--command: expected a program on the PATH, got 'no-such-program'"),
    ("doctor --command './nothing x' --game bomber",
        "--command: expected a file that may be run (chmod +x), got './nothing'"),
    ("doctor --command '' --game bomber", "--command: expected a program and its arguments, got no program"),
    ('doctor --command "\'" --game bomber', '--command: expected a command line, got "\'": no closing quotation'),
    ("doctor random --game bomber --option skill", "--option: expected name=value, got 'skill'"),
    ("doctor random --game chess", "doctor: expected"),
    ("doctor random --game bomber --param max_tiks=3", "doctor: max_tiks: expected 'max_ticks'"),
    ("doctor random --game bomber --seats 9", "doctor: seats: expected 2 to 4 for bomber, got 9"),
    ("doctor random --game bomber --role king", "--role: expected none, as bomber has no roles, got 'king'"),
    ("doctor random --game heroquest --role king", "--role: expected one of heroes, zargon, got 'king'"),
    ("doctor random --game bomber --against randm", "--against: expected random, got 'randm'"),
    ("ask random", "say which position: --record FILE --turn N, or --observation FILE"),
    (ASK, "--turn is missing: say which turn to ask about"),
    (f"{ASK} --turn 1 --observation q.json", "--observation: give --record or --observation, not both"),
    (f"{ASK} --turn 3 --seat 4", "--seat: expected 0 to 1, got 4"),
    (f"{ASK} --turn 3 --game ricochet", "--game: expected bomber, which was played"),
    (f"ask --record remote/records/{RANDOMS}.jsonl --turn 3 --seat {SEAT}",
        "BOT: a remote bot cannot be started here; name another bot"),
    ("ask random --observation none.json --game bomber", "none.json: expected a question (JSON), got: no"),
    (ASK_FILE, "--game is missing: q.json has no start message that names the game"),
    (f"{ASK_FILE} --game bomber --seat 2", "--seat: expected 0 to 1, got 2"),
    (f"{ASK_FILE} --game bomber --save x", "--save works only with --record"),
    ("rerun sample zzz", "sample has no match whose id begins with 'zzz'"),
    ("rerun nowhere abc", "nowhere is not a results folder: it has no records"),
    (f"rerun sample {ID} --keep yours", "--keep: expected one of "),
    (f"rerun sample {RANDOMS} --keep random --recorded random", "give --keep or --recorded, not both"),
    ("play chess", "play: expected"),
    ("play bomber --param max_tiks=3", "play: max_tiks: expected"),
    ("play bomber --advisor randm", "--advisor: expected random, got 'randm'"),
    ("play bomber --seat 5", "--seat: expected 0 to 1, got 5"),
    ("play bomber --seats 2 --bot random --bot random",
        "--bot: expected 1 bots for bomber with 2 seats, got 2"),
    ("solve chess positions.json", "solve: expected"),
    (f"{SOLVE} --width 4", "--width is no option for ricochet"),
    ("solve ricochet none.json", "cannot read none.json: No such file"),
    (f"{SOLVE} --bot astr", "positions.json: bot: expected one of astar"),
    (f"{SOLVE} --variant x", "--variant: expected plain or printed, got 'x'"),
    ("draw ricochet positions.json --id x", "--id: expected one of two, never"),
    ("draw ricochet --moves up", "--moves: expected a robot and a direction such as red N, got 'up'"),
    (PLAN, "expected one of --scen, --queries, or --start and --goal"),
    (f"{PLAN} --start 0,0", "--goal is missing: expected x,y"),
    (f"{PLAN} --start 0,0 --goal 9,0", "--goal: expected a cell on the map of 6 x 4, got (9, 0)"),
    (f"{PLAN} --start 1,1 --goal 0,0", "--start: expected a passable cell, got a blocked one at (1, 1)"),
    (f"{PLAN} --start '0;0' --goal 0,0", "--start: expected x,y such as 3,12, got '0;0'"),
    (f"{PLAN} --scen room.scen --queries bad.json", "expected one of --scen, --queries, or --start and --goal"),
    (f"{PLAN} --scen none.scen", "cannot read none.scen: No such file or directory"),
    (f"{PLAN} --scen room.map", "room.map: line 1: expected 'version 1' or 'version 1.0', got 'type octile'"),
    (f"{PLAN} --scen wide.scen", "wide.scen: query 1: expected a map of 7 x 4, as the query says, got 6 x 4"),
    (f"{PLAN} --queries bad.json", 'bad.json: expected a list of {"start": [x, y], "goal": [x, y]}: '),
    (f"{PLAN} --queries out.json", "out.json: [0].goal: expected a cell on the map of 6 x 4, got (-1, 0)"),
    (f"{PLAN} --queries empty.json", "empty.json contains no queries"),
    (f"{PLAN} --scen room.scen --planner astr", "--planner: expected astar, or file.py:Class, got 'astr'"),
    (f"{PLAN} --scen room.scen --planner beam,beam", "--planner: expected every planner once, got 'beam' twice"),
    (f"{PLAN} --scen room.scen --connectivity 6", "--connectivity: expected one of 4, 8, got '6'"),
    (f"{PLAN} --scen room.scen --knowledge some", "--knowledge: expected one of known, unknown, got 'some'"),
    (f"{PLAN} --scen room.scen --sensor 0", "--sensor: expected at least 1, got 0"),
    (f"{PLAN} --scen room.scen --limit 0", "--limit: expected at least 1, got 0"),
    (f"{PLAN} --scen room.scen --map no.map", "cannot read no.map: No such file or directory"),
    (f"{PLAN} --scen room.scen --map room.scen", "room.scen: line 1: expected 'type octile' or 'type tile'"),
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results, those of bots that run elsewhere among them, a question, a map with queries, positions."""
    made = tmp_path_factory.mktemp("typed")
    shutil.copytree(SAMPLE, made / "sample")
    shutil.copytree(SAMPLE, made / "remote")
    config = made / "remote" / "tournament.yaml"
    assert LOCAL in config.read_text()
    config.write_text(config.read_text().replace(LOCAL, REMOTE))
    texts = {
        "q.json": "{}",
        "room.map": ROOM,
        "room.scen": SCEN,
        "wide.scen": SCEN.replace("\t6\t", "\t7\t"),
        "bad.json": '[{"start": [0, 0]}]',
        "out.json": '[{"start": [0, 0], "goal": [-1, 0]}]',
        "empty.json": "[]",
        "two.py": "class One(Bot):\n    plays = ('bomber', 'ricochet')\n\n\nclass Two(Bot): ...\n",
        "wrong.py": "class One(Bot",
        "bots/one.py": "",
        "cups/cup.yaml": "",
        "plain.py": "class Mine:\n    def act(self, observation): ...\n",
        "misspelt.py": "class Mine(Bot):\n    plays = ('bommber',)\n",
        "positions.json": json.dumps(POSITIONS),
    }
    for name, text in texts.items():
        (made / name).parent.mkdir(exist_ok=True)
        (made / name).write_text(text)
    return made


@pytest.mark.parametrize(("typed", "line"), MISTAKES, ids=[typed for typed, _ in MISTAKES])
def test_a_mistake_on_the_command_line_is_one_line(folder: Path, typed: str, line: str) -> None:
    done = joust(*shlex.split(typed), folder=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"joust: {line}")
    assert done.stderr.count("\n") == 1
    assert not list(folder.glob("*/reruns"))


def test_without_a_command_the_help_is_shown(tmp_path: Path) -> None:
    done = joust(folder=tmp_path)
    assert (done.returncode, done.stderr) == (2, "")
    assert "Hold a contest" in done.stdout
