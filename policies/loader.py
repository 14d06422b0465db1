"""Find a policy by id or file, compile it, and give it what it writes on.

A policy is a module with `choose(game, rules, state, moves, n, scratch)` (see `sim.roles`): one of this package, one
that an installed package names in the entry-point group `patience.policies`, or a Python file of one's own. It may have

* `Parameters`, a frozen dataclass of `policies.parameters`: they come to it in `scratch.knobs`, numbers in order;
* `COST` and `SEES`, what `patience policies` says of it: what a move costs, and what it sees that a player does not;
* `needs(parameters) -> dict`: more `copies`, `memory` or `work` than `sim.roles` gives everyone;
* `weights(title, text) -> sequence of floats`: what follows in `scratch.knobs`; `title` is the id of the
  variant, short as `the_sultan(pysolfc)` for a preset; `text` is the content of its file;
* with a parameter that is a policy, the name `base`: that policy's compiled `choose`, put there before it is compiled.
"""

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from policies import parameters
from sim.errors import PatienceError, unknown

if TYPE_CHECKING:
    from sim.roles import Scratch

BUILT_IN = ("random", "first", "greedy", "weighted", "lookahead", "rollout", "search")
GROUP = "patience.policies"


@dataclass(frozen=True)
class Policy:
    """A policy that can be sent anywhere as text.

    `source` is the content of its Python file, empty for one that is installed; `chosen` the parameters that differ
    from the defaults, as `parameters.canonical` has them; `attached` the content of the file that one of them names;
    `base` the policy that one of them names.
    """

    name: str
    source: str = ""
    chosen: str = ""
    attached: str = ""
    base: "Policy | None" = None

    @property
    def id(self) -> str:
        """What names it in tables: "rollout(n=32)"."""
        return f"{self.name}({self.chosen})" if self.chosen else self.name

    @cached_property
    def module(self) -> ModuleType:
        return _own_file(self.name, self.source) if self.source else _installed(self.name)

    @cached_property
    def parameters(self) -> Any:
        """An instance of the module's `Parameters`."""
        return parameters.choose(_kind(self), parameters.split(self.id)[1])

    @property
    def about(self) -> str:
        """The first paragraph of its docstring."""
        return " ".join((inspect.getdoc(self.module) or "").split("\n\n")[0].split())

    @cached_property
    def digest(self) -> str:
        """Twelve hex digits that change with its code, its base's and its file's, but not with its numbers."""
        from sim.jit import digest, text_digest

        own = digest(_files(self.module))
        more = [self.base.digest if self.base else "", self.attached]
        return text_digest(" ".join([own, *more])) if any(more) else own

    @cached_property
    def choose(self) -> Any:
        """The compiled function, of the signature `sim.roles.CHOOSE`."""
        from sim.jit import compile_apart
        from sim.roles import CHOOSE

        assert self.base is None or self.base.choose  # compiled first, in a place of its own
        try:
            return compile_apart(CHOOSE, lambda: _function(self), self.digest)
        except PatienceError:
            raise
        except Exception as error:
            reason = str(error).strip().splitlines()
            raise PatienceError(f"Policy {self.id!r} does not compile: {' '.join(reason)[:600]}") from error

    def digest_for(self, title: str) -> str:
        """Twelve hex digits that change with its code and with what it weighs in the variant of this title."""
        from sim.jit import text_digest

        weights = getattr(self.module, "weights", None)
        own = text_digest(f"{self.digest} {weights(title, self.attached)}") if weights else self.digest
        return text_digest(own + self.base.digest_for(title)) if self.base else own

    def scratch(self, title: str) -> "Scratch":
        """What it writes on when it plays the variant of this title; behind its own that of its base, two memories."""
        from sim.roles import COPIES, MEMORY, WORK, new_scratch

        of_module = self.module.__dict__
        room = {"copies": COPIES, "memory": MEMORY, "work": WORK}
        room |= of_module["needs"](self.parameters) if "needs" in of_module else {}
        knobs = [float(value) for value in parameters.of_kind(self.parameters, parameters.NUMBER).values()]
        if "weights" in of_module:
            knobs += of_module["weights"](title, self.attached)
        if self.base is not None:
            inner = self.base.scratch(title)
            knobs += list(inner.knobs)
            more = {"copies": len(inner.states), "memory": 2 * len(inner.memory), "work": len(inner.work)}
            room = {name: size + more[name] for name, size in room.items()}
        return new_scratch(**room, knobs=knobs)


def load(text: str) -> Policy:
    """The policy of an id or of the path of a Python file; an error that names the known ones otherwise."""
    if text.endswith(".py"):
        return _with_parameters(_from_file(Path(text)), [])
    name, items = parameters.split(text)
    if name.endswith(".py"):
        return _with_parameters(_from_file(Path(name)), items)
    if name not in names():
        raise unknown("policy", name, [*names(), "a file such as ./mine.py"])
    return _with_parameters(Policy(name), items)


def _with_parameters(policy: Policy, items: list[str]) -> Policy:
    """The policy with these parameters; what they name elsewhere is read now, for it may be nowhere else."""
    chosen = parameters.choose(_kind(policy), items)
    attached, base = "", None
    for name, path in parameters.of_kind(chosen, parameters.FILE).items():
        if path:
            attached = _read(Path(path))
            chosen = replace(chosen, **{name: Path(path).stem})
    for name, id in parameters.of_kind(chosen, parameters.BASE).items():
        base = load(id)
        chosen = replace(chosen, **{name: base.id})
    return replace(policy, chosen=parameters.canonical(chosen), attached=attached, base=base)


def _kind(policy: Policy) -> type:
    kind: type = getattr(policy.module, "Parameters", parameters.NoParameters)
    return kind


def from_plain(plain: dict[str, Any]) -> Policy:
    """The policy that `dataclasses.asdict` took apart."""
    return Policy(**plain | {"base": from_plain(plain["base"]) if plain["base"] else None})


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (UnicodeDecodeError, OSError) as error:
        raise PatienceError(f"File {path} of the policy cannot be read: {error}. Expected text in UTF-8.") from error


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


def _function(policy: Policy) -> Callable[..., Any]:
    module = policy.module if policy.base is None else _on_base(policy.module, policy.base)
    function: Any = getattr(module, "choose", None)
    function = getattr(function, "py_func", function)
    if not inspect.isfunction(function) or len(inspect.signature(function).parameters) != 6:
        raise PatienceError(
            f"Policy {policy.name!r} has no function choose(game, rules, state, moves, n, scratch); define one."
        )
    return function


def _on_base(module: ModuleType, base: Policy) -> ModuleType:
    """The module once more, with its `base`: what a name stands for is fixed when it is compiled."""
    spec = importlib.util.spec_from_file_location(module.__name__, str(module.__file__))
    assert spec is not None
    assert spec.loader is not None
    again = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(again)
    again.__dict__["base"] = base.choose
    return again
