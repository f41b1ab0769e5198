"""The only source of chance in the rules; it uses no global generator and no clock."""

import random

SEED_LIMIT = 2**53  # seeds stay exact in JSON, JavaScript and pandas


def rng_for(seed: int, turn: int, purpose: str) -> random.Random:
    """Return a separate random generator for one address (seed, turn, purpose).

    It is seeded with a string (SHA-512 inside `random.Random`). Its numbers therefore do not depend on earlier draws,
    on PYTHONHASHSEED or on the platform.

    >>> rng_for(7, 3, "treasure").randrange(100) == rng_for(7, 3, "treasure").randrange(100)
    True

    Args:
        seed: of the match, as `initial_state` gets it
        turn: number of the turn; 0 for the start position
        purpose: what the numbers are for, such as `treasure`
    """
    return random.Random(f"{seed}/{turn}/{purpose}")
