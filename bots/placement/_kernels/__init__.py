"""The floods of the movement planner, to be compiled by Cython; see `bots.planners._kernels`."""
