"""Certificates of hosts for remote bots: made with openssl, and recognized by their fingerprint alone.

A host that exists for one evening has no name that an authority knows, and the clocks of students may be wrong. So only
the fingerprint is checked: no authority, name or date.
"""

from __future__ import annotations

import hashlib
import hmac
import ssl
import subprocess
import tempfile
from pathlib import Path

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
_FOR_REMOTE_BOTS = "it makes the certificate of this host for remote bots"


def make_certificate() -> tuple[str, str]:
    """Make a certificate and its private key, as PEM; ConfigError if openssl is missing or fails."""
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
            raise ConfigError(f"openssl is not on the PATH: {_FOR_REMOTE_BOTS}") from None
        except subprocess.TimeoutExpired:
            raise ConfigError(f"openssl did not end within {_LIMIT_S:g} s: {_FOR_REMOTE_BOTS}") from None
        if done.returncode:
            raise ConfigError(f"openssl failed: {(done.stderr.strip().splitlines() or ['unknown error'])[-1]}")
        return Path(name, "cert.pem").read_text(encoding="ascii"), Path(name, "key.pem").read_text(encoding="ascii")


def pin_of(certificate: str) -> bytes:
    """Return the fingerprint of a certificate (PEM) as in tokens."""
    return fingerprint(ssl.PEM_cert_to_DER_cert(certificate))


def fingerprint(certificate: bytes) -> bytes:
    """Return the SHA-256 hash of a certificate (DER)."""
    return hashlib.sha256(certificate).digest()


def pinned_context(pin: bytes) -> ssl.SSLContext:
    """Return a context that refuses, before any data is sent, every server without this fingerprint."""

    class PinnedSocket(ssl.SSLSocket):
        def do_handshake(self, block: bool = False) -> None:  # noqa: FBT001, FBT002 - the library's signature
            super().do_handshake(block)
            if not hmac.compare_digest(fingerprint(self.getpeercert(binary_form=True) or b""), pin):
                raise ssl.SSLCertVerificationError("not the host of this token: it has another certificate")

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # the socket checks the fingerprint instead
    context.sslsocket_class = PinnedSocket
    return context
