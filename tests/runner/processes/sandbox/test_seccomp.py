"""The filter of system calls, decided by a machine like the kernel's, for both kinds of processors."""

from __future__ import annotations

import errno
import platform
import struct

import pytest

from gridjoust.runner.processes.sandbox import seccomp
from gridjoust.runner.processes.sandbox.seccomp import Sockets, filter_program, knows_machine

X86, ARM = ("x86_64", 0xC000003E), ("aarch64", 0xC00000B7)
ALLOWED = 0


def decide(program: bytes, number: int, *arguments: int, architecture: int) -> int:
    """Run a filter as the kernel does; the error number that the call fails with, 0 if it is allowed."""
    data = struct.pack("=IIQ6Q", number, architecture, 0, *arguments, *[0] * (6 - len(arguments)))
    at = accumulator = 0
    while True:
        operation, skip_if, skip_else, value = struct.unpack_from("=HBBI", program, 8 * at)
        at += 1
        match operation:
            case 0x20:
                [accumulator] = struct.unpack_from("=I", data, value)
            case 0x54:
                accumulator &= value
            case 0x06:
                return 0 if value == 0x7FFF0000 else value & 0xFFFF
            case _:
                holds = {0x15: accumulator == value, 0x35: accumulator >= value, 0x45: bool(accumulator & value)}
                at += skip_if if holds[operation] else skip_else


@pytest.fixture(params=[X86, ARM], ids=["x86_64", "aarch64"])
def machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """The column of a machine's numbers, and its architecture."""
    name, architecture = request.param
    monkeypatch.setattr(platform, "machine", lambda: name)
    return (X86, ARM).index(request.param), architecture


def call(
    machine: tuple[int, int],
    name: str,
    *arguments: int,
    sockets: Sockets = Sockets.NONE,
    keeps_attributes: bool = True,
) -> int:
    column, architecture = machine
    numbers = seccomp._LOOKED_INTO | seccomp._MISSING | seccomp._DENIED | seccomp._ATTRIBUTES
    numbers |= seccomp._NO_NETWORK | seccomp._UNSUPPORTED
    number = numbers[name][column]
    assert number is not None
    program = filter_program(sockets, keeps_attributes=keeps_attributes)
    return decide(program, number, *arguments, architecture=architecture)


UNIX, INET, INET6, NETLINK, VSOCK = 1, 2, 10, 16, 40
STREAM, DATAGRAM, RAW, SEQPACKET, CLOSE_ON_EXEC = 1, 2, 3, 5, 0o2000000
MPTCP = 262


@pytest.mark.parametrize(
    ("sockets", "arguments", "expected"),
    [
        (Sockets.NONE, (UNIX, STREAM, 0), errno.EPERM),
        (Sockets.NONE, (INET, STREAM, 0), errno.EPERM),
        (Sockets.TCP, (INET, STREAM | CLOSE_ON_EXEC, 0), ALLOWED),
        (Sockets.TCP, (INET6, STREAM, 6), ALLOWED),
        (Sockets.TCP, (INET, DATAGRAM, 0), errno.EPERM),
        (Sockets.TCP, (INET, STREAM, MPTCP), errno.EPERM),
        (Sockets.TCP, (UNIX, STREAM, 0), errno.EPERM),
        (Sockets.TCP, (NETLINK, DATAGRAM, 0), errno.EPERM),
        (Sockets.OWN_NETWORK, (UNIX, STREAM, 0), ALLOWED),
        (Sockets.OWN_NETWORK, (INET, DATAGRAM, 0), ALLOWED),
        (Sockets.OWN_NETWORK, (NETLINK, DATAGRAM, 0), ALLOWED),
        (Sockets.OWN_NETWORK, (VSOCK, STREAM, 0), errno.EPERM),
    ],
)
def test_sockets(machine: tuple[int, int], sockets: Sockets, arguments: tuple[int, ...], expected: int) -> None:
    assert call(machine, "socket", *arguments, sockets=sockets) == expected


@pytest.mark.parametrize("name", ["connect", "bind", "listen", "accept", "accept4"])
@pytest.mark.parametrize(
    ("sockets", "expected"), [(Sockets.NONE, errno.EPERM), (Sockets.TCP, ALLOWED), (Sockets.OWN_NETWORK, ALLOWED)]
)
def test_a_connection_that_was_handed_over_stays_what_it_is(
    machine: tuple[int, int], name: str, sockets: Sockets, expected: int
) -> None:
    assert call(machine, name, 3, sockets=sockets) == expected


