"""The results folder of a tournament: its records, tables, packs, lock and secrets."""
