"""The token of a remote bot: the address of its tournament, its account, and the fingerprint of the host.

A token is one word that can be copied and pasted: base64 of MessagePack with a checksum. Anyone who has it can play as
the bot and do nothing else. `pin` is the fingerprint of the host's certificate, and only that is checked: no authority,
name or date. A host that exists for one evening has no name that an authority knows, and the clocks of students may be
wrong.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import ssl
import zlib

import msgspec

from gridjoust.runner.wire.bus import Address
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.protocol import bot_prefix

PREFIX = "joust1_"
MOST_LETTERS = 4096
PIN_BYTES = 32  # SHA-256
SLOT = 0  # a remote bot is one process
_CHECK_BYTES = 4
_EXPECTED = f"TOKEN: expected a word such as {PREFIX}..., as `joust tokens` prints it"


class Token(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """The content of a token."""

    bot: str
    run: str
    hosts: tuple[str, ...]  # names or addresses, tried in this order
    port: int
    user: str | None
    password: str | None
    tls: bool = True
    pin: bytes = b""  # b"": with TLS the system's certificate authorities check the host

    @property
    def prefix(self) -> str:
        """The prefix of the MQTT topics of this token's bot."""
        return bot_prefix(self.run, slot_of(self.bot))

    @property
    def addresses(self) -> list[Address]:
        """The addresses of the host, tried in this order."""
        return [Address(host, self.port, tls=self.tls) for host in self.hosts]


def slot_of(bot: str) -> str:
    """Return the name `<bot>.0` of a remote bot's only process."""
    return f"{bot}.{SLOT}"


def format_token(token: Token) -> str:
    """Format a token as one word."""
    packed = msgspec.msgpack.encode(token)
    return PREFIX + base64.urlsafe_b64encode(packed + _check(packed)).decode().rstrip("=")


def parse_token(text: str) -> Token:
    """Parse a token from its word; ConfigError, without the secret text, if it is invalid.

    >>> token = Token(bot="ada", run="cup-1", hosts=("::1",), port=8883, user="u", password="p", pin=bytes(32))
    >>> parse_token(f" {format_token(token)} ") == token
    True
    """
    word = text.strip()
    if not word.startswith(PREFIX) or len(word) > MOST_LETTERS:
        raise ConfigError(f"{_EXPECTED}, got {len(word)} letters that do not begin like that")
    try:
        digits = word.removeprefix(PREFIX)
        raw = base64.b64decode(digits + "=" * (-len(digits) % 4), altchars=b"-_", validate=True)
        packed, check = raw[:-_CHECK_BYTES], raw[-_CHECK_BYTES:]
        if check != _check(packed):
            raise ValueError("checksum")
        token = msgspec.msgpack.decode(packed, type=Token)
        if not token.hosts or len(token.pin) not in (0, PIN_BYTES) or not 0 < token.port < 65536:
            raise ValueError("values")
    except (ValueError, binascii.Error, msgspec.DecodeError):
        raise ConfigError(f"{_EXPECTED}, got one that is cut short or mistyped ({len(word)} letters)") from None
    return token


def _check(packed: bytes) -> bytes:
    return zlib.crc32(packed).to_bytes(_CHECK_BYTES, "big")


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
