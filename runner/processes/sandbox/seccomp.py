"""A seccomp filter: the system calls that a bot's processes must not make, as a program of the kernel's BPF machine.

Source: the kernel's documentation, userspace-api/seccomp_filter; numbers from its tables of system calls. A denied call
fails with an error; no process is killed. Calls that need a privilege are not listed, as bots have none. The list has
calls by which a process without privileges could disturb others or evade the runner's measurements.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Iterator, Sequence
from enum import Enum

from gridjoust.runner.processes.sandbox.landlock import libc

Calls = dict[str, tuple[int, int | None]]
"""The numbers of system calls by name, on x86-64 and on arm64; None if there is no such call."""

_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06  # BPF operations
_IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT = 0x15, 0x35, 0x45
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000  # results of a filter; the error number is added
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16  # offsets in `struct seccomp_data`
_SET_FILTER, _KEEP_SPECULATION = 1, 4  # for seccomp(2); the flag keeps bots as fast as without a filter
_NEWEST = 470  # later calls are not in this list and fail as on an older kernel, and so do those of 32-bit programs

_UNIX, _INET, _INET6, _NETLINK = 1, 2, 10, 16  # address families
_STREAM, _SEQPACKET, _TYPE_BITS, _TCP = 1, 5, 0xF, 6
_NAMESPACES = 0x7E020000  # flags of clone(2) and unshare(2)
_NEW_TIME = 0x80  # one more flag, only of unshare(2)
_SAME_PARENT = 0x8000  # flag of clone(2): the child's parent would be the runner, not the bot
_KIND_BITS, _TERMINALS, _SOCKETS = 0xFF00, 0x5400, 0x8900  # ioctl(2): kinds of commands; those of files are among them
_SET_LEASE, _NOTIFY, _SET_DELEGATION = 1024, 1026, 1040  # commands of fcntl(2) that need only a file open for reading
_SCHEDULE_APART = 62  # command of prctl(2): keep other processes from running beside it on a core

_MACHINES = {"x86_64": (0, 0xC000003E, 317), "aarch64": (1, 0xC00000B7, 277)}  # column, architecture, seccomp(2)

_LOOKED_INTO: Calls = {  # their arguments decide
    "socket": (41, 198), "socketpair": (53, 199), "clone": (56, 220), "unshare": (272, 97), "ioctl": (16, 29),
    "prlimit64": (302, 261), "setpriority": (141, 140), "ioprio_set": (251, 30), "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119), "sched_setaffinity": (203, 122), "sched_setattr": (314, 274),
    "migrate_pages": (256, 238), "move_pages": (279, 239), "fcntl": (72, 25), "prctl": (157, 167),
}  # fmt: skip
_MISSING: Calls = {  # fail as if the kernel did not have them: programs then use others
    "clone3": (435, 435), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "memfd_secret": (447, 447),
}  # fmt: skip
_DENIED: Calls = {
    # reading other processes, and programs for the kernel
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "process_madvise": (440, 440), "pidfd_getfd": (438, 438), "bpf": (321, 280), "perf_event_open": (298, 241),
    "userfaultfd": (323, 282), "syslog": (103, 116), "inotify_add_watch": (254, 27), "fanotify_init": (300, 262),
    # namespaces and mounts
    "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442), "statmount": (457, 457),
    "listmount": (458, 458), "open_tree_attr": (467, 467), "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264), "quotactl": (179, 60), "quotactl_fd": (443, 443), "acct": (163, 89),
    # keys, and memory and messages that outlive a process
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "shmget": (29, 194), "shmat": (30, 196),
    "shmctl": (31, 195), "semget": (64, 190), "semop": (65, 193), "semtimedop": (220, 192), "semctl": (66, 191),
    "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187), "mq_open": (240, 180),
    "mq_unlink": (241, 181),
}  # fmt: skip
_NO_NETWORK: Calls = {  # would redirect an inherited connection, or turn it into a server
    "connect": (42, 203), "bind": (49, 200), "listen": (50, 201), "accept": (43, 202), "accept4": (288, 242),
}  # fmt: skip
_UNSUPPORTED: Calls = {  # fail as on a file system without them: a log could fill the disk at once
    "fallocate": (285, 47),
}  # fmt: skip
_ATTRIBUTES: Calls = {  # attributes of files, which Landlock leaves to the owner, who may be the bots' user
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, None),
    "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54), "utime": (132, None), "utimes": (235, None),
    "futimesat": (261, None), "utimensat": (280, 88), "setxattr": (188, 5), "lsetxattr": (189, 6),
    "fsetxattr": (190, 7), "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "setxattrat": (463, 463), "removexattrat": (466, 466), "file_setattr": (469, 469),
}  # fmt: skip
_ON_A_PROCESS = (
    *("prlimit64", "sched_setparam", "sched_setscheduler", "sched_setaffinity", "sched_setattr"),
    *("migrate_pages", "move_pages"),
)


class Sockets(Enum):
    """The kinds of sockets that a bot may open."""

    NONE = "none"  # it inherits the connection that it needs
    TCP = "tcp"  # for a program that connects to the broker by itself
    OWN_NETWORK = "own network"  # any kind, in the bot's own empty network


def knows_machine() -> bool:
    """Return True if the filter of system calls supports this machine's processor."""
    return platform.machine() in _MACHINES and struct.calcsize("P") == 8


