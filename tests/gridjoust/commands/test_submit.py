"""`joust submit`: what it sends, and what it says of wrong files and addresses, and of a late hand-in."""

from __future__ import annotations

import socket
import zipfile
from pathlib import Path

import pytest

from gridjoust.commands.submit import _body_of
from gridjoust.serve.values import Phase
from tests.gridjoust.serve.fake_contest import CODE, FakeContest
from tests.gridjoust.serve.site import serve
from tests.joust_here import joust


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bot.py").write_text("import gridjoust\n")
    (tmp_path / "joust.key").write_text("my-key\nhttp://127.0.0.1:9/\n")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "key", "message"),
    [
        (["bot.py"], None, "joust: --key: file not found: joust.key; the page on which you join saves it\n"),
        (["bot.py"], "", "joust: joust.key: expected a key on the first line\n"),
        (["bot.py"], "my-key\n", "joust: --at is missing: joust.key names no address on its second line\n"),
        (
            ["bot.py", "--at", "contest"],
            "my-key\n",
            "joust: --at: expected an address such as https://contest.example.org/, got 'contest'\n",
        ),
        (["nobot.py"], "my-key http://127.0.0.1:9/", "joust: BOT: file not found: nobot.py\n"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(folder: Path, arguments: list[str], key: str | None, message: str) -> None:
    (folder / "joust.key").unlink()
    if key is not None:
        (folder / "joust.key").write_text(key)
    done = joust("submit", *arguments, folder=folder)
    assert (done.returncode, done.stderr) == (2, message)


def test_a_contest_that_cannot_be_reached_is_the_machines_fault(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        address = f"http://127.0.0.1:{closed.getsockname()[1]}/"
    done = joust("submit", "bot.py", "--at", address, folder=folder)
    assert done.returncode == 3
    assert done.stderr.startswith(f"joust: {address}: cannot reach the contest: ")


def test_a_folder_is_sent_as_a_zip_without_hidden_files_and_caches(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    for name in ("bot.py", "lib/help.py", "lib/__pycache__/help.pyc", ".git/config", ".env", "node_modules/x/y.js"):
        (mine / name).parent.mkdir(parents=True, exist_ok=True)
        (mine / name).write_text(name)
    name, body = _body_of(mine)
    with body, zipfile.ZipFile(body) as archive:
        assert (name, sorted(archive.namelist())) == ("mine.zip", ["bot.py", "lib/help.py"])
        assert archive.read("lib/help.py") == b"lib/help.py"


@pytest.mark.gate
@pytest.mark.parametrize(("phase", "said"), [(Phase.OPEN, ""), (Phase.FROZEN, ", after the deadline")])
def test_a_hand_in_after_the_deadline_is_said_to_be_late(folder: Path, phase: Phase, said: str) -> None:
    contest = FakeContest(folder / "contest")
    contest.now, contest.on_receive = phase, lambda version: contest.decide(version.label)
    with serve(contest) as site:
        _, key = contest.join(CODE, "ada")
        (folder / "joust.key").write_text(f"{key}\n{site.address}\n")
        done = joust("submit", "bot.py", folder=folder)
    first, *_, last = (done.stdout + done.stderr).splitlines()
    assert first.partition(":")[0] == f"received as ada@1{said}"
    assert (done.returncode, last) == (0, "ada@1: admitted")
