"""A contest of submitted files: who plays, who is excluded, and what tables and report say of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridjoust.runner.results.records.file import list_ids
from tests.gridjoust.commands.desk import GOOD, Desk

BOT = "import gridjoust as joust\nclass Mine(joust.Bot):\n    def act(self, observation):\n        return None\n"
ENTRIES = GOOD.partition("bots:")[0] + "bots: [{name: house, bot: random}]\nentries: submissions/*/bot.py\n"
ENTRIES += GOOD[GOOD.index("execution:") :]
CUP = "results/cup"


def submit(desk: Desk, name: str, text: str = BOT) -> None:
    (desk.folder / "submissions" / name).mkdir(parents=True)
    desk.write(f"submissions/{name}/bot.py", text)


def recorded(desk: Desk) -> set[str]:
    return set(list_ids(Path(desk.folder, CUP)))


@pytest.mark.gate
def test_a_late_bot_adds_its_matches_and_an_excluded_one_is_struck_out(desk: Desk) -> None:
    for name in ("ben", "cem"):
        submit(desk, name)
    code, told = desk.run(ENTRIES)
    assert code == 0, told
    first = recorded(desk)
    assert len(first) == 6  # three bots, seats swapped

    submit(desk, "ada")
    desk.write("cup.yaml", ENTRIES + "exclude: {cem: copied from ben}\n")
    code, shown = desk.read("run", "cup.yaml", "--resume")
    assert code == 0
    second = recorded(desk)
    assert first < second
    assert len(second) == len(first) + 4  # ada against house and ben
    assert "- cem does not play: copied from ben" in shown.splitlines()

    assert desk.joust("verify", CUP)[0] == 0
    table = desk.read("leaderboard", CUP)[1].splitlines()
    assert [line.split("│")[1:3] for line in table if "cem" in line and "│" in line] == [[" – ", " cem   "]]
    report = (desk.folder / CUP / "report.html").read_text(encoding="utf-8")
    assert '<tr class="excluded">' in report
    assert "Struck out: cem (copied from ben)." in report

    desk.write("cup.yaml", ENTRIES)
    assert desk.read("run", "cup.yaml", "--resume")[0] == 0  # taken back: only ada against cem is new
    assert len(recorded(desk)) == len(second) + 2
    assert "excluded" not in (desk.folder / CUP / "report.html").read_text(encoding="utf-8").partition("</style>")[2]


def test_a_file_without_a_bot_forfeits_and_is_named_with_what_to_write(desk: Desk) -> None:
    submit(desk, "ada")
    submit(desk, "ben", "print('hello')\n")
    (desk.folder / "submissions" / "cem").mkdir()
    desk.write("cup.yaml", ENTRIES)
    code, shown = desk.read("run", "cup.yaml")
    assert code == 0
    lines = shown.splitlines()
    assert lines[0] == "entries: no bot.py in submissions/cem/"
    told = (
        "ben cannot start and forfeits its matches: bot.py contains no bot class; start with `class MyBot(joust.Bot):`"
    )
    assert [at for at, line in enumerate(lines) if line == told] == [len(lines) - 3]  # above the files of the results
