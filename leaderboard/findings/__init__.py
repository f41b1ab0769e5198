"""Writes sentences about a leaderboard: conclusions, and warnings that it is less certain than it looks."""
