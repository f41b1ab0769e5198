"""Bots as processes: started, confined, watched and ended. Knows no match."""
