"""The floods of the movement planner, to be compiled by Cython; see `gridjoust.bots.planners._kernels`."""
