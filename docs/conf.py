"""The documentation site: `sphinx-build -b html docs build/site` (extra `docs`)."""

from __future__ import annotations

from importlib.metadata import version as installed

project = "schemaproof"
release = installed("schemaproof")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = "schemaproof"
myst_heading_anchors = 3
exclude_patterns = ["build"]
autodoc_typehints = "description"
autodoc_member_order = "bysource"
# Files outside of the site (README, CHANGELOG) are linked from some pages.
# Examples of broken markup are shown as they are.
suppress_warnings = ["myst.xref_missing", "misc.highlighting_failure"]
napoleon_custom_sections = [("Arguments", "params_style"), ("Source", "notes_style")]
