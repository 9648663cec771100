"""Characteristic sets, strata, languages."""
