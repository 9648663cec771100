"""Markup: JSON-LD trees to nodes, statements and triples; pruning by path."""
