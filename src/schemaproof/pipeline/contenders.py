"""The contenders that need no model, and which one a SPEC names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemaproof.errors import InputError, SourceError
from schemaproof.page.model import Page
from schemaproof.pipeline.plan import Plan, contender_files
from schemaproof.pipeline.specs import Spec
from schemaproof.pipeline.written import Contender, Written

if TYPE_CHECKING:
    from schemaproof.generation.reading import Reading
    from schemaproof.vocabulary import Vocabulary


class ExtractorContender:
    """The embedded extractor: needs no model."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._reading: Reading | None = None  # of the last page: its units come one after another

    def write(self, page: Page, page_id: str, types: Sequence[str]) -> Written:
        """See `generation.extractor.extract`; types that are not in the vocabulary are passed over."""
        from schemaproof.generation.extractor import extract
        from schemaproof.generation.reading import Reading

        known = [name for name in types if name in self.vocabulary.types]
        if not known:
            return Written(())
        # Threads may write for different pages at once: each looks at the reading once and checks whose it is.
        reading = self._reading
        if reading is None or reading.page is not page:
            reading = self._reading = Reading(page, self.vocabulary)
        extraction = extract(page, known, self.vocabulary, reading=reading)
        sources = {
            pointer: (evidence.start, evidence.end, evidence.text) for pointer, evidence in extraction.sources.items()
        }
        return Written(tuple(extraction.documents), True, sources)


class FilesContender:
    """Markups made elsewhere: ID.jsonld in a folder, or ID_Type1_Type2.jsonld one a unit."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, page: Page, page_id: str, types: Sequence[str]) -> Written:
        """Read the file of the page.

        Raises: InputError where there is none or it is not JSON.
        """
        from schemaproof.json_reader import read_json

        files = contender_files(self.folder, page_id)
        whole = [path for path in files if path.stem == page_id]
        wanted = set(types)
        chosen = whole or [p for p in files if set(p.stem.removeprefix(f"{page_id}_").split("_")) == wanted]
        if not chosen:
            raise InputError(f"no file {page_id}.jsonld for this page", source=str(self.folder))
        documents: list[Any] = []
        notes: list[str] = []
        for path in chosen:
            try:
                text = path.read_text(encoding="utf-8-sig", errors="replace")
            except OSError as problem:
                raise SourceError(str(path), problem.strerror or str(problem)) from None
            reading = read_json(text)
            if reading.error is not None:
                raise InputError(
                    reading.error.message, source=str(path), line=reading.error.line, column=reading.error.column
                )
            notes += [f"{path.name}: {warning.message}" for warning in reading.warnings]
            for value in reading.values:
                documents += [
                    item for item in (value if isinstance(value, list) else [value]) if isinstance(item, dict)
                ]
        return Written(tuple(documents), not whole, {}, tuple(notes))


def build_contender(spec: Spec, plan: Plan, vocabulary: Vocabulary) -> Contender:
    """The contender that a SPEC names.

    Raises: SpecError, MissingExtraError.
    """
    if spec.kind == "embedded":
        return ExtractorContender(vocabulary)
    if spec.kind == "files":
        return FilesContender(Path(spec.target))
    from schemaproof.pipeline.model_contender import build_model_contender

    return build_model_contender(spec, plan, vocabulary)
