"""Everything that compares our own bots and games with each other; `python -m study` lists the commands."""
