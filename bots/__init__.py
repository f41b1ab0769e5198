"""Bots, their planners and the harness that runs one in a process. Start-up imports stay light."""
