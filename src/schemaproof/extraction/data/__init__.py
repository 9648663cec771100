"""The packaged data set of `schemaproof extraction`; written by scripts/build_extraction_example.py."""
