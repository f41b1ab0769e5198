"""The named checks of a game. Each yields one sentence for every violation it meets, and nothing if all is well."""
