"""A certificate that vouches for itself, made by openssl. Remote bots know it by its fingerprint, not by its names."""

from __future__ import annotations

import ssl
import subprocess
import tempfile
from pathlib import Path

from gridjoust.runner.wire.bus.pinned import fingerprint
from gridjoust.runner.wire.errors import ConfigError

_DAYS = 3650
_WISH = (
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-days",
    str(_DAYS),
    "-subj",
    "/CN=joust",
)
_LIMIT_S = 30.0
_MISSING = "openssl: expected it on PATH, to make the certificate that remote bots know the host by"


def make_certificate() -> tuple[str, str]:
    """Certificate and private key, as PEM."""
    with tempfile.TemporaryDirectory(prefix="joust-") as name:
        command = ("openssl", "req", "-x509", *_WISH, "-keyout", "key.pem", "-out", "cert.pem")
        try:
            done = subprocess.run(
                command,
                cwd=name,
                capture_output=True,
                text=True,
                check=False,
                timeout=_LIMIT_S,
                stdin=subprocess.DEVNULL,
            )
        except FileNotFoundError:
            raise ConfigError(f"{_MISSING}, got none") from None
        except subprocess.TimeoutExpired:
            raise ConfigError(f"{_MISSING}, got one that does not end") from None
        if done.returncode:
            raise ConfigError(f"{_MISSING}, got: {(done.stderr.strip().splitlines() or ['an error'])[-1]}")
        return Path(name, "cert.pem").read_text(encoding="ascii"), Path(name, "key.pem").read_text(encoding="ascii")


def pin_of(certificate: str) -> bytes:
    """The fingerprint of a certificate (PEM) as tokens have it."""
    return fingerprint(ssl.PEM_cert_to_DER_cert(certificate))
