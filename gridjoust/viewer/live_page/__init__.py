"""The live page of a running tournament: boards, standings and last results as events."""
