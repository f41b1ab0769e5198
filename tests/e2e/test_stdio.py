"""Bots on standard input and output in tournaments: all games, the doctor, the sandbox."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from gridjoust.commands.new_bot import STARTERS, make_bot
from gridjoust.runner.results.tables.frames import load
from tests.e2e.bot_on_wire import BROKERS, needs_sandbox
from tests.e2e.joust_process import joust as joust_process
from tests.e2e.test_docs import blocks_of
from tests.e2e.test_foreign_bots import SHORT_GAMES, play, said
from tests.joust_here import joust
from tests.runner.wire.wire_capture import PAGE

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


@pytest.mark.gate
@needs_sandbox
def test_five_lines_that_know_actions_alone_play_in_the_sandbox_in_real_time_too(tmp_path: Path) -> None:
    (tmp_path / "least.py").write_text(LEAST)
    bots = [entry("least", sys.executable, "-S", "least.py"), "{name: random, bot: random}"]
    rows = play(tmp_path, games=["ricochet"], bots=bots, isolation="sandbox")
    assert set(rows["termination"]) == {"completed"}
    assert rows["faults"].sum() == 0


@pytest.mark.gate
def test_the_doctor_says_what_is_wrong_with_a_bot_that_prints(tmp_path: Path) -> None:
    (tmp_path / "chatty.py").write_text(LEAST.replace("    if", "    print('thinking')\n    if"))
    command = f"{sys.executable} chatty.py"
    options = ("--game", "bomber", "--param", "max_ticks=12", "--matches", "1", "--turn-ms", "5000")
    done = joust("doctor", "--command", command, "--protocol", "stdio", *options, folder=tmp_path)
    assert done.returncode == 0
    assert "passed with warnings (log)" in done.stdout
    assert "lines on standard output, such as 'thinking': use standard error" in " ".join(done.stdout.split())


INFINITE_COST = LEAST.replace(
    "in sys.stdin:", "in sys.stdin:\n    cost = 2.0 if '\"turn\":3,' not in line else 1e999"
).replace('"action": told["legal"][0]', '"action": told["legal"][0], "stats": {"plan_cost": cost}')


@pytest.mark.gate
def test_one_line_that_is_no_json_costs_one_fault_and_the_match_goes_on(tmp_path: Path) -> None:
    (tmp_path / "infinite.py").write_text(INFINITE_COST)
    bots = [entry("infinite", sys.executable, "infinite.py"), "{name: random, bot: random}"]
    rows = play(tmp_path, games=["bomber"], bots=bots)
    assert set(rows["termination"]) == {"completed"}
    assert set(rows[rows["bot"] == "infinite"]["faults"]) == {1}


@pytest.mark.gate
@pytest.mark.parametrize(
    ("shown", "fault", "began"),
    [("{'action': 'up'}", "malformed", ""), ("going up", "late", "no answer within 100 ms: ")],
)
def test_where_every_line_is_wrong_terminal_table_and_report_name_the_line(
    shown: str, fault: str, began: str, tmp_path: Path
) -> None:
    (tmp_path / "wrong.py").write_text(
        LEAST.replace('json.dumps({"action": told["legal"][0]})', f'"{shown}", flush=True')
    )
    bots = "".join(
        f"  - {bot}\n" for bot in (entry("wrong", sys.executable, "wrong.py"), "{name: random, bot: random}")
    )
    games = SHORT_GAMES["bomber"]
    text = ALL_GAMES.replace("GAMES", games).replace("turn_ms: 30000", "turn_ms: 100") + bots
    (tmp_path / "cup.yaml").write_text(text + "faults: {limit: 3}\n")
    done = joust("run", "cup.yaml", "--trust", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    told = f"wrong forfeited in turn 3 ({fault}): {began}standard output: expected a line"
    assert told in " ".join(done.stdout.split())
    results = tmp_path / "results" / "cup"
    [reason] = set(load(results).results["reason"])
    assert shown in reason
    assert set(load(results).results["termination"]) == {fault}
    page = (results / "report.html").read_text()
    assert "print what is no answer to standard error" in page
    assert ("no answer within" in page) == (fault == "late")


@pytest.mark.gate
def test_a_wrong_ready_is_named_by_run_and_doctor_and_a_planner_of_any_name_reaches_the_tables(tmp_path: Path) -> None:
    says = (
        "    if told['type'] in ('hello', 'start'): print('{\"type\": \"ready\", \"planner\": \"%s\"}', flush=True)\n"
    )
    for name, planner in (("wrong", "A*"), ("right", "mcts")):
        (tmp_path / f"{name}.py").write_text(LEAST.replace("    if", says % planner + "    if"))
    bots = [entry(name, sys.executable, f"{name}.py") for name in ("wrong", "right")]
    rows = play(tmp_path, games=["bomber"], bots=bots)
    wrong = "ready: planner: expected 1 to 30 letters, digits or _, got 'A*'"
    assert all(f"(failed_to_start): {wrong}" in reason for reason in rows["reason"])
    assert set(rows[rows["bot"] == "right"]["planner"]) == {"mcts"}
    board = joust("leaderboard", "results/cup", "--by", "planner", "--json", folder=tmp_path)
    assert '"mcts"' in board.stdout
    command = f"{sys.executable} wrong.py"
    done = joust("doctor", "--command", command, "--protocol", "stdio", "--game", "bomber", folder=tmp_path)
    assert done.returncode == 1
    assert wrong in " ".join(done.stdout.split())


@pytest.mark.gate
@needs_sandbox
def test_the_doctor_starts_a_bot_as_a_run_would_and_says_what_the_sandbox_keeps_from_it(tmp_path: Path) -> None:
    folder = tmp_path.joinpath(*["a folder with a long name"] * 10)  # what Python says of its file grows with it
    folder.mkdir(parents=True)
    (folder / "least.py").write_text(LEAST.replace("[0]}))", "[0]}), flush=True)"))
    (folder / "run.sh").write_text(f"#!/bin/sh\nexec {sys.executable} -S least.py\n")
    (folder / "run.sh").chmod(0o755)
    options = ("--game", "bomber", "--param", "max_ticks=6", "--matches", "1", "--turn-ms", "5000")
    command = ("doctor", "--command", "./run.sh", "--protocol", "stdio", *options)
    done = joust(*command, folder=folder)
    shown = " ".join(done.stdout.split())
    assert done.returncode == 1
    assert "as joust run starts it, without --trust: " in shown
    assert "a bot in the sandbox reads its own file" in shown
    assert joust(*command, "--trust", folder=folder).returncode == 0


def test_protocols_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    for options, message in {
        ("--command", sys.executable, "--protocol", "http"): "--protocol: expected mqtt or stdio, got 'http'",
        ("random", "--protocol", "stdio"): "--protocol works only with --command, got 'random'",
    }.items():
        done = joust("doctor", *options, "--game", "bomber", folder=tmp_path)
        assert done.returncode == 2
        assert message in done.stderr


ALL_GAMES = """
tournament: cup
games: [GAMES]
format: {type: round_robin, swap_seats: false}
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
execution: {isolation: process}
bots:
"""


def starter(lang: str, folder: Path) -> str:
    """The entry of a new bot, whose file is written; it is compiled when the tournament begins."""
    bot = make_bot(f"{lang}-bot", game="bomber", language=lang, protocol="stdio", folder=Path("my_bots"))
    for path, text in bot.files.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text)
    return bot.entry.replace("python3", sys.executable)


def play_all_games(langs: Sequence[str], folder: Path) -> None:
    """Without a fault, as what they say they are; what they print beside answers would be one."""
    games = ", ".join(SHORT_GAMES.values())
    entries = [starter(lang, folder) for lang in langs]
    bots = "".join(
        f"  - {entry}\n" for entry in (*entries, *(["{name: random, bot: random}"] if len(langs) == 1 else []))
    )
    (folder / "cup.yaml").write_text(ALL_GAMES.replace("GAMES", games) + bots)
    done = joust("run", "cup.yaml", "--trust", folder=folder)
    assert done.returncode == 0, done.stderr
    rows = load(folder / "results" / "cup").results
    assert set(rows["game"]) == set(SHORT_GAMES)
    assert set(rows["termination"]) == {"completed"}
    assert rows["faults"].sum() == 0
    for lang in langs:
        assert set(rows[rows["bot"] == f"{lang}-bot"]["game"]) == set(SHORT_GAMES)
        assert [line for line in said(folder, f"{lang}-bot") if not line.startswith("==== match ")] == []


def is_there(lang: str) -> bool:
    """Whether what compiles or runs it is installed."""
    words = STARTERS[lang].build or STARTERS[lang].command
    return shutil.which(words[0]) is not None


@pytest.mark.gate
def test_the_starters_of_the_usual_languages_play_every_game_without_a_fault(tmp_path: Path) -> None:
    langs = [lang for lang in ("plain", "c", "javascript") if is_there(lang)]
    play_all_games(langs, tmp_path)


def check_strength(langs: Sequence[str], folder: Path, *, rounds: int, isolation: str = "process") -> None:
    """Each of them wins most of its matches of bomber, four a round, against a bot that picks at random."""
    entries = "".join(f"  - {starter(lang, folder)}\n" for lang in langs) + "  - {name: random, bot: random}\n"
    games = "{game: bomber}, {game: bomber, name: coderone, params: {preset: coderone, max_ticks: 100}}"
    text = ALL_GAMES.replace("GAMES", games).replace(
        "round_robin, swap", f"gauntlet, challengers: [random], rounds: {rounds}, swap"
    )
    (folder / "cup.yaml").write_text(text.replace("isolation: process", f"isolation: {isolation}") + entries)
    done = joust("run", "cup.yaml", *(["--trust"] if isolation == "process" else []), folder=folder)
    assert done.returncode == 0, done.stderr
    rows = load(folder / "results" / "cup").results
    points = rows[rows["bot"] != "random"].groupby("bot")["points"].mean()
    assert len(points) == len(langs)
    assert (points > 0.5).all(), points


@pytest.mark.gate
def test_the_starters_of_the_usual_languages_beat_a_random_bot(tmp_path: Path) -> None:
    check_strength([lang for lang in ("plain", "c", "javascript") if is_there(lang)], tmp_path, rounds=3)


@pytest.mark.gate
@pytest.mark.compilers
@needs_sandbox
@pytest.mark.parametrize("lang", STARTERS)
def test_the_starter_of_every_language_is_built_in_the_sandbox_and_beats_a_random_bot(
    lang: str, tmp_path: Path
) -> None:
    if not is_there(lang):
        pytest.skip(f"expected a compiler of {lang}")
    check_strength([lang], tmp_path, rounds=5, isolation="sandbox")


def check_shown(lang: str, folder: Path) -> None:
    """The starter shows its choice in a match whose start says that somebody looks, and in no other."""
    starter(lang, folder)
    [source] = (folder / "my_bots").iterdir()
    words = {"source": str(source), "target": str(folder / "bot")}
    build, command = ([word.format(**words) for word in one] for one in (STARTERS[lang].build, STARTERS[lang].command))
    if build:
        subprocess.run(build, cwd=folder, check=True, capture_output=True)
    start = '{"type":"start",%s"match":"m","seats":[0],"params":{},"bot_seed":7}'
    turn = '{"type":"turn","match":"m","ask":1,"seat":0,"turn":1,"observation":{},"legal":["left","right"]}'
    lines = [start % '"lens":true,', turn, start % "", turn]
    told = subprocess.run(command, input="\n".join(lines) + "\n", check=True, capture_output=True, text=True)
    _, looked_at, _, alone = map(json.loads, told.stdout.splitlines())
    [layer] = looked_at["shown"]
    assert (layer["name"], layer["kind"]) == ("choice", "text")
    assert layer["data"].split(",")[0] == looked_at["action"]
    assert alone.keys() <= {"type", "action"}


@pytest.mark.gate
def test_the_starters_of_the_usual_languages_show_their_choice_where_somebody_looks(tmp_path: Path) -> None:
    for lang in ("plain", "c", "javascript"):
        if is_there(lang):
            (tmp_path / lang).mkdir()
            check_shown(lang, tmp_path / lang)


@pytest.mark.gate
@pytest.mark.compilers
@pytest.mark.parametrize("lang", STARTERS)
def test_the_starter_of_every_language_shows_its_choice_where_somebody_looks(lang: str, tmp_path: Path) -> None:
    if not is_there(lang):
        pytest.skip(f"expected a compiler of {lang}")
    check_shown(lang, tmp_path)


@pytest.mark.gate
@pytest.mark.compilers
@pytest.mark.parametrize("lang", STARTERS)
def test_the_starter_of_every_language_plays_every_game_without_a_fault(lang: str, tmp_path: Path) -> None:
    if not is_there(lang):
        pytest.skip(f"expected a compiler of {lang}")
    play_all_games([lang], tmp_path)


@pytest.mark.gate
def test_a_bot_that_does_not_compile_forfeits_with_the_compilers_line_and_none_is_told_of_the_broker(
    tmp_path: Path,
) -> None:
    (tmp_path / "nosy.py").write_text(
        "import os, sys\nsys.stderr.write(' '.join(k for k in os.environ if k.startswith('JOUST')) + '\\n')\n" + LEAST
    )
    build = "build: [/bin/sh, -c, 'echo mine.c:3:1: error: no such thing; exit 1']"
    bots = [f"{{name: mine, {build}, command: [./mine]}}", entry("nosy", sys.executable, "nosy.py")]
    rows = play(tmp_path, games=["bomber"], bots=bots)
    assert set(rows["termination"]) == {"failed_to_start"}
    assert all("build: mine.c:3:1: error: no such thing" in reason for reason in rows["reason"])
    assert set(rows[rows["bot"] == "nosy"]["rank"]) == {1}
    assert said(tmp_path, "nosy")[0].split() == ["JOUST_TOPIC", "JOUST_PROTOCOL"]


@pytest.mark.gate
@pytest.mark.skipif(shutil.which("gcc") is None, reason="expected gcc")
def test_four_commands_lead_from_nothing_to_a_bot_in_c_on_the_leaderboard(tmp_path: Path) -> None:
    [commands] = [block.text.splitlines() for block in blocks_of(PAGE) if "c" in block.words]
    assert (len(commands), commands[1], commands[3]) == (4, "cd my-cup", "joust run cup.yaml")
    assert joust(*shlex.split(commands[0])[1:], folder=tmp_path).returncode == 0
    folder = tmp_path / "my-cup"
    assert joust(*shlex.split(commands[2])[1:], folder=folder).returncode == 0
    text = (folder / "cup.yaml").read_text()
    (folder / "cup.yaml").write_text(text.replace("rounds: 2", "rounds: 1").replace("turn_ms: 1000", "turn_ms: 30000"))
    done = joust("run", "cup.yaml", "--only", "rook", folder=folder)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^│ +\d │ rook +│", done.stdout, re.MULTILINE)
    rows = load(folder / "results" / "cup").results.query("bot == 'rook'")
    assert (rows["faults"].sum(), set(rows["termination"])) == (0, {"completed"})


@pytest.mark.gate
@pytest.mark.compilers
@pytest.mark.skipif(shutil.which("javac") is None, reason="expected Java")
def test_the_five_lines_of_java_play(tmp_path: Path) -> None:
    for block in blocks_of(PAGE):
        if "file" in block.words:
            file = tmp_path / block.words["file"]
            file.parent.mkdir(exist_ok=True)
            file.write_text(block.text.replace("turn_ms: 1000", "turn_ms: 30000"))
    assert len((tmp_path / "my_bots" / "First.java").read_text().splitlines()) == 9  # braces and the class around five
    done = joust("run", "first.yaml", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = load(tmp_path / "results" / "first").results
    assert set(rows["bot"]) == {"first", "random"}
    assert (rows["faults"].sum(), set(rows["termination"])) == (0, {"completed"})


LEAVES = """
while read -r line; do
  case $line in
    *'"type":"hello"'* | *'"type":"start"'*) echo '{"type":"ready"}' ;;
    *'"type":"turn"'*) echo '{"action":"wait"}' ;;
    *'"type":"end"'*) echo left >&2; exit ;;
  esac
done
"""

LEAVING_CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 1}}]
format: {rounds: 50, swap_seats: false}
time: {turn_ms: 60000, start_ms: 60000}
execution: {parallel: 4, isolation: process}
broker: {use: BROKER}
bots:
"""


@pytest.mark.gate
@pytest.mark.parametrize("broker", BROKERS)
def test_bots_that_leave_after_each_match_end_no_run_and_lose_no_match(broker: str, tmp_path: Path) -> None:
    (tmp_path / "leaves.sh").write_text(LEAVES)
    bots = "".join(f"  - {entry(name, '/bin/sh', 'leaves.sh')}\n" for name in "abcd")
    (tmp_path / "cup.yaml").write_text(LEAVING_CUP.replace("BROKER", broker) + bots)
    done = joust_process(
        "run", "cup.yaml", "--trust", folder=tmp_path, patience_s=900.0
    )  # ten seconds where it is quiet
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    results = load(tmp_path / "results" / "cup").results
    assert results["match_id"].nunique() == 300
    assert set(results["termination"]) == {"completed"}
    for name in "abcd":
        logs = (tmp_path / "results" / "cup" / "logs").glob(f"{name}.*.log")
        assert sum(log.read_text().count("left\n") for log in logs) == 150  # of its matches
