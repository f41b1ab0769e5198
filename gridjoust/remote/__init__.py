"""The client of `joust connect`: a bot on this machine that plays in a tournament elsewhere."""
