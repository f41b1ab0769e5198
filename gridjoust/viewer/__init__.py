"""Matches in a browser: records as JSON for the pages, and pages as single files or from a server."""
