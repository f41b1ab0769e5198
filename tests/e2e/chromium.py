"""The system's Chromium, for tests of pages: where it is, and how it is started without a screen or a network."""

from __future__ import annotations

import shutil

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FOUND = next(filter(None, map(shutil.which, BROWSERS)), None)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
