"""Result rows -> standings. Reads no records and starts nothing; only the rating fit imports numpy."""
