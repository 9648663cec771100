"""Opening pages: files, folders, URLs, WARC, Parquet, a browser."""
