"""Everything that bots and referee share: messages, topics, the bus that carries them, and errors. Knows no rules."""
