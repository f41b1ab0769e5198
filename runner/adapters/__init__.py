"""Joust's games behind other projects' interfaces. Each module needs an extra of its own."""
