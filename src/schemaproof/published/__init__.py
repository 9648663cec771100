"""The published protocol, bug for bug, and the reader of the authors' artefacts."""
