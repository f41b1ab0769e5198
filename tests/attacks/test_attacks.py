"""Hostile bots in a tournament as a user runs it: each loses or gains nothing, and nobody else notices."""

from __future__ import annotations

import functools
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest

from gridjoust.runner.processes.users import barrier, is_root
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.seeds import bot_seed, run_key
from tests.attacks.hostile import is_seed
from tests.attacks.siege_cup import HONEST, HOSTILE, WITNESSES, Siege, besiege, format_cup, gather
from tests.attacks.table import ATTACKS, PLAYED_OUT, Attack
from tests.e2e.bot_on_wire import needs_bubblewrap, needs_built_in, needs_mosquitto
from tests.joust_here import joust as joust_here

pytestmark = pytest.mark.e2e


def why_no_users() -> str:
    """Why bots cannot have users of their own here, "" if they can."""
    if not is_root() or shutil.which("setpriv") is None:
        return "only root, with setpriv, gives bots users of their own"
    found = next(filter(None, map(barrier, (Path(sys.executable), Path(sys.prefix), HOSTILE))), None)
    return f"users of their own could not read {found}" if found else ""


SETTINGS = [
    pytest.param(("mosquitto", "process"), id="mosquitto-process", marks=[needs_mosquitto, pytest.mark.gate]),
    pytest.param(
        ("mosquitto", "sandbox"), id="mosquitto-sandbox", marks=[needs_mosquitto, needs_bubblewrap, pytest.mark.gate]
    ),
    pytest.param(("embedded", "built-in"), id="embedded-built-in", marks=[needs_built_in, pytest.mark.gate]),
    pytest.param(("embedded", "process"), id="embedded-process", marks=pytest.mark.gate),
]
USERS = pytest.param(
    ("mosquitto", "users"), id="mosquitto-users",
    marks=[
        needs_mosquitto,
        pytest.mark.gate,
        pytest.mark.skipif(bool(why_no_users()), reason=why_no_users() or "they can"),
    ],
)  # fmt: skip

BRIDGE = pytest.param(("mosquitto", "bridge"), id="mosquitto-bridge", marks=[needs_mosquitto, pytest.mark.gate])
FLOOD = [pytest.mark.gate, pytest.mark.flood]


Wage = Callable[[tuple[str, str], bool], Siege]


@pytest.fixture(scope="module")
def wage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wage]:
    """One tournament of all attacks, and one of all floods, for every setting; played when first asked for."""
    others = ExitStack()

    @functools.cache
    def besieged(setting: tuple[str, str], is_flood: bool) -> Siege:
        broker, isolation = setting
        attacks = [attack for attack in ATTACKS if attack.is_flood == is_flood]
        folder = tmp_path_factory.mktemp("siege")
        if isolation == "users":  # pytest's folders are closed to them
            folder = Path(others.enter_context(tempfile.TemporaryDirectory()))
            folder.chmod(0o755)
        return besiege(folder, attacks, broker=broker, isolation=isolation)

    with others:
        yield besieged


@pytest.fixture(params=[*SETTINGS, USERS, BRIDGE], scope="module")
def setting(request: pytest.FixtureRequest) -> tuple[str, str]:
    chosen: tuple[str, str] = request.param
    return chosen


@pytest.fixture(params=[False, pytest.param(True, marks=FLOOD)], ids=["attacks", "floods"], scope="module")
def siege(request: pytest.FixtureRequest, setting: tuple[str, str], wage: Wage) -> Siege:
    return wage(setting, request.param)


@pytest.fixture(scope="module")
def at_peace(tmp_path_factory: pytest.TempPathFactory) -> Callable[[bool, bool], Siege]:
    """The witnesses' matches without attacks, with the same honest bots: another program has other seeds."""

    @functools.cache
    def play(is_bridged: bool, is_flood: bool) -> Siege:
        folder = tmp_path_factory.mktemp("peace")
        attacks = [attack for attack in ATTACKS if attack.is_flood == is_flood]
        isolation = "process" if is_bridged else "none"
        text = format_cup(attacks, broker="auto", isolation=isolation, is_bridged=is_bridged, is_harmless=True)
        (folder / "siege.yaml").write_text(text)
        only = [word for witness in WITNESSES for word in ("--only", witness)]
        done = joust_here("run", "siege.yaml", "--trust", *only, folder=folder)
        return gather(folder, code=done.returncode)

    return play


