"""Benchmarks for the agents, built from official examples."""
