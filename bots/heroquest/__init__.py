"""Bots of heroquest: four hero bots that share their tactics, and two for Zargon."""
