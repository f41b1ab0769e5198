"""Runs matches on other machines: batches go to an engine, records come back; the owner decides and writes tables.

Only the owner has the schedule. It fills batches of about half a minute. An engine
(`gridjoust.runner.engines.batch.Engine`) has them played by the ordinary runner on workers and returns the records of
finished matches. The id of a match is a hash of its content, so a match that was played twice is kept once.
"""
