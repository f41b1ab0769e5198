"""Bots that play navigation: they share one belief about the map and one walker, and differ in their planner."""
