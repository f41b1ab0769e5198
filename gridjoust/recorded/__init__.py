"""A bot looked at closely: what it was told in a recorded match, asked again, played on, examined. Prints nothing."""
