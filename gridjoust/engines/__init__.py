"""Engines that play matches on other machines: a Dask cluster, and workers that fetch batches over HTTP."""
