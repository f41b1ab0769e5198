"""Bots of heroquest: four planners that share their tactics and play either side, and two bots for Zargon alone."""
