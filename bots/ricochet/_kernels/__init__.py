"""The search of `gridjoust.bots.ricochet.optimum`, compiled by Cython like `gridjoust.bots.planners._kernels`."""
