"""Sandboxes for bots: bubblewrap where it works, else the built-in one of Landlock and seccomp."""
