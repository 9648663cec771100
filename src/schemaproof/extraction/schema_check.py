"""Whether a value keeps to a JSON Schema: compiled once a schema, nothing fetched."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

# jsonschema-rs answers within microseconds, compiling takes longer: data sets repeat their schemas.
_KEPT = 512


@dataclass(frozen=True, slots=True)
class SchemaError:
    """One breach of a JSON Schema.

    Attributes:
        pointer: JSON Pointer (RFC 6901) of the value, "" for the root.
        keyword: JSON Pointer of the schema's keyword that it breaks.
        message: one sentence.
    """

    pointer: str
    keyword: str
    message: str


def pointer(path: Iterable[str | int]) -> str:
    """A JSON Pointer (RFC 6901) of path parts."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def _refuse(uri: str) -> Any:
    raise ValueError(f"{uri} lies outside the schema, and nothing is fetched")


class SchemaCheck:
    """A compiled JSON Schema. A schema that is none (or refers to an address) is broken: nothing complies.

    Arguments:
        schema: a JSON Schema, draft 4 to 2020-12 by its `$schema`, else 2020-12.

    Attributes:
        broken: why the schema cannot be used, or "".
    """

    def __init__(self, schema: Any) -> None:
        import jsonschema_rs

        self.broken = ""
        self._validator: Any = None
        if not isinstance(schema, dict | bool):
            self.broken = "a JSON Schema is an object, true or false"
            return
        try:
            self._validator = jsonschema_rs.validator_for(schema, retriever=_refuse)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as problem:
            # A panic inside the Rust library derives from BaseException; one odd schema must not end a run.
            self.broken = str(problem).split("\n", 1)[0] or type(problem).__name__

    def complies(self, value: Any) -> bool:
        """Whether the value keeps to the schema."""
        if self._validator is None:
            return False
        try:
            return bool(self._validator.is_valid(value))
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException:
            return False

    def errors(self, value: Any, limit: int = 20) -> list[SchemaError]:
        """The first breaches, in the order of the schema; one error at the root for a broken schema."""
        if self._validator is None:
            return [SchemaError("", "", f"the schema cannot be used: {self.broken}")]
        found: list[SchemaError] = []
        try:
            for error in self._validator.iter_errors(value):
                if len(found) == limit:
                    break
                message = str(error.message)
                if len(message) > 300:
                    message = message[:297] + "..."
                found.append(SchemaError(pointer(error.instance_path), pointer(error.schema_path), message))
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as problem:
            found.append(SchemaError("", "", str(problem).split("\n", 1)[0]))
        return found


_checks: OrderedDict[str, SchemaCheck] = OrderedDict()


def check_for(schema: Any, text: str) -> SchemaCheck:
    """The compiled schema, remembered by its text (the 512 used last).

    Arguments:
        schema: the JSON Schema.
        text: its serialisation; equal texts must mean equal schemas.
    """
    known = _checks.get(text)
    if known is None:
        known = _checks[text] = SchemaCheck(schema)
        if len(_checks) > _KEPT:
            _checks.popitem(last=False)
    else:
        _checks.move_to_end(text)
    return known
