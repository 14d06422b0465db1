"""Find a policy by id or file, compile it, and give it what it writes on.

A policy is a module with `choose(game, rules, state, moves, n, scratch)` (see `sim.roles`): one of this package, one
that an installed package names in the entry-point group `patience.policies`, or a Python file of one's own. It may have

* `Parameters`, a frozen dataclass of `policies.parameters`: they come to it in `scratch.knobs`, numbers in order;
* `COST` and `SEES`, what `patience policies` says of it: what a move costs, and what it sees that a player does not;
* `effort(parameters) -> float`: about how many times as long as `random` it takes for a move, 1 if not given; a plan
  cuts its sweep into shards accordingly, and what a base takes is multiplied in;
* `needs(parameters) -> dict`: more `copies`, `memory` or `work` than `sim.roles` gives everyone;
* `weights(title, text) -> sequence of floats`: what follows in `scratch.knobs`; `title` is the id of the
  variant, short as `the_sultan(pysolfc)` for a preset; `text` is the content of its file;
* with a parameter that is a policy, the name `base`: that policy's compiled `choose`, put there before it is compiled.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Integral
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from policies import parameters, sources
from sim.errors import PatienceError, unknown

if TYPE_CHECKING:
    from sim.roles import Scratch


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
        return sources.own_file(self.name, self.source) if self.source else sources.installed(self.name)

    @cached_property
    def parameters(self) -> Any:
        """An instance of the module's `Parameters`."""
        return parameters.choose(_kind(self), parameters.split(self.id)[1])

    @property
    def about(self) -> str:
        """The first paragraph of its docstring."""
        return " ".join((inspect.getdoc(self.module) or "").split("\n\n")[0].split())

    @property
    def effort(self) -> float:
        """About how many times as long as `random` it takes for a move, 1 or more."""
        own: float = _told(self, "effort", float)
        return max(1.0, own) * (self.base.effort if self.base else 1.0)

    @cached_property
    def digest(self) -> str:
        """Twelve hex digits that change with its code, its base's and its file's, but not with its numbers."""
        from sim.jit import digest, text_digest

        own = digest(sources.files(self.module))
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
        from sim.roles import new_scratch

        of_module, room = self.module.__dict__, _room(self)
        knobs = [float(value) for value in parameters.of_kind(self.parameters, parameters.NUMBER).values()]
        if "weights" in of_module:
            knobs += of_module["weights"](title, self.attached)
        if self.base is not None:
            inner = self.base.scratch(title)
            knobs += list(inner.knobs)
            more = {"copies": len(inner.states), "memory": 2 * len(inner.memory), "work": len(inner.work)}
            room = {name: size + more[name] for name, size in room.items()}
        try:
            return new_scratch(**room, knobs=knobs)
        except (MemoryError, ValueError) as error:
            reason = f"Policy {self.id!r} needs more memory than there is: {room}. Have it need less."
            raise PatienceError(reason) from error


def _told(policy: Policy, name: str, kind: Callable[..., Any]) -> Any:
    """What the module's function of this name says of the parameters; nothing of the kind where there is none."""
    function = getattr(policy.module, name, lambda chosen: kind())
    try:
        return kind(function(policy.parameters))
    except Exception as error:
        raise PatienceError(f"{name}() of policy {policy.id!r} fails: {type(error).__name__}: {error}") from error


def _room(policy: Policy) -> dict[str, int]:
    """Sizes of what it writes on, its base's not among them; an error for sizes that cannot be."""
    from sim.roles import COPIES, MEMORY, WORK

    usual = {"copies": COPIES, "memory": MEMORY, "work": WORK}
    asked: dict[str, int] = _told(policy, "needs", dict)
    for name, size in asked.items():
        if name not in usual or not isinstance(size, Integral) or size < 0:
            raise PatienceError(
                f"needs() of policy {policy.id!r} asks for {name}={size!r}: expected whole numbers, 0 or more, of "
                f"{', '.join(usual)}."
            )
    return usual | asked


def load(text: str) -> Policy:
    """The policy of an id or of the path of a Python file; an error that names the known ones otherwise."""
    if text.endswith(".py"):
        return _with_parameters(_from_file(Path(text)), [])
    name, items = parameters.split(text)
    if name.endswith(".py"):
        return _with_parameters(_from_file(Path(name)), items)
    if name not in sources.BUILT_IN and name not in sources.names():  # that are found by reading many files
        raise unknown("policy", name, [*sources.names(), "a file such as ./mine.py"])
    return _with_parameters(Policy(name), items)


def _with_parameters(policy: Policy, items: list[str]) -> Policy:
    """The policy with these parameters; what they name elsewhere is read now, for it may be nowhere else."""
    chosen = parameters.choose(_kind(policy), items)
    attached, base = "", None
    for name, path in parameters.of_kind(chosen, parameters.FILE).items():
        if path:
            attached = _read(Path(path), "text")
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


def _read(path: Path, what: str) -> str:
    try:
        return path.read_text("utf-8")
    except (UnicodeDecodeError, OSError) as error:
        raise PatienceError(f"File {path} of the policy cannot be read: {error}. Expected {what} in UTF-8.") from error


def _from_file(path: Path) -> Policy:
    if not path.is_file():
        raise PatienceError(
            f"There is no policy file {path}. Expected the path of a Python file with a function choose."
        )
    name = path.stem.lower()
    if not name.isidentifier() or not name.isascii() or name in sources.names():
        raise PatienceError(
            f"{path.name} is no name for a policy file: expected letters, digits and underscores, other than "
            f"{sources.names()}."
        )
    return Policy(name, _read(path, "Python source") or "\n")


def _function(policy: Policy) -> Callable[..., Any]:
    module = policy.module if policy.base is None else sources.on_base(policy.module, policy.base.choose)
    function: Any = getattr(module, "choose", None)
    function = getattr(function, "py_func", function)
    if not inspect.isfunction(function) or len(inspect.signature(function).parameters) != 6:
        raise PatienceError(
            f"Policy {policy.name!r} has no function choose(game, rules, state, moves, n, scratch); define one."
        )
    return function
