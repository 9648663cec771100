"""Schema.org, or another vocabulary: facts table, look-ups, definitions, shapes."""