def restrict_calls(program: bytes) -> None:
    """Apply a filter to this thread and all its later children; OSError if the kernel refuses.

    The thread must have `no_new_privs`.
    """
    code = ctypes.create_string_buffer(program, len(program))
    whole = struct.pack("=H6xQ", len(program) // 8, ctypes.addressof(code))
    if libc().syscall(_MACHINES[platform.machine()][2], _SET_FILTER, _KEEP_SPECULATION, whole) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"seccomp: {os.strerror(number).lower()}")


def filter_program(sockets: Sockets, *, keeps_attributes: bool) -> bytes:
    """Return the filter in the kernel's format, 8 bytes per instruction.

    `keeps_attributes`: deny changes of modes, owners, times and extended attributes of files.
    """
    column, architecture, _ = _MACHINES[platform.machine()]
    missing = _return(errno.ENOSYS)
    steps = [
        *(_load(_ARCHITECTURE_AT), _if(_IF_EQUAL, architecture, 1, 0), missing),
        *(_load(_NUMBER_AT), _if(_IF_AT_LEAST, _NEWEST + 1, 0, 1), missing),
    ]
    denied = _DENIED | (_ATTRIBUTES if keeps_attributes else {}) | (_NO_NETWORK if sockets is Sockets.NONE else {})
    checks = {name: [missing] for name in _MISSING} | {name: [_return(errno.EPERM)] for name in denied}
    checks |= {name: [_return(errno.EOPNOTSUPP)] for name in _UNSUPPORTED}
    numbers = _LOOKED_INTO | _MISSING | _UNSUPPORTED | denied
    for name, check in (*_checks(sockets, keeps_attributes=keeps_attributes), *checks.items()):
        if (number := numbers[name][column]) is not None:
            steps += [_if(_IF_EQUAL, number, 0, len(check)), *check]
    return b"".join([*steps, _return(0)])


def _checks(sockets: Sockets, *, keeps_attributes: bool) -> Iterator[tuple[str, list[bytes]]]:
    """Yield (system call, filter steps) for each call that is allowed or denied depending on its arguments."""
    may_open = {
        Sockets.NONE: [_return(errno.EPERM)],
        Sockets.TCP: [*_only(0, _INET, _INET6), *_only(1, _STREAM, bits=_TYPE_BITS), *_only(2, 0, _TCP), _return(0)],
        Sockets.OWN_NETWORK: [*_only(0, _UNIX, _INET, _INET6, _NETLINK), _return(0)],
    }
    yield "socket", may_open[sockets]
    # a datagram socket could send to any unix socket that the bot sees; Rust starts programs by a pair of SEQPACKET
    kinds = () if sockets is Sockets.OWN_NETWORK else _only(1, _STREAM, _SEQPACKET, bits=_TYPE_BITS)
    yield "socketpair", [*_only(0, _UNIX), *kinds, _return(0)]
    yield "clone", [*_without(0, _NAMESPACES | _SAME_PARENT), _return(0)]
    yield "unshare", [*_without(0, _NAMESPACES | _NEW_TIME), _return(0)]
    if keeps_attributes:
        yield "ioctl", [*_only(1, _TERMINALS, _SOCKETS, bits=_KIND_BITS, error=errno.ENOTTY), _return(0)]
    yield "fcntl", [*_except(1, _SET_LEASE, _NOTIFY, _SET_DELEGATION), _return(0)]
    yield "prctl", [*_except(0, _SCHEDULE_APART), _return(0)]
    for name in _ON_A_PROCESS:  # 0 means the caller
        yield name, [*_only(0, 0), _return(0)]
    yield "setpriority", [*_only(0, 0), *_only(1, 0), _return(0)]  # a process, not a group or a user
    yield "ioprio_set", [*_only(0, 1), *_only(1, 0), _return(0)]


def _only(place: int, *values: int, bits: int = 0, error: int = errno.EPERM) -> Sequence[bytes]:
    """Return filter steps that fail the call unless its argument number `place` is one of `values`.

    With `bits`, only these bits of the argument are compared. `error`: the error number of a failed call.
    """
    masked = [_step(_AND, bits)] if bits else []
    tests = [_if(_IF_EQUAL, value, len(values) - at, 0) for at, value in enumerate(values)]
    return [_load(_ARGUMENTS_AT + 8 * place), *masked, *tests, _return(error)]


def _except(place: int, *values: int) -> Sequence[bytes]:
    """Return filter steps that fail the call if its argument number `place` is one of `values`."""
    tests = [_if(_IF_EQUAL, value, len(values) - 1 - at, 0) for at, value in enumerate(values[:-1])]
    return [_load(_ARGUMENTS_AT + 8 * place), *tests, _if(_IF_EQUAL, values[-1], 0, 1), _return(errno.EPERM)]


def _without(place: int, bits: int) -> Sequence[bytes]:
    """Return filter steps that fail the call if its argument number `place` has any of the bits."""
    return [_load(_ARGUMENTS_AT + 8 * place), _if(_IF_ANY_BIT, bits, 0, 1), _return(errno.EPERM)]


def _load(offset: int) -> bytes:
    return _step(_LOAD, offset)


def _return(error: int) -> bytes:
    """Return the filter step that allows a system call (0) or fails it with an error number."""
    return _step(_RETURN, _FAIL | error if error else _ALLOW)


def _if(test: int, value: int, skip_if: int, skip_else: int) -> bytes:
    return _step(test, value, skip_if, skip_else)


def _step(operation: int, value: int, skip_if: int = 0, skip_else: int = 0) -> bytes:
    return struct.pack("=HBBI", operation, skip_if, skip_else, value)
