"""Referee of one match (pure, no I/O): events in, commands out."""

from gridjoust.runner.referee.blame import LagMs, LoadOf, no_lag, no_load
from gridjoust.runner.referee.judge import Referee
from gridjoust.runner.referee.values import Command, Drop, Finish, SeatHolder, Send

__all__ = [
    "Command",
    "Drop",
    "Finish",
    "LagMs",
    "LoadOf",
    "Referee",
    "SeatHolder",
    "Send",
    "no_lag",
    "no_load",
]
