"""Bots for eidolon: their shared parts (belief, roads, tours, colours, claims) and one small file per planner."""
