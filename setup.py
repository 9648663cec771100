"""The compiled part of the package; all else about it stands in pyproject.toml."""

from setuptools import Extension, setup

# Optional: where no compiler is at hand the package installs without it, and schemaproof.sampling.lines does the same
# in Python.
setup(ext_modules=[Extension("schemaproof.sampling._runs", ["src/schemaproof/sampling/_runs.c"], optional=True)])
