"""Turns a tournament's YAML file into frozen values; each mistake is one line: file, key path, expected, got."""
