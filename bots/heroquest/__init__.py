"""Bots of heroquest: four planners that share their tactics and play either side, and two for Zargon alone."""
