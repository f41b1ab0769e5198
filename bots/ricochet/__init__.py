"""Ricochet bots: one bidder with a planner each, on the slides that the rules use too."""
