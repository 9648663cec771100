"""The recipe of docs/sampling.md at small size: from a WARC file to a report."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from schemaproof.sources.archive import Archive
from schemaproof.sources.visiting import Visit
from schemaproof.sources.web import Answer

Call = Callable[..., subprocess.CompletedProcess[bytes]]


def page(number: int) -> bytes:
    rng = random.Random(number)
    extra = {name: f"{name} of {number}" for name in rng.sample(["color", "material", "sku", "slogan"], number % 5)}
    markup = {"@context": "https://schema.org", "@type": rng.choice(["Product", "Vehicle"]), "name": f"Thing {number}"}
    text = "".join(f"<p>{name}: {value}</p>" for name, value in extra.items())
    script = f'<script type="application/ld+json">{json.dumps(markup | extra)}</script>'
    return f"<html lang=en><title>Thing {number}</title>{script}<h1>Thing {number}</h1>{text}</html>".encode()


@pytest.mark.slow
def test_from_a_warc_file_to_a_report(tmp_path: Path, schemaproof: Call) -> None:
    with Archive(tmp_path / "crawl.warc.gz") as archive:
        for number in range(60):
            url = f"https://shop{number}.example/thing"
            archive.add(Visit(url, Answer(url, 200, "OK", {"content-type": "text/html"}, page(number))))

    def step(*arguments: str) -> bytes:
        ran = schemaproof(*arguments, cwd=tmp_path)
        assert ran.returncode == 0, ran.stderr.decode()
        return ran.stdout

    step("sample", "quads", "crawl.warc.gz", "-o", "crawl.nq.gz")
    counted = json.loads(step("sample", "count", "crawl.nq.gz", "-o", "csets.parquet", "--json"))
    assert (counted["pages"], counted["instances"], counted["malformed"]) == (60, 60, 0)
    drawn = json.loads(
        step("sample", "draw", "csets.parquet", "-n", "4", "--pages", "crawl.warc.gz", "-o", "sample.csv", "--json")
    )
    assert drawn["pages"] >= 12
    overall = drawn["characteristics"][-1]
    assert (overall["stratum"], overall["pages"]) == ("overall", drawn["pages"])
    copied = json.loads(
        step("sample", "pages", "sample.csv", "--from", "crawl.warc.gz", "-o", "sample.warc.gz", "--json")
    )
    assert (copied["fetched"], copied["failed"]) == (drawn["pages"], [])
    result = json.loads(step("run", "sample.warc.gz", "-o", "run.db", "--json", "--no-markup"))
    assert len(result["pages"]) == drawn["pages"]
    assert not any(each["error"] for each in result["pages"])
    step("report", "run.db", "-o", "report.html")
    assert (tmp_path / "report.html").stat().st_size > 1000
