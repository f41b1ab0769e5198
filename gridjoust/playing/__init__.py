"""Playing in the browser: the page's events and its server."""
