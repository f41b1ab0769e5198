"""Runs bots as processes: starts, confines, measures and ends them."""
