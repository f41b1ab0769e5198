"""Judge of one match (sans-I/O): events in, commands out."""

from runner.referee.commands import Command, Drop, Finish, Party, Send, Write
from runner.referee.judge import Referee, no_lag

__all__ = ["Command", "Drop", "Finish", "Party", "Referee", "Send", "Write", "no_lag"]
