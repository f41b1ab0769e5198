"""A person who plays by lines of text or watches in the terminal: screens, keyboard input, and the person's seat."""
