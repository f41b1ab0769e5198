"""The match runner: referee, bus, broker, processes, tournament, records, tables."""

__version__ = "0.1.0"  # of Joust