@pytest.fixture
def peace(siege: Siege, setting: tuple[str, str], at_peace: Callable[[bool, bool], Siege]) -> Siege:
    return at_peace(setting[1] == "bridge", "floods_answers" in siege.records)


def seat_of(record: MatchRecord, bot: str) -> int:
    return [seat.bot for seat in record.header.seats].index(bot)


ROWS = [pytest.param(attack, id=attack.name, marks=FLOOD if attack.is_flood else []) for attack in ATTACKS]


@pytest.mark.parametrize("attack", ROWS)
def test_an_attacker_ends_as_the_table_says_and_the_honest_bot_wins_unblamed(
    setting: tuple[str, str], attack: Attack, wage: Wage
) -> None:
    record = wage(setting, attack.is_flood).records[attack.name]
    end, attacker, honest = record.end, seat_of(record, attack.name), seat_of(record, HONEST)
    is_stuck = record.usage.attempts > 1 and end.termination.value == "failed_to_start"  # void before: a busy machine
    assert is_stuck or end.termination.value in attack.ends, end.reason
    assert is_stuck or attack.says in end.reason
    assert (end.ranks[attacker], end.ranks[honest]) == (2, 1)
    assert (end.points[attacker], end.points[honest]) == (0.0, 1.0)
    assert end.forfeited == ([] if end.termination.value == PLAYED_OUT else [attacker])
    assert end.faults[honest] == 0


def test_results_of_bystanders_are_those_of_a_tournament_without_attackers(siege: Siege, peace: Siege) -> None:
    assert peace.code == 0
    for witness in WITNESSES:
        record, undisturbed = siege.records[witness], peace.records[witness]
        assert record.end.termination.value == "completed"
        assert record.end.hash == undisturbed.end.hash


def test_the_run_ends_well_with_standings_of_everybody_and_nothing_leaked(siege: Siege) -> None:
    assert siege.code == 0, siege.shown
    assert siege.standings.keys() == {HONEST, *siege.records}
    assert siege.standings[HONEST]["faults"] == "0"
    assert "Traceback" not in siege.shown
    assert not [letter for letter in siege.shown if not letter.isprintable() and letter != "\n"]
    logs = [*(siege.folder / "logs").glob("*.log")]
    assert max(log.stat().st_size for log in logs) < 11 << 20  # one has written 3 GB
    verified = joust_here("verify", str(siege.folder), folder=siege.folder)
    assert (verified.returncode, verified.stderr) == (0, "")


def leaks_of(siege: Siege) -> dict[str, set[str]]:
    """What bots say that they have got and should not have: by bot."""
    leaks: dict[str, set[str]] = {}
    for log in (siege.folder / "logs").glob("*.log"):
        found = {
            line.partition("LEAK: ")[2] for line in log.read_text("utf-8", "replace").splitlines() if "LEAK" in line
        }
        leaks.setdefault(log.name.partition(".")[0], set()).update(found)
    return {bot: found for bot, found in leaks.items() if found}


def test_nobody_reads_or_writes_what_is_not_its_own(setting: tuple[str, str], siege: Siege) -> None:
    can = {
        "process": {attack.name for attack in ATTACKS if attack.unconfined},
        "bridge": {attack.name for attack in ATTACKS if attack.unconfined},
        "users": {"reads_files", "reads_around"},
    }
    leaks = leaks_of(siege)
    assert leaks.keys() == can.get(setting[1], set()) & siege.records.keys()
    if setting[1] == "users":  # of others' files what everybody may read, and nothing of the results
        places = {siege.folder.parents[1] / place for found in leaks.values() for place in found}
        assert all(place.stat().st_mode & 0o004 and siege.folder not in place.parents for place in places), places


def test_who_knows_the_number_finds_that_a_bots_seed_comes_from_it() -> None:
    key = run_key(3, tournament="siege", games=["bomber"])
    told = {"match": "0a1b", "seats": [1], "bot_seed": bot_seed(key, "0a1b", 1)}
    assert [guess for guess in range(5) if is_seed(guess, name="siege", games=["bomber"], told=told)] == [3]


def test_no_process_outlives_the_run(siege: Siege) -> None:
    assert _processes_in(siege.folder.parents[1]) == []


def _processes_in(folder: Path) -> list[list[str]]:
    """Command lines of the processes that work in a folder."""
    found = []
    for process in psutil.process_iter():
        try:
            if Path(process.cwd()).is_relative_to(folder):
                found.append(process.cmdline())
        except psutil.Error:
            continue  # gone meanwhile, or somebody else's
    return found
