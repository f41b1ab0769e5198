"""Bots for bomber: what they share (tracker, danger, targets) and one small file per bot."""
