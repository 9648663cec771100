"""The import rule: a part imports only from the parts left of it, and each command is thin."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "src" / "schemaproof"
ORDER = [
    "errors", "wording", "json_refusal", "json_scanner", "json_reader", "vocabulary", "page", "markup",
    "models.protocol", "agents", "generation", "scoring", "extraction", "models", "sources", "pipeline", "groundtruth",
    "published", "sampling", "assessment", "reporting", "api", "cli",
]  # fmt: skip
MODULES = sorted(
    path for path in ROOT.rglob("*.py") if path.parent != ROOT or path.stem not in ("__init__", "__main__")
)


def part(dotted: str) -> str | None:
    """The part of the package that a dotted module name belongs to."""
    names = dotted.removeprefix("schemaproof").lstrip(".").split(".")
    if names[:2] == ["models", "protocol"]:
        return "models.protocol"
    return names[0] if names[0] in ORDER else None


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            base = node.module or ""
            found.add(base)
            found.update(f"{base}.{alias.name}" for alias in node.names)
    return {name for name in found if name.startswith("schemaproof")}


def dotted(path: Path) -> str:
    return ".".join(("schemaproof", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_imports_go_only_left(path: Path) -> None:
    own = part(dotted(path))
    assert own is not None, f"{path.name} belongs to no part: name it in ORDER or move it"
    for name in imports(path):
        other = part(name)
        if other is not None and other != own:
            assert ORDER.index(other) < ORDER.index(own), f"{dotted(path)} imports {name}"


def test_no_module_is_called_utils() -> None:
    assert not [path for path in MODULES if path.stem in ("utils", "util", "helpers", "common", "misc")]


def test_the_rule_can_fail() -> None:
    assert part("schemaproof.agents.validity") == "agents"
    assert ORDER.index("agents") < ORDER.index("cli")


def runtime_imports(source: str, known: set[str]) -> set[str]:
    """Modules that a source imports when it runs, at its top or late; what only a type checker reads is left out."""
    found: set[str] = set()
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            waiting.extend(node.orelse)
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                found.add(name if name in known else node.module)
        waiting.extend(ast.iter_child_nodes(node))
    return found & known


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Not late, inside a function, either: what two modules share stands in a third."""
    # The package itself is left out: its names stand for those of `api`, and everyone may ask for its version.
    modules = {dotted(path): path for path in MODULES}
    graph = {
        name: runtime_imports(path.read_text(encoding="utf-8"), set(modules)) - {name} for name, path in modules.items()
    }
    TopologicalSorter(graph).prepare()


def test_a_late_import_in_a_circle_is_found() -> None:
    known = {"schemaproof.a", "schemaproof.b"}
    late = "def f():\n    from schemaproof import b\n"
    assert runtime_imports(late, known) == {"schemaproof.b"}
    typed = "if TYPE_CHECKING:\n    from schemaproof.b import B\n"
    assert runtime_imports(typed, known) == set()
    with pytest.raises(CycleError):
        TopologicalSorter({"schemaproof.a": {"schemaproof.b"}, "schemaproof.b": {"schemaproof.a"}}).prepare()
