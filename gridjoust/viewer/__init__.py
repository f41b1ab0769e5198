"""Matches in a browser: a record as JSON for the page, the page as one file or from a server."""
