"""Judge of one match (sans-I/O): events in, commands out."""

from runner.referee.commands import Command, Drop, Finish, SeatHolder, Send, Write
from runner.referee.judge import Referee, no_lag

__all__ = ["Command", "Drop", "Finish", "Referee", "SeatHolder", "Send", "Write", "no_lag"]
