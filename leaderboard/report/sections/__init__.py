"""One module per question that the page answers: it makes a section of a scope, or None if it has nothing to show."""
