"""A contest that lives for a term: hand-in, admission, a schedule without an end, ladder and grades."""
