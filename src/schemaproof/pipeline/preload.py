"""What the fork server loads once, so that each worker has it without loading it again."""

from __future__ import annotations

from schemaproof.vocabulary import load

load()
