"""Imports go learnagent → tutoring → conversations → agents, never back; the engine imports no Django."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
APPS = ("agents", "conversations", "tutoring", "learnagent")
"""From right to left: each may import those before it, and itself."""
FORBIDDEN_PACKAGES = {"tests", "bench"}
CORE = ("errors", "event_log", "limits", "tracing", "values")
CORE_FOLDERS = ("audio", "engine", "llm", "local_models", "net", "routing", "sandbox", "tools")
"""The engine's modules and folders that know no Django."""
TEACHING_LAYERS = (
    ("courses", "grading", "output_checks", "planner.values", "planner.times", "planner.requests"),
    ("understanding",),
    ("mastery",),
    ("lesson",),
)
"""Folders and modules of `tutoring` without a database, the lowest first."""
SDKS = {"anthropic", "fsrs", "openai"}

FILES = sorted(path for app in APPS for path in (ROOT / app).rglob("*.py"))
CORE_FILES = [ROOT / "agents" / f"{name}.py" for name in CORE] + sorted(
    path for folder in CORE_FOLDERS for path in (ROOT / "agents" / folder).rglob("*.py")
)


def imported(tree: ast.AST, *, package: str = "") -> Iterator[str]:
    """Yield the dotted names that the nodes below `tree` import, relative ones made whole."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            yield ".".join([*parents, *filter(None, [node.module])])


def at_import(tree: ast.Module) -> ast.Module:
    """Return the module without the bodies of its functions: what runs as it is imported."""

    class WithoutBodies(ast.NodeTransformer):
        def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
            return None

        def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
            return None

        def visit_If(self, node: ast.If) -> ast.AST | None:
            return None if "TYPE_CHECKING" in ast.unparse(node.test) else self.generic_visit(node)

    stripped = WithoutBodies().visit(tree)
    assert isinstance(stripped, ast.Module)
    return stripped


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def apps_imported(path: Path) -> set[str]:
    package = ".".join(path.relative_to(ROOT).parent.parts)
    return {name.partition(".")[0] for name in imported(parsed(path), package=package)}


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def modules_of(path: Path) -> list[Path]:
    """Return the modules of a folder, or the module."""
    return sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]


@pytest.mark.parametrize("layer", range(len(TEACHING_LAYERS)))
def test_teaching_rules_import_only_their_own_and_lower_layers(layer: int) -> None:
    allowed = tuple(f"tutoring.{folder}" for folders in TEACHING_LAYERS[: layer + 1] for folder in folders)
    files = [path for name in TEACHING_LAYERS[layer] for path in modules_of(ROOT / "tutoring" / name.replace(".", "/"))]
    strays = {
        (relative(path), name)
        for path in files
        if "records" not in path.parts  # `mastery/records` reads and writes rows.
        for name in imported(parsed(path))
        if name.startswith("tutoring.") and not name.startswith(allowed)
    }
    assert files
    assert not strays


@pytest.mark.parametrize("app", APPS)
def test_imports_only_go_to_the_right(app: str) -> None:
    forbidden = {*APPS[APPS.index(app) + 1 :], *FORBIDDEN_PACKAGES}
    found = {
        relative(path): apps_imported(path) & forbidden for path in FILES if path.relative_to(ROOT).parts[0] == app
    }
    assert {path: names for path, names in found.items() if names} == {}


def test_engine_knows_no_django() -> None:
    found = {relative(path): apps_imported(path) & {"django", "channels", "asgiref"} for path in CORE_FILES}
    assert {path: names for path, names in found.items() if names} == {}


def test_engine_is_imported_without_django() -> None:
    modules = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in CORE_FILES]
    program = f"import sys, {', '.join(modules)}; sys.exit('django' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def test_sdks_are_not_imported_with_a_module() -> None:
    found = {relative(path): {name.partition(".")[0] for name in imported(at_import(parsed(path)))} for path in FILES}
    assert {path: names & SDKS for path, names in found.items() if names & SDKS} == {}


def test_imports_are_read_wherever_they_stand() -> None:
    source = "import a.b\nfrom .c import d\nfrom ..e import f\ndef g():\n    from h import i\n"
    assert set(imported(ast.parse(source), package="app.folder")) == {"a.b", "app.folder.c", "app.e", "h"}


def test_import_inside_a_function_is_not_made_at_import() -> None:
    source = "import a\ndef g():\n    import b\nclass C:\n    import c\n    async def m(self):\n        import d\n"
    assert set(imported(at_import(ast.parse(source)))) == {"a", "c"}
