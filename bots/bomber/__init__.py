"""Bots for bomber: what they share (situation, tracker, safety) and one small file per bot."""
