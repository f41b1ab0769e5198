"""What every test shares."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("joust", deadline=None, derandomize=True)  # no timed assertions, no luck
settings.load_profile("joust")
