"""Sandboxes for bots: bubblewrap where it works, else the built-in one of Landlock and seccomp."""

from __future__ import annotations

from enum import Enum


class Sandbox(Enum):
    """Which sandbox a bot is started in."""

    BUBBLEWRAP = "bubblewrap"
    BUILT_IN = "built-in sandbox"
