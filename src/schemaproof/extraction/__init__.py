"""The ScrapeGraphAI-100k metrics: profiles reference, card and aligned."""
