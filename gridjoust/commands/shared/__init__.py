"""What several commands use: arguments, progress, what a run prints."""
