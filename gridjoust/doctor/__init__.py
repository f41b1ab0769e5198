"""Looking at one bot closely: what it was told in a match, asked again, played again, examined. Prints nothing."""
