"""Locating a value in a text: the ways a page would print it, where it stands, what it belongs to."""
