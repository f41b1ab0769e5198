"""One module per question that a page answers. Each takes a scope and gives a section, or None if there is nothing."""
