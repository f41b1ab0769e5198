"""The blast and reach maps of bomber's bots, to be compiled by Cython; see `gridjoust.bots.planners._kernels`."""
