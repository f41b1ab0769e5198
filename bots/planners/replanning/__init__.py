"""Searches that keep what earlier ones have found: for better paths, or for changed maps."""
