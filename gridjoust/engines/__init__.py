"""Engines for matches on other machines: a Dask cluster, and workers that ask for batches over HTTP."""
