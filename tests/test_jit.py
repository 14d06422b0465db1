"""Compiled code: never stale, compiled in one place, loaded only when it is needed; and who may import whom."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("sim", "policies", "pipelines")
CLUSTER_AND_FILES = {"ray", "pyarrow", "duckdb", "typer", "rich", "psutil", "pipelines"}
FORBIDDEN = {"sim": CLUSTER_AND_FILES | {"policies"}, "policies": CLUSTER_AND_FILES, "pipelines": set()}
HELPER = """from sim.jit import njit


@njit
def answer(n):
    return n + 1
"""
CALLER = """from sim.helper import answer
from sim.jit import njit


@njit
def ask(n):
    return answer(n)
"""
ASK = """
from sim.caller import ask
stats = (ask(1), ask.stats.cache_hits)
print(*(stats[0], sum(stats[1].values())))
"""


def run(code: str, cwd: Path, **env: str) -> str:
    """What a new process prints."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(cwd)} | env,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def copy_of_sources(tmp_path: Path) -> Path:
    """The compiled packages with one more helper and a caller of it, in a folder of their own."""
    for package in ("sim", "policies"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "sim" / "helper.py").write_text(HELPER)
    (tmp_path / "sim" / "caller.py").write_text(CALLER)
    return tmp_path


def test_an_edited_helper_is_seen_by_its_cached_caller(copy_of_sources: Path) -> None:
    cache = str(copy_of_sources / "cache")
    assert run(ASK, copy_of_sources, PATIENCE_CACHE=cache) == "2 0"
    assert run(ASK, copy_of_sources, PATIENCE_CACHE=cache) == "2 1", "the caller must come from the cache"
    (copy_of_sources / "sim" / "helper.py").write_text(HELPER.replace("n + 1", "n + 10"))
    assert run(ASK, copy_of_sources, PATIENCE_CACHE=cache) == "11 0"
    assert len(list((copy_of_sources / "cache").iterdir())) == 2


def test_the_cache_is_private(copy_of_sources: Path) -> None:
    run("import sim.jit", copy_of_sources, PATIENCE_CACHE=str(copy_of_sources / "cache"))
    [folder] = (copy_of_sources / "cache").iterdir()
    assert folder.stat().st_mode & 0o077 == 0


def files(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    """Every name that a file imports, with its module: "sim.jit.njit"."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names)


def compiles(path: Path) -> set[str]:
    """The ways of numba to compile that a file mentions."""
    makers = {"njit", "jit", "vectorize", "guvectorize", "cfunc", "stencil", "jit_module", "generated_jit"}
    named = {name for name in imports(path) if name.startswith("numba.") and name.rpartition(".")[2] in makers}
    attributes = {
        f"numba.{node.attr}"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr in makers
        if isinstance(node.value, ast.Name) and node.value.id in ("numba", "nb")
    }
    return named | attributes | {name for name in imports(path) if name == "numba.*"}


def test_only_one_module_compiles() -> None:
    assert compiles(ROOT / "sim" / "jit.py") == {"numba.njit"}
    others = [path for package in (*PACKAGES, "tests", "benchmarks") for path in files(package)]
    assert {path for path in others if compiles(path)} == {ROOT / "sim" / "jit.py"}


@pytest.mark.parametrize(
    "line", ["import numba\nf = numba.njit(g)", "from numba import njit as j", "from numba import *"]
)
def test_another_compiler_would_be_found(line: str, tmp_path: Path) -> None:
    (tmp_path / "sly.py").write_text(line)
    assert compiles(tmp_path / "sly.py")


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_go_one_way(package: str) -> None:
    assert files(package)
    wrong = {
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files(package)
        for name in imports(path)
        if name.partition(".")[0] in FORBIDDEN[package] | {"tests", "benchmarks"}
    }
    assert not wrong


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_loads_nothing_heavy(package: str) -> None:
    heavy = run(f"import sys, {package}; print(*{{'numba', 'ray', 'duckdb', 'pyarrow'}} & set(sys.modules))", ROOT)
    assert heavy == ""


def test_the_names_of_games_and_policies_need_no_compiler() -> None:
    code = "import sys, policies.sources as p, sim.games, pkgutil; p.names(); print('numba' in sys.modules)"
    assert run(code, ROOT) == "False"


def test_the_compiler_is_loaded_with_the_first_use() -> None:
    assert run("import sys, sim; sim.names; print('numba' in sys.modules)", ROOT) == "True"


def test_a_group_of_tests_has_one_process(request: pytest.FixtureRequest) -> None:
    """xdist hands out groups by a suffix of their names; one that is lost, as with pytest 9.2, compiles all twice."""
    assert not hasattr(request.config, "workerinput") or request.node.nodeid.endswith("@jit")
