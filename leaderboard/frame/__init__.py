"""Turns result rows into arrays: seats, then entries (a bot's part in a match), then the input of rating fits."""
