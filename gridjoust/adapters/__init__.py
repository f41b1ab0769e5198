"""Adapters of games to learning libraries: PettingZoo and Gymnasium environments."""
