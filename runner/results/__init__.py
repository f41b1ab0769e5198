"""A results folder: its records, tables and packs, its lock and secrets, and what a run finds in it."""
