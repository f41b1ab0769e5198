"""Each right of the table is tried in each isolation that this machine has."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from gridjoust.runner.config.values import ResourceLimits
from gridjoust.runner.processes.process import start_process
from gridjoust.runner.processes.sandbox import Sandbox
from gridjoust.runner.processes.start import Launch
from gridjoust.runner.processes.users import barrier, is_root, open_users, why_no_users
from tests.attacks.rights import COLUMNS, NO, RIGHTS, YES, Right, program
from tests.e2e.bot_on_wire import needs_bubblewrap, needs_built_in

pytestmark = pytest.mark.e2e

PYTHON = Path(shutil.which("python3", path="/usr/bin:/bin") or "/nowhere")
needs_python = pytest.mark.skipif(
    not PYTHON.exists() or barrier(PYTHON) is not None, reason="there is no Python that every user may run"
)
needs_users = pytest.mark.skipif(bool(why_no_users()), reason=f"no user ids here: {why_no_users()}")
KINDS = [
    pytest.param(COLUMNS[0], marks=needs_bubblewrap),
    pytest.param(COLUMNS[1], marks=needs_built_in),
    pytest.param(COLUMNS[2], marks=needs_built_in),
    pytest.param(COLUMNS[3], marks=needs_users),
    COLUMNS[4],
]


@dataclass(frozen=True, slots=True)
class Ground:
    """What is not the bot's, and the bot's own file."""

    folder: Path
    own: Path
    outside: Path
    path: Path
    port: int
    user: int  # of a bot, where it has one of its own
    rivals: int


@pytest.fixture(scope="module")
def ground() -> Iterator[Ground]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        folder.chmod(0o755)  # pytest's own are closed
        own, outside, path = folder / "own.txt", folder / "outside", folder / "socket"
        outside.mkdir()
        for file in (own, outside / "file"):
            file.write_text("x")
            file.chmod(0o644)
        outside.chmod(0o777)
        unix = stack.enter_context(socket.socket(socket.AF_UNIX))
        unix.bind(str(path))
        unix.listen(64)
        path.chmod(0o666)
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=64))
        users = stack.enter_context(open_users())
        ids = (users.of("a"), users.of("b")) if is_root() else (os.getuid(), os.getuid())
        yield Ground(folder, own, outside, path, tcp.getsockname()[1], *ids)


@pytest.fixture
def launch(ground: Ground, tmp_path: Path, kind: str) -> Launch:
    """How a bot is started in an isolation."""
    (scratch := ground.folder / f"scratch of {kind}").mkdir(exist_ok=True)
    made = Launch("a.0", (str(PYTHON),), {}, tmp_path / "a.log", ResourceLimits(), ground.folder)
    match COLUMNS.index(kind):
        case 0:
            return replace(made, sandbox=Sandbox.BUBBLEWRAP, readable=(ground.own,))
        case 1:
            return replace(made, sandbox=Sandbox.BUILT_IN, readable=(ground.own,), scratch=scratch)
        case 2:
            inside = replace(made, sandbox=Sandbox.BUILT_IN, readable=(ground.own,), scratch=scratch)
            return replace(inside, may_use_tcp=True)
        case 3:
            return replace(made, user=ground.user)
        case _:
            return made


@pytest.fixture
async def rival(launch: Launch, ground: Ground, tmp_path: Path) -> AsyncIterator[int]:
    """Another bot, a process of the same isolation that waits."""
    (scratch := tmp_path / "scratch").mkdir()
    user = ground.rivals if launch.user is not None else None
    waiting = replace(launch, command=("/bin/sleep", "600"), stderr=tmp_path / "b.log", user=user)
    process = await start_process(replace(waiting, scratch=scratch) if launch.is_built_in else waiting)
    yield process.pid
    process.kill()
    await process.wait()


@pytest.mark.default(
    "bubblewrap-see that a path exists",
    "bubblewrap-make a namespace of users",
    "plain processes-list folders of others",
    "built-in, own MQTT-see command lines of other processes",
)
@needs_python
@pytest.mark.parametrize("right", RIGHTS, ids=[right.name for right in RIGHTS])
@pytest.mark.parametrize("kind", KINDS)
async def test_a_bot_may_what_the_table_says(
    right: Right, kind: str, launch: Launch, ground: Ground, rival: int
) -> None:
    words = (ground.own, ground.outside, ground.path, ground.port, rival)
    command = (str(PYTHON), "-I", "-S", "-c", program(right), *map(str, words))
    process = await start_process(replace(launch, command=command))
    exited = await process.wait()
    said = launch.stderr.read_text().split()
    assert exited.code == 0, launch.stderr.read_text()
    expected = right.outcomes[COLUMNS.index(kind)]
    assert said[0] == expected if expected in (YES, NO) else said[0] in (YES, NO)
    (ground.outside / "new").unlink(missing_ok=True)
