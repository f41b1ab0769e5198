"""The floods of the movement planner, compiled by Cython; see `gridjoust.bots.planners._kernels`."""
