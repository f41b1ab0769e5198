"""A bot that plays from this machine in a tournament elsewhere: the side of whoever has been given a token."""
