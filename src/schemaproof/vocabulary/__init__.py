"""Schema.org, or another vocabulary in its place: facts, look-ups, definitions, shapes."""

from __future__ import annotations

from schemaproof.vocabulary.loading import load
from schemaproof.vocabulary.model import Member, Property, Type, Vocabulary
from schemaproof.vocabulary.prose import definitions

__all__ = ["Member", "Property", "Type", "Vocabulary", "definitions", "load"]
