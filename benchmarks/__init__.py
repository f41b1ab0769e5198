"""The commands behind every figure that the project quotes; `python -m benchmarks` runs them all."""
