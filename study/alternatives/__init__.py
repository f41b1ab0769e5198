"""Ways of planning that were measured and not chosen. Benchmarks alone import them."""
