"""The checks of a game. Each yields one sentence per violation, and nothing if the game passes."""
