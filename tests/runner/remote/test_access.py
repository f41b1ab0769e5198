"""What remote bots connect with: the same for every run of a file, its owner's alone, worth nothing once renewed."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import pytest

from gridjoust.runner.broker.listening import LOOPBACK, reachable_hosts
from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.config.programs import TOKENS
from gridjoust.runner.remote.access import RemoteAccess, make_certificate, open_access, pin_of
from gridjoust.runner.wire.bus import Address
from gridjoust.runner.wire.errors import ConfigError

CUP = """
tournament: cup
games: [{game: bomber}]
bots: [{name: a, bot: random}, {name: ada, remote: true}, {name: ben, remote: true}]
"""


one_certificate = functools.cache(make_certificate)  # openssl takes a moment


@pytest.fixture(autouse=True)
def quick_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridjoust.runner.remote.access.make_certificate", one_certificate)


def opened(folder: Path, extra: str = "", *, renew: tuple[str, ...] = ()) -> RemoteAccess:
    file = folder / "cup.yaml"
    file.write_text(CUP + extra)
    access = open_access(load_tournament(file), renew=renew)
    assert access is not None
    return access


def test_tokens_are_the_same_for_every_run_and_of_their_own_for_every_bot_and_file(tmp_path: Path) -> None:
    first = opened(tmp_path)
    assert opened(tmp_path) == first
    assert list(first.tokens) == ["ada", "ben"]
    assert first.run.startswith("cup-")
    (tmp_path / "other").mkdir()
    other = opened(tmp_path / "other")
    passwords = [token.password for access in (first, other) for token in access.tokens.values()]
    assert len({*passwords}) == 4
    assert first.run != other.run


def test_a_renewed_token_is_another_one_and_nobody_elses_changes(tmp_path: Path) -> None:
    first = opened(tmp_path)
    renewed = opened(tmp_path, renew=("ada",))
    assert renewed.tokens["ada"].password != first.tokens["ada"].password
    assert renewed.tokens["ben"] == first.tokens["ben"]
    assert opened(tmp_path) == renewed
    assert (renewed.certificate, renewed.run) == (first.certificate, first.run)


def test_the_owner_alone_can_read_them_and_they_are_not_committed(tmp_path: Path) -> None:
    access = opened(tmp_path)
    folder, file = tmp_path / TOKENS, tmp_path / TOKENS / "cup.json"
    assert (folder.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)
    assert (folder / ".gitignore").read_text() == "*\n"
    kept = json.loads(file.read_text())
    assert kept["secrets"] == {bot: token.password for bot, token in access.tokens.items()}
    assert pin_of(kept["certificate"]) == access.tokens["ada"].pin


def test_a_file_without_remote_bots_has_no_tokens_and_leaves_nothing_behind(tmp_path: Path) -> None:
    file = tmp_path / "cup.yaml"
    file.write_text(CUP.replace("remote: true", "bot: random"))
    assert open_access(load_tournament(file)) is None
    assert [path.name for path in tmp_path.iterdir()] == ["cup.yaml"]


PLACES = {
    "this machine alone": ("", (LOOPBACK,), None),
    "one address": ("broker: {listen: '192.0.2.7:8883'}", ("192.0.2.7",), 8883),
    "a name for it": ("broker: {listen: '0.0.0.0:8883', advertise: cup.example.org}", ("cup.example.org",), 8883),
    "a name and another port": ("broker: {listen: '0.0.0.0:8883', advertise: 'x.org:443'}", ("x.org",), 443),
    "an address with colons": ("broker: {listen: '[::]:8883', advertise: '[2001:db8::1]'}", ("2001:db8::1",), 8883),
}


@pytest.mark.parametrize(("extra", "hosts", "port"), PLACES.values(), ids=PLACES)
def test_a_token_says_where_students_find_the_host(
    extra: str, hosts: tuple[str, ...], port: int | None, tmp_path: Path
) -> None:
    access = opened(tmp_path, extra)
    token = access.tokens["ada"]
    assert token.hosts == hosts
    assert token.port == (access.listen[1] if port is None else port)
    assert all(address.tls for address in token.addresses)


def test_a_host_that_listens_everywhere_is_found_at_its_addresses_and_on_this_machine_last() -> None:
    hosts = reachable_hosts("0.0.0.0")
    assert hosts[-1] == LOOPBACK
    assert len(hosts) == len({*hosts}) <= 4
    assert not any(host.startswith(("fe80", "169.254", "0.")) for host in hosts)


def test_an_external_broker_needs_no_certificate_of_ours_and_its_account_is_in_the_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gridjoust.runner.remote.access.make_certificate", None)
    access = opened(tmp_path, "broker: {use: external, url: 'mqtts://joe:pw@example.org'}")
    token = access.tokens["ada"]
    assert token.addresses == [Address("example.org", 8883, tls=True)]
    assert (token.user, token.password, token.pin) == ("joe", "pw", b"")


def test_a_damaged_file_and_a_folder_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    opened(tmp_path)
    (tmp_path / TOKENS / "cup.json").write_text("{}")
    with pytest.raises(ConfigError, match=r"cup\.json: expected the tokens of remote bots \(delete the file"):
        opened(tmp_path)
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / TOKENS).write_text("")
    with pytest.raises(ConfigError, match=r"\.joust.*: expected .*"):
        opened(tmp_path / "taken")


def test_a_machine_without_openssl_is_told_what_it_is_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigError, match=r"openssl is not on the PATH: it makes the certificate"):
        make_certificate()