THREAD, FORK, NEW_USER, NEW_NET, SAME_PARENT = 0x3D0F00, 0x1200011, 0x10000000, 0x40000000, 0x8000


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("socketpair", (UNIX, STREAM), ALLOWED),
        ("socketpair", (UNIX, STREAM | CLOSE_ON_EXEC), ALLOWED),
        ("socketpair", (UNIX, SEQPACKET | CLOSE_ON_EXEC), ALLOWED),  # it sends to its other end alone
        ("socketpair", (UNIX, RAW), errno.EPERM),  # on Linux another word for datagrams
        ("socketpair", (UNIX, DATAGRAM), errno.EPERM),  # it could send to any unix socket
        ("socketpair", (VSOCK, STREAM), errno.EPERM),
        ("clone", (THREAD,), ALLOWED),
        ("clone", (FORK,), ALLOWED),
        ("clone", (FORK | NEW_USER,), errno.EPERM),
        ("clone", (FORK | SAME_PARENT,), errno.EPERM),
        ("clone3", (), errno.ENOSYS),  # its flags cannot be seen: the C library takes the other way then
        ("unshare", (0x400,), ALLOWED),  # files of a thread
        ("unshare", (NEW_NET,), errno.EPERM),
        ("unshare", (0x80,), errno.EPERM),  # a namespace of clocks
        ("prlimit64", (0, 7), ALLOWED),
        ("prlimit64", (4711, 7), errno.EPERM),
        ("setpriority", (0, 0, 5), ALLOWED),
        ("setpriority", (0, 4711, 5), errno.EPERM),
        ("setpriority", (2, 0, 5), errno.EPERM),  # of all processes of the user
        ("ioprio_set", (1, 0, 5), ALLOWED),
        ("ioprio_set", (3, 0, 5), errno.EPERM),
        ("sched_setaffinity", (0,), ALLOWED),
        ("sched_setaffinity", (4711,), errno.EPERM),
        ("ioctl", (0, 0x5401), ALLOWED),
        ("ioctl", (0, 0x541B), ALLOWED),  # how much there is to read
        ("ioctl", (0, 0x8905), ALLOWED),  # whether a socket is at a mark
        ("ioctl", (0, 0x40086602), errno.ENOTTY),  # flags of a file
        ("ioctl", (0, 0x401C5820), errno.ENOTTY),  # its attributes
        ("ioctl", (0, 0x40806685), errno.ENOTTY),  # fs-verity: it could never be written again
        ("ioctl", (0, 0x5000940E), errno.ENOTTY),  # a new subvolume of btrfs
        ("fcntl", (0, 4), ALLOWED),
        ("fcntl", (0, 1024), errno.EPERM),  # a lease: others wait up to 45 s to open the file
        ("fcntl", (0, 1026), errno.EPERM),  # news of a folder
        ("prctl", (15,), ALLOWED),
        ("prctl", (62,), errno.EPERM),
        ("fallocate", (1, 1, 0, 1 << 30), errno.EOPNOTSUPP),
        ("semctl", (0, 0, 0), errno.EPERM),
        ("msgrcv", (0,), errno.EPERM),
        ("mq_unlink", (), errno.EPERM),
        ("io_uring_setup", (), errno.ENOSYS),
        ("ptrace", (), errno.EPERM),
        ("mount", (), errno.EPERM),
        ("fchmodat", (), errno.EPERM),
    ],
)
def test_calls(machine: tuple[int, int], name: str, arguments: tuple[int, ...], expected: int) -> None:
    assert call(machine, name, *arguments) == expected


def test_a_pair_of_datagrams_is_for_bots_that_see_no_sockets_of_others(machine: tuple[int, int]) -> None:
    assert call(machine, "socketpair", UNIX, DATAGRAM, sockets=Sockets.OWN_NETWORK) == ALLOWED
    assert call(machine, "socketpair", UNIX, DATAGRAM, sockets=Sockets.TCP) == errno.EPERM


def test_attributes_of_files_may_be_changed_where_no_file_of_others_has_the_bots_owner(
    machine: tuple[int, int],
) -> None:
    assert call(machine, "fchmodat", keeps_attributes=False) == ALLOWED
    assert call(machine, "ioctl", 0, 0x40086602, keeps_attributes=False) == ALLOWED
    assert call(machine, "ptrace", keeps_attributes=False) == errno.EPERM


@pytest.mark.parametrize(("number", "expected"), [(0, ALLOWED), (470, ALLOWED), (471, errno.ENOSYS)])
def test_calls_that_came_after_the_list_are_not_there(machine: tuple[int, int], number: int, expected: int) -> None:
    program = filter_program(Sockets.NONE, keeps_attributes=True)
    assert decide(program, number, architecture=machine[1]) == expected


def test_calls_of_another_processors_programs_are_not_there(machine: tuple[int, int]) -> None:
    program = filter_program(Sockets.NONE, keeps_attributes=True)
    assert decide(program, 0, architecture=0x40000003) == errno.ENOSYS  # i386
    assert decide(program, 0x40000000, architecture=machine[1]) == errno.ENOSYS  # x32


def test_a_machine_without_a_list_is_known_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert not knows_machine()
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    assert knows_machine()
