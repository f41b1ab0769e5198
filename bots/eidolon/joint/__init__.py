"""The joint plan of all heroes if a ritual follows every turn: who does what next, who goes together."""
