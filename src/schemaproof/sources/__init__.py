"""Opening pages: files, folders, URLs, WARC, Parquet, a browser."""

from schemaproof.sources.model import PageSource, identifier
from schemaproof.sources.opening import open_page, open_sources, to_page

__all__ = ["PageSource", "identifier", "open_page", "open_sources", "to_page"]
