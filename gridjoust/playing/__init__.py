"""Playing on a page of the browser: the page itself and its server."""
