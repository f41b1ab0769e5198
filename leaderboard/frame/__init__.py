"""Result rows -> arrays of small numbers: seats, then entries, then what a rating fit reads."""
