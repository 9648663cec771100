"""The three agents: validity, factuality, compliance. Each yields one verdict per statement, as data."""
