"""Reads benchmarks: our own, the ground truth of the paper's agents, and statements of real pages judged by readers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from schemaproof.errors import InputError, SourceError
from schemaproof.groundtruth.row import COMPLIANCE, FACTUALITY, Row, digest


def read_rows(path: str | Path) -> list[Row]:
    """The rows of a JSON Lines file of any of the three forms, told apart line by line.

    Arguments:
        path: the file. Its stem names the set, except for judged pages: there the sets are called "factuality" and
            "compliance", and a line may give a row to both. Unclear and debatable statements are left out.

    Raises:
        SourceError: the file cannot be opened.
        InputError: a line is no JSON object of one of the forms; with its number.
    """
    file = Path(path)
    try:
        data = file.read_bytes()
    except OSError as problem:
        raise SourceError(str(path), f"cannot be opened: {problem.strerror or problem}") from None
    rows: list[Row] = []
    for number, line in enumerate(data.splitlines(), 1):
        if line.strip():
            rows.extend(_line(line, number, file))
    if not rows:
        raise InputError("holds no row that can be judged", source=str(path))
    return rows


def _line(line: bytes, number: int, file: Path) -> Iterator[Row]:
    import orjson

    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError as problem:
        message = f"not JSON ({problem.msg}); a benchmark has one JSON object a line"
        raise InputError(message, source=str(file), line=number, column=problem.colno) from None
    try:
        if not isinstance(record, dict):
            raise KeyError("property")
        if "factual" in record or "compliant" in record:
            yield from _judged(record)
        elif "agent" in record:
            yield _own(record)
        else:
            yield from _paper(record, file.stem)
    except KeyError as missing:
        message = f"lacks the field {missing}; see `schemaproof bench judges --help` for the forms that are read"
        raise InputError(message, source=str(file), line=number) from None
    except (TypeError, ValueError) as problem:
        raise InputError(f"has an unusable field ({problem})", source=str(file), line=number) from None


def _label(value: Any) -> bool:
    if value in ("positive", True):
        return True
    if value in ("negative", False):
        return False
    raise ValueError(f"label is positive or negative, not {value!r}")


def _value(value: Any) -> str | int | float | bool:
    if isinstance(value, (str, int, float, bool)):
        return value
    raise ValueError(f"value is a literal, not {type(value).__name__}")


def _own(record: dict[str, Any]) -> Row:
    agent = str(record["agent"])
    if agent not in (FACTUALITY, COMPLIANCE):
        raise ValueError(f"agent is {FACTUALITY} or {COMPLIANCE}, not {agent}")
    return Row(
        str(record["id"]),
        str(record.get("set") or agent),
        agent,
        str(record.get("group") or digest(str(record.get("text", "")))),
        tuple(map(str, record.get("types") or ())),
        str(record["property"]),
        _value(record["value"]),
        _label(record["label"]),
        str(record.get("text") or ""),
        language=str(record.get("language") or ""),
        path=str(record.get("path") or ""),
        split=str(record.get("split") or ""),
        kind=str(record.get("kind") or ""),
        source=str(record.get("source") or ""),
    )


def _paper(record: dict[str, Any], stem: str) -> Iterator[Row]:
    label = _label(record["label"])
    kind = record.get("type")
    judges = [name for name in ("mixtral", "selfcheckgpt") if record.get(name) in ("TOKPOS", "TOKNEG")]
    scores = {name: record.get(f"{name}_snippet_score") for name in ("mixtral", "selfcheckgpt")}
    text = str(record["text"])
    yield Row(
        str(record["id"]),
        stem,
        COMPLIANCE if "definition" in record or "compliance" in stem else FACTUALITY,
        digest(text),
        (str(kind),) if kind else (),
        str(record["property"]),
        _value(record["value"]),
        label,
        text,
        language="en",
        snippet=str(record.get("snippet_id") or ""),
        recorded={name: record[name] == "TOKPOS" for name in judges},
        snippet_recorded={name: float(score) >= 0.5 for name, score in scores.items() if score is not None},
        source="LLM4Schema.org, ground truth of the agents (no licence stated)",
        first=bool(record.get("first", True)),
    )


def _judged(record: dict[str, Any]) -> Iterator[Row]:
    recorded = record.get("mixtral") or {}
    for agent, field, yes, no in (
        (FACTUALITY, "factual", ("supported",), ("contradicted", "unsupported")),
        (COMPLIANCE, "compliant", ("yes",), ("no",)),
    ):
        said = record.get(field)
        if said not in yes + no:
            continue
        answer = recorded.get(agent)
        yield Row(
            str(record["id"]),
            agent,
            agent,
            str(record["page"]),
            tuple(map(str, record.get("types") or ())),
            str(record["property"]),
            _value(record["value"]),
            said in yes,
            page=str(record["page"]),
            path=str(record.get("path") or ""),
            kind=str(said),
            evidence=str(record.get("evidence") or ""),
            reason=str(record.get("reason") or ""),
            recorded={} if answer is None else {"mixtral": bool(answer)},
            source=str(record.get("url") or ""),
        )


def read_pages(path: str | Path, wanted: set[str]) -> dict[str, tuple[bytes, str | None, str | None]]:
    """The HTML of pages by id, for rows that name a page.

    Arguments:
        path: Parquet file with the columns id, url and html.
        wanted: ids to keep.

    Returns:
        Id to (HTML, address, content type).

    Raises: InputError for a file that is no such Parquet.
    """
    from schemaproof.sources.parquet import read_parquet

    if not Path(path).is_file():
        raise SourceError(str(path), "there is no such file of pages")
    return {
        source.id: (source.data, source.url, source.content_type)
        for source in read_parquet(Path(path))
        if source.id in wanted and source.data is not None
    }
