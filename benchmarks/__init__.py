"""Every figure that we quote about the product, each by one command; `python -m benchmarks` prints them all."""
