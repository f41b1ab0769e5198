"""Addresses of pages: what a listening socket takes, and what a browser is sent to."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

import pytest

from gridjoust.viewer.address import address_of, listen


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "::", "::1"])
def test_the_address_for_a_browser_is_one_that_answers(host: str) -> None:
    try:
        listening = listen(host, 0)
    except OSError:
        pytest.skip("this machine has no IPv6")
    with listening:
        shown = urlsplit(address_of(listening, host))
        with socket.create_connection((shown.hostname, shown.port), timeout=5):
            pass
