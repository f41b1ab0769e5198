"""Bots for bomber: the parts that they share (situation, tracker, safety) and one small file per bot."""
