"""Where `joust run --watch` listens, and what it refuses before anything is played."""

from __future__ import annotations

import pytest

from gridjoust.commands.shared.watch_address import with_address
from gridjoust.commands.shared.watching import open_page_listener
from gridjoust.runner.wire.errors import ConfigError


@pytest.mark.parametrize("text", ["0", ":0", "127.0.0.1:0"])
def test_an_address_of_this_machine_gets_a_free_port(text: str) -> None:
    listener = open_page_listener(text)
    with listener.listening:
        assert listener.address == f"http://127.0.0.1:{listener.listening.getsockname()[1]}/live"


@pytest.mark.parametrize("text", ["here", "127.0.0.1:99999", "a b:1", "http://127.0.0.1:80/", ""])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="--watch: expected HOST:PORT, got "):
        open_page_listener(text)


def test_a_port_that_is_taken_is_refused() -> None:
    with (
        open_page_listener("0").listening as first,
        pytest.raises(ConfigError, match="--watch: expected a free address"),
    ):
        open_page_listener(str(first.getsockname()[1]))


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        (["cup.yaml", "--watch"], ["cup.yaml", "--watch", "127.0.0.1:0"]),
        (["--watch", "cup.yaml"], ["--watch", "127.0.0.1:0", "cup.yaml"]),
        (["--watch", "8080", "cup.yaml"], ["--watch", "8080", "cup.yaml"]),
        (["--watch", "[::1]:80", "cup.yaml"], ["--watch", "[::1]:80", "cup.yaml"]),
        (["--watch=8080", "cup.yaml"], ["--watch=8080", "cup.yaml"]),
        (["cup.yaml"], ["cup.yaml"]),
    ],
)
def test_the_address_may_be_left_out(typed: list[str], read: list[str]) -> None:
    assert with_address(typed) == read
