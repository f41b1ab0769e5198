"""Conclusions from a leaderboard as sentences, and warnings of what makes it worth less. Changes no rank."""
