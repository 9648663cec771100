"""Chat models: the protocol, what answers it, and the memory of answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schemaproof.models.building import SpecLike
    from schemaproof.models.session import Session


def build_model(spec: SpecLike) -> Session:
    """The chat model that a SPEC names; see `schemaproof.models.building.build_model`."""
    from schemaproof.models.building import build_model as build

    return build(spec)


__all__ = ["build_model"]
