"""Every figure that we quote, each by one command; `python -m benchmarks` prints them all."""
