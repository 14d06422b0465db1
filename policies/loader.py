"""Find a policy by name or file, and compile it.

A policy is a module with `choose(game, rules, state, moves, n, scratch)` (see `sim.roles`): one of this package, one
that an installed package names in the entry-point group `patience.policies`, or a Python file of one's own.
"""

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from sim.errors import PatienceError, unknown

BUILT_IN = ("random", "first", "greedy")
GROUP = "patience.policies"


@dataclass(frozen=True)
class Policy:
    """A policy that can be sent anywhere as text: `source` is the file's content, empty for one that is installed."""

    name: str
    source: str = ""

    @cached_property
    def module(self) -> ModuleType:
        return _own_file(self.name, self.source) if self.source else _installed(self.name)

    @property
    def about(self) -> str:
        """The first paragraph of its docstring."""
        return " ".join((inspect.getdoc(self.module) or "").split("\n\n")[0].split())

    @cached_property
    def digest(self) -> str:
        """Twelve hex digits that change with its code."""
        from sim.jit import digest

        return digest(_files(self.module))

    @cached_property
    def choose(self) -> Any:
        """The compiled function, of the signature `sim.roles.CHOOSE`."""
        from sim.jit import compile_apart
        from sim.roles import CHOOSE

        try:
            return compile_apart(CHOOSE, _function(self), self.digest)
        except PatienceError:
            raise
        except Exception as error:
            reason = str(error).strip().splitlines()
            raise PatienceError(f"Policy {self.name!r} does not compile: {' '.join(reason)[:600]}") from error


def load(text: str) -> Policy:
    """The policy of a name or of the path of a Python file; an error that names the known ones otherwise."""
    if text.endswith(".py"):
        return _from_file(Path(text))
    if text not in names():
        raise unknown("policy", text, [*names(), "a file such as ./mine.py"])
    return Policy(text)


def names() -> list[str]:
    """The policies that are installed: those of this package first."""
    return [*BUILT_IN, *sorted(point.name for point in entry_points(group=GROUP) if point.name not in BUILT_IN)]


def _from_file(path: Path) -> Policy:
    if not path.is_file():
        raise PatienceError(
            f"There is no policy file {path}. Expected the path of a Python file with a function choose."
        )
    name = path.stem.lower()
    if not name.isidentifier() or not name.isascii() or name in names():
        raise PatienceError(
            f"{path.name} is no name for a policy file: expected letters, digits and underscores, other than {names()}."
        )
    try:
        source = path.read_text("utf-8")
    except (UnicodeDecodeError, OSError) as error:
        raise PatienceError(f"Policy file {path} cannot be read: {error}. Expected Python source in UTF-8.") from error
    return Policy(name, source or "\n")


def _own_file(name: str, source: str) -> ModuleType:
    """The module of a policy file, run from a copy in the cache, so that every process keeps its machine code alike."""
    from sim.jit import cache_root, text_digest

    path = cache_root() / "policies" / text_digest(source) / f"{name}.py"
    if not path.exists():
        _write(path, source)
    spec = importlib.util.spec_from_file_location(f"patience_policy_{path.parent.name}_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise PatienceError(f"Policy file {name}.py cannot be loaded: {type(error).__name__}: {error}") from error
    return module


def _write(path: Path, text: str) -> None:
    import os

    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_suffix(f".{os.getpid()}")
    draft.write_text(text, "utf-8")
    draft.replace(path)


def _installed(name: str) -> ModuleType:
    if name in BUILT_IN:
        return importlib.import_module(f"policies.{name}")
    point: EntryPoint = next(point for point in entry_points(group=GROUP) if point.name == name)
    try:
        return importlib.import_module(point.module)
    except Exception as error:
        raise PatienceError(f"Policy {name!r} ({point.value}) cannot be imported: {error}") from error


def _files(module: ModuleType) -> list[Path]:
    """The source that a policy may depend on: its file, or all of the package that it comes from."""
    path = Path(str(module.__file__))
    top = module.__name__.partition(".")[0]
    if "." not in module.__name__ or top == "policies":
        return [path]
    folder = Path(str(importlib.import_module(top).__file__)).parent
    return list(folder.rglob("*.py"))


def _function(policy: Policy) -> Callable[..., Any]:
    function: Any = getattr(policy.module, "choose", None)
    function = getattr(function, "py_func", function)
    if not inspect.isfunction(function) or len(inspect.signature(function).parameters) != 6:
        raise PatienceError(
            f"Policy {policy.name!r} has no function choose(game, rules, state, moves, n, scratch); define one."
        )
    return function
