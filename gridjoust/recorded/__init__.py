"""Tools on records and bots: rebuild messages, ask questions again, play matches on, and test a bot."""
