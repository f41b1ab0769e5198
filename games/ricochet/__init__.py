"""Ricochet Robots: sliding robots, bids against the sand clock, proofs; solo positions with `mode: solve`."""

from gridjoust.games.ricochet.rules import Ricochet

__all__ = ["Ricochet"]
