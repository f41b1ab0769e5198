"""Pure search. Knows no game, no bot and no clock but the one it is handed."""
