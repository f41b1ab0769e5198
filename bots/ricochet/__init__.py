"""Ricochet bots: they share one bidder and the slides of the rules, and differ in their planner."""
