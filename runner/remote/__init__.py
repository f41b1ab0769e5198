"""Bots on other machines: what they connect with, the lobby where they are waited for, the link to each."""
