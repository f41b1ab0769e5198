"""What a leaderboard means, in sentences, and what makes it worth less than it looks. Changes no rank."""
