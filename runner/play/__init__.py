"""Plays one match: with asyncio around the referee, processes of bots that are started and reused, and a clock."""
