"""The house: what import-linter cannot say. No cycle, late imports included; nobody reads another's private module."""

from pathlib import Path

import grimp
import pytest

import beholder

ROOT = Path(beholder.__file__).parent
ROOMS = sorted(folder.parent for folder in ROOT.rglob("__init__.py"))
MOST = 10  # modules at a domain's root; more want a room


@pytest.fixture(scope="module")
def imports():
    """Who imports whom, in functions too; what is only for types does not run."""
    graph = grimp.build_graph("beholder", exclude_type_checking_imports=True)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


def test_no_module_imports_itself_by_a_detour(imports):
    left = dict(imports)
    while free := [module for module, others in left.items() if not others & left.keys()]:
        for module in free:
            del left[module]
    assert not left, f"a cycle lies among {sorted(left)}"


def test_nobody_imports_another_packages_private_module(imports):
    found = [
        f"{module} imports {other}"
        for module, others in imports.items()
        for other in others
        for package, _, name in [other.rpartition(".")]
        if name.startswith("_") and not (module == package or module.startswith(f"{package}."))
    ]
    assert not found


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.relative_to(ROOT.parent).as_posix())
def test_every_package_says_in_one_line_what_lives_there(room):
    text = (room / "__init__.py").read_text("utf-8")
    assert text.startswith('"""')
    assert text.splitlines()[0].removesuffix('"""').endswith(".")


@pytest.mark.parametrize(
    "domain", sorted({folder.parent for folder in ROOT.glob("*/benchmarks")}), ids=lambda d: d.name
)
def test_no_domain_has_loose_modules(domain):
    loose = [file.stem for file in domain.glob("*.py") if file.stem != "__init__"]
    assert len(loose) <= MOST, f"{domain.name} has {len(loose)} modules at its root: {', '.join(loose)}"


def test_no_room_for_anything():
    forbidden = {"utils", "helpers", "common", "base", "constants", "misc"}
    assert not {path.stem for path in ROOT.rglob("*.py")} & forbidden
