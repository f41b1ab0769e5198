"""A leaderboard and its tables -> one self-contained HTML page. Plays nothing, fetches nothing, rates nobody."""
