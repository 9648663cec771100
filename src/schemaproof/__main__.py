"""`python -m schemaproof`."""

from schemaproof.cli.main import main

main()
