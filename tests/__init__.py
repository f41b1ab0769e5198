"""The tests: they mirror the folders of the product. A package, so that no other one of this name takes its place."""
