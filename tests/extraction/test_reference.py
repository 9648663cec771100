"""The profile `reference` against recorded results of the published code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from schemaproof.errors import InputError
from schemaproof.extraction.reference import METRICS, score
from schemaproof.extraction.schema_check import SchemaCheck


def test_every_recorded_case_is_met_bit_for_bit(shared: Path) -> None:
    lines = (shared / "extraction" / "reference_oracle.jsonl").read_text(encoding="utf-8").splitlines()
    cases: list[dict[str, Any]] = [json.loads(line) for line in lines]
    assert len(cases) == 422
    for case in cases:
        gold, check = json.loads(case["gold_json"]), SchemaCheck(case["schema"])
        if "raises" in case["expected"]:
            with pytest.raises(InputError):
                score(case["pred"], gold, check)
        else:
            got = score(case["pred"], gold, check)
            assert tuple(got) == METRICS
            assert got == case["expected"], case["id"]
