"""The search behind `bots.ricochet.optimum`, to be compiled by Cython; see `bots.planners._kernels`."""
