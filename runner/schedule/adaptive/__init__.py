"""Which matches to play next, and when to stop. Pure decisions on what has been played: no I/O, no clock, no chance."""
