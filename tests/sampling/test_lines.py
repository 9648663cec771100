"""The compiled reader of blocks under sanitizers: no byte beyond a block is read, whatever stands in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src/schemaproof/sampling/_runs.c"

# Damaged lines, cut anywhere, in blocks that end right where memory of their own ends; what is given as a quad has to
# be one, and nothing may be lost: the runs have as many lines as the block.
DRIVER = r"""
import random, sys
sys.path.insert(0, sys.argv[1])
from _runs import runs
from schemaproof.sampling.folding import token_of
from schemaproof.sampling.names import RDF_TYPE
from schemaproof.sampling.quads import parse_line
rng = random.Random(int(sys.argv[2]))
TERMS = [b"_:a", b"<>", b"<http://a/>", b"<_:a>", b"_:a.b", b"<http://a/\xc3\xa9>", b'"x"',
    b'"\\u00e9 \\" \xf0\x9f\x98\x80"@en-GB', b'"1"^^<http://t/>', RDF_TYPE,
    b"<http://schema.org/name>", b"_:", b"<", b'"', b'"\\', b'"\\u00', b"\xf0\x9f", b"@"]
def line():
    parts = [rng.choice(TERMS[:6]), rng.choice(TERMS[9:11]), rng.choice(TERMS[:10]), rng.choice(TERMS[:6]), b"."]
    chance = rng.random()
    if chance < 0.2:
        parts[rng.randrange(5)] = rng.choice(TERMS)
    made = bytearray(rng.choice([b" ", b" ", b"\t", b""]).join(parts))
    if chance > 0.7:
        for _ in range(rng.randint(1, 3)):
            place = rng.randrange(len(made) + 1)
            if rng.random() < 0.5:
                made[place : place + rng.randint(0, 4)] = bytes([rng.choice(b'<>"\\\xff\x80\xe2\xf4 .:@^_-\r\0u')])
            else:
                del made[place:]
    return bytes(made)
quads = 0
for _ in range(int(sys.argv[3])):
    lines = [line()] * rng.choice([1, 1, 1, 3]) + [line() for _ in range(rng.randint(0, 5))]
    block = b"\n".join(lines) + b"\n"
    at = 0
    for subject, page, key, count in runs(block, RDF_TYPE):
        if key:
            read = [parse_line(each) for each in lines[at : at + count]]
            assert all(quad[0] == subject and quad[3] == page for quad in read), (lines, read)
            tokens = [token_of(quad[1], quad[2]) for quad in read]
            assert key.split() == [t for n, t in enumerate(tokens) if not n or t != tokens[n - 1]], (key, tokens)
            quads += count
        else:
            assert (subject, page, count) == (lines[at], b"", 1)
        at += count
    assert at == len(lines)
print(quads)
"""


@pytest.mark.slow
def test_no_block_makes_it_read_or_say_what_is_not_there(tmp_path: Path) -> None:
    compiler = shutil.which("gcc")
    include = sysconfig.get_path("include")
    if not compiler or not Path(include, "Python.h").is_file() or not SOURCE.is_file():
        pytest.skip("no gcc, or no headers of Python")
    checks = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-Wno-missing-field-initializers", "-g", "-O1"]
    checks += ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    made = subprocess.run(
        [compiler, *checks, "-shared", "-fPIC", f"-I{include}", str(SOURCE), "-o", str(tmp_path / "_runs.so")],
        capture_output=True,
        text=True,
    )
    if "cannot find" in made.stderr:
        pytest.skip("gcc without its sanitizers")
    assert made.returncode == 0, made.stderr
    library = subprocess.run([compiler, "-print-file-name=libasan.so"], capture_output=True, text=True).stdout.strip()
    # Python's own allocator would put blocks into larger ones, where nothing sees a read beyond them.
    environment = {**os.environ, "LD_PRELOAD": library, "PYTHONMALLOC": "malloc", "ASAN_OPTIONS": "detect_leaks=0"}
    command = [sys.executable, "-c", DRIVER, str(tmp_path), "1", "30000"]
    ran = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert ran.returncode == 0, ran.stderr[-3000:]
    assert int(ran.stdout) > 50_000
