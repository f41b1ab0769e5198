"""A person who plays: what is shown of a game, what is typed, and the seat that both of them make."""
