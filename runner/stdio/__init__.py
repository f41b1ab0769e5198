"""Bots on standard input and output: a task of the runner speaks MQTT for them. Plays no match and judges nothing.

It is no process of its own: that would cost every bot the start of a second program, and every message two more changes
of process. Each message still passes the broker under the bot's own account, so rights, budgets and charges are those
of any other bot.
"""
