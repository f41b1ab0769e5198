"""Packs: many match records in one file. Records move into packs and back; none is ever lost."""
