"""Sandboxes for bots: bubblewrap if it works, else the built-in one with Landlock and seccomp."""

from __future__ import annotations

from enum import Enum


class Sandbox(Enum):
    """The kinds of sandboxes."""

    BUBBLEWRAP = "bubblewrap"
    BUILT_IN = "built-in sandbox"
