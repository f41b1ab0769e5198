"""Whether the built-in sandbox works is found by trying: a right that a kernel does not take away is named."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path
from typing import Any

import pytest

from gridjoust.runner.processes.sandbox import built_in, landlock, seccomp
from gridjoust.runner.processes.sandbox.built_in import why_not_built_in
from gridjoust.runner.processes.sandbox.landlock import Rules
from gridjoust.runner.processes.sandbox.seccomp import Sockets
from tests.e2e.bot_on_wire import needs_built_in


@needs_built_in
def test_this_thread_keeps_its_rights_and_nothing_is_left() -> None:
    before = set(Path(tempfile.gettempdir()).glob("joust-probe-*"))
    assert why_not_built_in() == ""
    assert list(Path("/").iterdir())
    assert set(Path(tempfile.gettempdir()).glob("joust-probe-*")) <= before


@needs_built_in
@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("_SCOPES", 0b01, "lets a bot signal another process"),
        ("_SCOPES", 0b10, "lets a bot connect to an abstract socket"),
        ("_BIND_TCP", 0, "lets a bot listen on a TCP port"),
        ("_CONNECT_TCP", 0, "lets a bot connect to a TCP port"),
        ("_ALL_FILES", 0xFFFF & ~(1 << 5), "lets a bot remove a file"),
        ("_ALL_FILES", 0xFFFF & ~(1 << 14), "lets a bot cut a file"),
        ("_ALL_FILES", 0xFFFF & ~(1 << 15), "does not say no when a bot tries to control a device"),
    ],
)
def test_a_right_that_the_kernel_leaves_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, value: int, said: str
) -> None:
    monkeypatch.setattr(landlock, name, value)
    assert said in why_not_built_in()


@needs_built_in
@pytest.mark.parametrize(
    ("table", "name", "said"),
    [
        ("_LOOKED_INTO", "unshare", "make a namespace"),
        ("_ATTRIBUTES", "fchmodat", "change a file's mode"),
    ],
)
def test_a_call_that_the_filter_leaves_is_named(
    monkeypatch: pytest.MonkeyPatch, table: str, name: str, said: str
) -> None:
    calls: dict[str, Any] = getattr(seccomp, table)
    monkeypatch.setitem(calls, name, (999, 999))
    if name == "fchmodat":
        monkeypatch.setitem(calls, "chmod", (999, None))
    assert said in why_not_built_in()


@needs_built_in
def test_a_right_that_a_bot_needs_and_does_not_get_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def restrict(rules: Rules) -> None:
        landlock.restrict_thread(dataclasses.replace(rules, writable=()))

    monkeypatch.setattr(built_in, "restrict_thread", restrict)
    assert "does not let a bot write into its scratch" in why_not_built_in()


@needs_built_in
def test_sockets_that_the_filter_leaves_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def program(sockets: Sockets, *, keeps_attributes: bool) -> bytes:
        return seccomp.filter_program(Sockets.OWN_NETWORK, keeps_attributes=keeps_attributes)

    monkeypatch.setattr(built_in, "filter_program", program)
    assert "lets a bot make a socket" in why_not_built_in()


def test_a_kernel_that_is_too_old_and_another_system_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built_in, "abi", lambda: 4)
    assert why_not_built_in() == "it needs Landlock 6 (Linux 6.12), this kernel has 4"
    monkeypatch.setattr(built_in, "abi", lambda: 0)
    assert why_not_built_in() == "it needs Landlock 6 (Linux 6.12), this kernel has none"
    monkeypatch.setattr(built_in, "knows_machine", lambda: False)
    assert why_not_built_in() == "it needs Linux on x86-64 or arm64"
