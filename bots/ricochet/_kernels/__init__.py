"""The search behind `gridjoust.bots.ricochet.optimum`; compiled by Cython as `gridjoust.bots.planners._kernels` is."""
