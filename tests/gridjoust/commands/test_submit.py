"""`joust submit` without a contest: what it sends, and what it says of wrong files and addresses."""

from __future__ import annotations

import socket
import zipfile
from pathlib import Path

import pytest

from gridjoust.commands.submit import _body_of
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
