"""The live page of a running tournament: its boards, standings and last results as events."""
