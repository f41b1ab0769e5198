"""Judge of one match (sans-I/O): events in, commands out."""

from runner.referee.commands import Command, Drop, Finish, Line, SeatHolder, Send
from runner.referee.judge import Referee, no_lag

__all__ = ["Command", "Drop", "Finish", "Line", "Referee", "SeatHolder", "Send", "no_lag"]
