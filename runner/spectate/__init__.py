"""What spectators of a match get while it is played."""
