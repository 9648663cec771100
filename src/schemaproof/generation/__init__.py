"""Contenders that write markup: the embedded extractor and LLMs."""
