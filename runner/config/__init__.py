"""From a tournament's YAML file to frozen values; each mistake is one line: file, key path, expected, got."""
