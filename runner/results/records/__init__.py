"""The match file: write, read, replay, verify."""
