"""Compile a release of Schema.org to the packaged facts table.

python scripts/build_vocabulary.py FILE RELEASE [--check]

FILE is `schemaorg-all-https.ttl` or `.jsonld` of the release, for instance out of the cache that
`schemaproof vocabulary fetch` fills. With --check nothing is written; exit status 1 when the packaged table differs.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from schemaproof.vocabulary.ontology import read_ontology
from schemaproof.vocabulary.table import pack

TARGET = Path(__file__).parent.parent / "src" / "schemaproof" / "vocabulary" / "data" / "schemaorg.table"
MOST_BYTES = 60_000


def main() -> int:
    """Write the table and print what it holds."""
    parser = argparse.ArgumentParser(description="Compile a release of Schema.org to the packaged facts table.")
    parser.add_argument("file", type=Path)
    parser.add_argument("release")
    parser.add_argument("--check", action="store_true", help="compare with the packaged table, write nothing")
    options = parser.parse_args()
    vocabulary = read_ontology(options.file, release=options.release).vocabulary
    data = pack(vocabulary)
    print(
        f"{len(vocabulary.types)} types, {len(vocabulary.properties)} properties, "
        f"{len(vocabulary.individuals)} members, {len(data)} bytes"
    )
    if len(data) > MOST_BYTES:
        print(f"more than {MOST_BYTES} bytes", file=sys.stderr)
        return 1
    if options.check:
        return 0 if TARGET.read_bytes() == data else 1
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_bytes(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
