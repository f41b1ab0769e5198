"""Makes one self-contained HTML page of a leaderboard and its tables; the page loads nothing from elsewhere."""
