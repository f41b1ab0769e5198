"""Bots on standard input and output: a task of the runner exchanges their messages with the broker.

A process of its own would cost every bot the start of a second program, and every message two more process switches.
Each message still goes through the broker under the bot's own account, so rights and limits are those of any other bot.
"""
