"""YAML -> frozen values; what does not fit is one line: file, key path, expected, got."""
