"""Landlock: rules of the kernel for files, network and signals that a thread sets for itself and its children.

Source: the kernel's documentation, userspace-api/landlock; numbers from its header `linux/landlock.h`. The rules apply
to the calling thread and every process that it starts from then on, and cannot be revoked.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

LEAST_ABI = 6  # the first version that restricts signals and abstract sockets (Linux 6.12)
_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same numbers on every architecture
_VERSION = 1  # flag of _CREATE: return the ABI version
_BENEATH = 1  # the kind of rule for a path
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE, _IOCTL_DEV = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14, 1 << 15
_ALL_FILES = (1 << 16) - 1
_BIND_TCP, _CONNECT_TCP = 1 << 0, 1 << 1
_SCOPES = 0b11  # abstract unix sockets, signals
_ON_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV  # rights that apply to files; folders have all
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_NO_NEW_PRIVS = 38  # number of prctl(2)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rights that a confined bot keeps. Paths that do not exist are ignored; a folder includes all below it."""

    readable: tuple[Path, ...]  # may be read, listed and executed
    listed: tuple[Path, ...] = ()  # folders whose names may be listed, but not read
    devices: tuple[Path, ...] = ()  # may be read and written
    writable: tuple[Path, ...] = ()  # folders in which everything except devices is allowed
    may_use_tcp: bool = False  # to any port of any host, as the kernel's rules have no addresses


def abi() -> int:
    """Return the version of Landlock in this kernel, 0 if it has none."""
    return max(0, int(libc().syscall(_CREATE, None, ctypes.c_size_t(0), _VERSION)))


def restrict_thread(rules: Rules) -> None:
    """Apply the rules to this thread and all its later children; OSError if the kernel refuses.

    Sets `no_new_privs` too, as the kernel requires it.
    """
    attributes = struct.pack("=QQQ", _ALL_FILES, 0 if rules.may_use_tcp else _BIND_TCP | _CONNECT_TCP, _SCOPES)
    ruleset = libc().syscall(_CREATE, attributes, ctypes.c_size_t(len(attributes)), 0)
    if ruleset < 0:
        _fail("landlock_create_ruleset")
    try:
        _allow_beneath(ruleset, rules.readable, _READ)
        _allow_beneath(ruleset, rules.listed, _READ_DIR)
        _allow_beneath(ruleset, rules.devices, _READ_FILE | _WRITE_FILE)
        _allow_beneath(ruleset, rules.writable, _ALL_FILES & ~_IOCTL_DEV)
        set_no_new_privs()
        if libc().syscall(_RESTRICT, ruleset, 0) != 0:
            _fail("landlock_restrict_self")
    finally:
        os.close(ruleset)


def set_no_new_privs() -> None:
    """Keep this thread's children from gaining rights; OSError if the kernel refuses."""
    if libc().prctl(_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        _fail("no_new_privs")


def _allow_beneath(ruleset: int, paths: Iterable[Path], rights: int) -> None:
    for path in paths:
        with suppress(FileNotFoundError, NotADirectoryError):
            handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
            try:
                allowed = rights if path.is_dir() else rights & _ON_FILES
                if libc().syscall(_ADD, ruleset, _BENEATH, struct.pack("=Qi", allowed, handle), 0) != 0:
                    _fail("landlock_add_rule")
            finally:
                os.close(handle)


def _fail(call: str) -> NoReturn:
    number = ctypes.get_errno()
    raise OSError(number, f"{call}: {os.strerror(number).lower()}")


def libc() -> ctypes.CDLL:
    """Return the C library; `ctypes.get_errno` returns the error number of its calls."""
    return ctypes.CDLL(None, use_errno=True)
