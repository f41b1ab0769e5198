"""Matches on other machines: batches go out to an engine, records come back. Only the owner decides and keeps tables.

The owner's schedule stays the only one. It fills batches worth half a minute, an engine
(`gridjoust.runner.engines.batch.Engine`, three verbs) has them played by the ordinary runner somewhere, and what comes
back are the finished matches' records. A match is addressed by its content, so one that was played twice is kept once.
"""
