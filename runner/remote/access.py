"""Keeps the tokens of remote bots for a tournament file, so that a token is valid in all its runs.

`.joust/<file>.json` beside the tournament file contains a secret for each remote bot, the host's certificate with its
key, and the part of the topics that names the run. Only its owner can read it, bots in a sandbox never see it, and the
folder has a `.gitignore` of its own, so that it is not committed.
"""

from __future__ import annotations

import secrets
import ssl
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from gridjoust.runner.broker.accounts import bot_account
from gridjoust.runner.broker.listening import LOOPBACK, free_port, parse_place, reachable_hosts
from gridjoust.runner.config.programs import TOKENS
from gridjoust.runner.config.values import BrokerConfig, Tournament
from gridjoust.runner.config.variants import LoadedTournament
from gridjoust.runner.results.secrets import write_private
from gridjoust.runner.wire.bus import parse_address
from gridjoust.runner.wire.errors import ConfigError, format_os_error
from gridjoust.runner.wire.text import UNREADABLE
from gridjoust.runner.wire.token import Token, fingerprint, slot_of

_SECRET_BYTES, _RUN_BYTES = 16, 4
_OWNER_FOLDER = 0o700
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
_OPENSSL_S = 30.0
_FOR_REMOTE_BOTS = "it makes the certificate of this host for remote bots"


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept between a tournament's runs: the run's id, port and certificate, and the secrets of remote bots."""

    run_id: str
    port: int  # port on loopback, used if the tournament file sets no `listen`
    certificate: str  # PEM; "" with an external broker, which has its own
    key: str
    secrets: dict[str, str]  # by bot


@dataclass(frozen=True, slots=True)
class RemoteAccess:
    """The access to one tournament: the run's name on the broker, and the token of each remote bot."""

    run: str
    certificate: str
    key: str
    listen: tuple[str, int]
    tokens: dict[str, Token]  # by bot


def remote_bots(config: Tournament) -> list[str]:
    """Return the names of the bots that connect from other machines."""
    return [bot.name for bot in config.bots if bot.remote]


def open_access(loaded: LoadedTournament, *, renew: Iterable[str] = ()) -> RemoteAccess | None:
    """Load the tokens of the file's remote bots and make missing ones; None if it has no remote bots.

    `renew`: bots that get a new secret; their old tokens stop working in the next run.
    """
    config, bots = loaded.config, remote_bots(loaded.config)
    if not bots:
        return None
    file = loaded.folder / TOKENS / f"{loaded.source.stem}.json"
    is_external = config.broker.use == "external"
    stored = _load(file)
    kept = stored or _Kept(run_id=secrets.token_hex(_RUN_BYTES), port=free_port(), certificate="", key="", secrets={})
    if not is_external and not kept.certificate:
        certificate, key = make_certificate()
        kept = msgspec.structs.replace(kept, certificate=certificate, key=key)
    own = {bot: kept.secrets.get(bot) for bot in bots}
    drawn = {bot: secrets.token_urlsafe(_SECRET_BYTES) for bot in bots if own[bot] is None or bot in renew}
    kept = msgspec.structs.replace(kept, secrets={**kept.secrets, **drawn})
    if kept != stored:
        _save(file, kept)
    return _access_of(config, kept, bots)


def _access_of(config: Tournament, kept: _Kept, bots: Iterable[str]) -> RemoteAccess:
    run = f"{config.tournament}-{kept.run_id}"
    listen, hosts, port = _places(config.broker, kept)
    tokens: dict[str, Token] = {}
    for bot in bots:
        if config.broker.url is not None:
            address, user, password = parse_address(config.broker.url)
            tokens[bot] = Token(bot=bot, run=run, hosts=hosts, port=port, user=user, password=password, tls=address.tls)
        else:
            user, pin = bot_account(run, slot_of(bot)).user, pin_of(kept.certificate)
            tokens[bot] = Token(
                bot=bot, run=run, hosts=hosts, port=port, user=user, password=kept.secrets[bot], pin=pin
            )
    return RemoteAccess(run, kept.certificate, kept.key, listen, tokens)


def _places(broker: BrokerConfig, kept: _Kept) -> tuple[tuple[str, int], tuple[str, ...], int]:
    """Return where the host listens, and the host names and the port for tokens."""
    if broker.url is not None:
        address, _, _ = parse_address(broker.url)
        return (address.host, address.port), (address.host,), address.port
    listen = (LOOPBACK, kept.port) if broker.listen is None else parse_place(broker.listen, key="broker.listen")
    if broker.advertise is None:
        return listen, reachable_hosts(listen[0]), listen[1]
    if ":" not in broker.advertise.rpartition("]")[2]:
        return listen, (broker.advertise.strip("[]"),), listen[1]
    host, port = parse_place(broker.advertise, key="broker.advertise")
    return listen, (host,), port


def _load(file: Path) -> _Kept | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=_Kept)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{file}: expected the tokens of remote bots, got: {format_os_error(error)}") from None
    except (*UNREADABLE, ValueError) as error:
        expected = "expected the tokens of remote bots (delete the file to make new ones)"
        raise ConfigError(f"{file}: {expected}, got: {error}") from None


def _save(file: Path, kept: _Kept) -> None:
    try:
        file.parent.mkdir(mode=_OWNER_FOLDER, exist_ok=True)
        (file.parent / ".gitignore").write_text("*\n", encoding="utf-8")
        write_private(file, msgspec.json.format(msgspec.json.encode(kept), indent=2) + b"\n")
    except OSError as error:
        expected = "expected a folder that can be written, for the tokens of remote bots"
        raise ConfigError(f"{file.parent}: {expected}, got: {format_os_error(error)}") from None


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
                timeout=_OPENSSL_S,
                stdin=subprocess.DEVNULL,
            )
        except FileNotFoundError:
            raise ConfigError(f"openssl is not on the PATH: {_FOR_REMOTE_BOTS}") from None
        except subprocess.TimeoutExpired:
            raise ConfigError(f"openssl did not end within {_OPENSSL_S:g} s: {_FOR_REMOTE_BOTS}") from None
        if done.returncode:
            raise ConfigError(f"openssl failed: {(done.stderr.strip().splitlines() or ['unknown error'])[-1]}")
        return Path(name, "cert.pem").read_text(encoding="ascii"), Path(name, "key.pem").read_text(encoding="ascii")


def pin_of(certificate: str) -> bytes:
    """Return the fingerprint of a certificate (PEM) as in tokens."""
    return fingerprint(ssl.PEM_cert_to_DER_cert(certificate))
