"""Match records: writing, reading, sealing and outlines."""
