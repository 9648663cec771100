"""The prompts of generation as files, one a strategy, and our own examples."""
