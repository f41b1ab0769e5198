"""Planners and other alternatives that were measured and not chosen; only the study imports them."""
