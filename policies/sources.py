"""Where the code of a policy is: a module of this package, of an installed one, or a Python file of one's own."""

import importlib
import importlib.util
import inspect
import os
import sys
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from sim.errors import PatienceError

BUILT_IN = ("random", "first", "greedy", "weighted", "lookahead", "rollout", "search")
GROUP = "patience.policies"


def names() -> list[str]:
    """The policies that are installed: those of this package first."""
    return [*BUILT_IN, *sorted(point.name for point in entry_points(group=GROUP) if point.name not in BUILT_IN)]


def own_file(name: str, source: str) -> ModuleType:
    """The module of a policy file, run from a copy in the cache, so that every process keeps its machine code alike."""
    from sim.jit import cache_root, text_digest

    path = cache_root() / "policies" / text_digest(source) / f"{name}.py"
    if not path.exists():
        _write(path, source)
    module = _module(f"patience_policy_{path.parent.name}_{name}", path)
    sys.modules[module.__name__] = module
    try:
        _run(module)
    except (Exception, SystemExit) as error:
        raise PatienceError(f"Policy file {name}.py cannot be loaded: {type(error).__name__}: {error}") from error
    return module


def _module(name: str, path: Path) -> ModuleType:
    """A new module of this file, whose code has not been run."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    return importlib.util.module_from_spec(spec)


def _run(module: ModuleType) -> None:
    assert module.__spec__ is not None
    assert module.__spec__.loader is not None
    module.__spec__.loader.exec_module(module)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_suffix(f".{os.getpid()}")
    draft.write_text(text, "utf-8")
    draft.replace(path)


def installed(name: str) -> ModuleType:
    if name in BUILT_IN:
        return importlib.import_module(f"policies.{name}")
    point: EntryPoint = next(point for point in entry_points(group=GROUP) if point.name == name)
    try:
        return importlib.import_module(point.module)
    except Exception as error:
        raise PatienceError(f"Policy {name!r} ({point.value}) cannot be imported: {error}") from error


def files(module: ModuleType) -> list[Path]:
    """The source that a policy may depend on: its file and what that imports here, or all of its own package."""
    top = module.__name__.partition(".")[0]
    if "." not in module.__name__ or top == "policies":
        return [Path(str(used.__file__)) for used in _used([module])]
    folder = Path(str(importlib.import_module(top).__file__)).parent
    return list(folder.rglob("*.py"))


def _used(modules: list[ModuleType]) -> list[ModuleType]:
    """The modules, and those of this package that they take names from, and so on."""
    names = {
        value.__name__ if inspect.ismodule(value) else str(getattr(value, "__module__", ""))
        for value in vars(modules[-1]).values()
    }
    for name in sorted(names):
        if name.startswith("policies.") and sys.modules[name] not in modules:
            modules = _used([*modules, sys.modules[name]])
    return modules


def on_base(module: ModuleType, base: Any) -> ModuleType:
    """The module once more, with its `base`, a compiled `choose`: what a name stands for is fixed when it compiles."""
    again = _module(module.__name__, Path(str(module.__file__)))
    _run(again)
    again.__dict__["base"] = base
    return again
