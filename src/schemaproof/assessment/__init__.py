"""The blind A/B voting page."""
