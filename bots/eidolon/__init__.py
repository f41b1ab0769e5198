"""Bots for eidolon: what they share (belief, roads, tours, council, claims) and one small file per planner."""
