"""Bots that play navigation: one belief about the map, one walker, a planner each."""
