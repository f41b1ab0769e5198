"""One match and what it is played with: asyncio around the referee, bots that are started and kept, time."""
