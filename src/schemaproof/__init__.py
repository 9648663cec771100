"""Prove structured data: against its schema, against the page it describes, and against what it means."""

__version__ = "0.1.0"
