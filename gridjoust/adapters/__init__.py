"""Games for learning libraries: PettingZoo and Gymnasium environments."""
