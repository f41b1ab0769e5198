"""What a bot's process may do: how the launcher starts each kind of program."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridjoust.runner.broker import Account
from gridjoust.runner.config.values import BrokerConfig, ResourceLimits, RoleProgram
from gridjoust.runner.play.launch import ProcessLauncher
from gridjoust.runner.processes.confinement import Confinement, Isolation
from gridjoust.runner.wire.bus.address import Address

SPEAKER = RoleProgram(command=("bot",))
PIPED = RoleProgram(command=("bot",), protocol="stdio")


@pytest.mark.parametrize(
    ("program", "isolation", "expected"),
    [
        (SPEAKER, Isolation.BUILT_IN, True),
        (PIPED, Isolation.BUILT_IN, False),
        (RoleProgram(bot="bomber/astar"), Isolation.BUILT_IN, False),
        (SPEAKER, Isolation.PLAIN, False),
    ],
)
def test_only_a_program_that_connects_by_itself_may_use_tcp_in_the_built_in_sandbox(
    program: RoleProgram, isolation: Isolation, expected: bool, tmp_path: Path
) -> None:
    launcher = ProcessLauncher(
        address=Address("127.0.0.1", 1883),
        broker=BrokerConfig(),
        run="run",
        logs=tmp_path,
        folder=tmp_path,
        confinement=Confinement(isolation, scratches=tmp_path),
    )
    account = Account("a.0", "", read=(), write=())
    launch = launcher._launch(program, slot="a.0", account=account, limits=ResourceLimits())
    assert launch.may_use_tcp is expected
