"""Contenders and agents over many pages; the run file."""
