"""Plays a contest: admission of versions, the schedule, and the process that does both."""
