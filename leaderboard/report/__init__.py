"""A leaderboard and its tables -> one self-contained HTML page, which fetches nothing."""
