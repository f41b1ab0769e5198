"""Lets a person play in the browser (the page's events and its server), or on the whole screen of a terminal."""
