"""Where a match was decided: it is played on from many of its turns, and the shares of wins make a line."""
