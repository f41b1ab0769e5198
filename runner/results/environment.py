"""Describes the machine and the software versions of a tournament, for people who repeat it."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version

from gridjoust.runner import __version__
from gridjoust.runner.wire.protocol import PROTOCOL

PACKAGES = ("aiomqtt", "paho-mqtt", "amqtt", "Jinja2", "msgspec", "numpy", "pandas", "psutil", "PyYAML")


def describe_environment() -> dict[str, object]:
    """Return versions and machine as plain values, for `environment.json`."""
    return {
        "gridjoust": __version__,
        "protocol": PROTOCOL,
        "python": sys.version.split()[0],
        "implementation": platform.python_implementation(),
        "system": platform.platform(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
        "packages": {name: _package_version(name) for name in PACKAGES},
        "mosquitto": _mosquitto_version(),
    }


def _package_version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _mosquitto_version() -> str | None:
    if (path := shutil.which("mosquitto")) is None:
        return None
    printed = subprocess.run([path, "-h"], capture_output=True, text=True, check=False, timeout=10).stdout
    return printed.splitlines()[0].strip() if printed else None
