"""Packs: many match records in one file. Records can move into packs and back; none is ever lost."""
