"""The blast and reach maps of bomber's bots, compiled by Cython; see `gridjoust.bots.planners._kernels`."""
