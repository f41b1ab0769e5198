"""The only source of chance in the rules: independent of any global generator, clock and call history."""

import random

SEED_LIMIT = 2**53  # seeds stay exact in JSON, JavaScript and pandas


def rng_for(seed: int, turn: int, purpose: str) -> random.Random:
    """A generator of its own for one address (seed, turn, purpose).

    Seeded from a string (SHA-512 inside `random.Random`), so the draw does not depend on what was
    drawn before, on PYTHONHASHSEED or on the platform.

    >>> rng_for(7, 3, "treasure").randrange(100) == rng_for(7, 3, "treasure").randrange(100)
    True
    """
    return random.Random(f"{seed}/{turn}/{purpose}")
