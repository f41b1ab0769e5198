"""The blast and reach maps of bomber's bots, to be compiled by Cython; see `bots.planners._kernels`."""
