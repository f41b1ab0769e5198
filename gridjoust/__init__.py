"""Joust for people: the command line, the doctor, conformance suites, adapters to other interfaces."""
