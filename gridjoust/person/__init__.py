"""A person who plays or watches in the terminal: screens, keyboard input, and the person's seat."""
