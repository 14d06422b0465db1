"""Parameters of a policy, each declared once in its frozen dataclass `Parameters`, and the text that names the policy.

`name(parameter=value,…)` is the id of a policy, in the grammar of variants: `rollout(base=greedy,n=32)`. The value of a
parameter may be an id itself.
"""

from collections.abc import Iterator
from dataclasses import Field, dataclass, field, fields
from typing import Any

from sim.errors import PatienceError, unknown

NUMBER, BASE, FILE = "number", "policy", "file"


@dataclass(frozen=True)
class NoParameters:
    """Of a policy that has none."""


def number(default: int, low: int, high: int, *, about: str) -> Any:
    """A whole number from low to high."""
    return field(default=default, metadata={"kind": NUMBER, "low": low, "high": high, "about": about})


def base(default: str, *, about: str) -> Any:
    """The id of another policy."""
    return field(default=default, metadata={"kind": BASE, "about": about})


def file(*, about: str) -> Any:
    """The path of a text file; empty for none."""
    return field(default="", metadata={"kind": FILE, "about": about})


def split(text: str) -> tuple[str, list[str]]:
    """The name in front of the parentheses, and the items between them."""
    name, bracket, inner = text.strip().partition("(")
    if (bracket and not inner.endswith(")")) or inner.count("(") + bool(bracket) != inner.count(")"):
        raise PatienceError(f"{text!r} is not a policy: expected name or name(parameter=value,…).")
    return name.strip(), [item.strip() for item in _items(inner.removesuffix(")")) if item.strip()]


def _items(text: str) -> Iterator[str]:
    """The parts between the commas that stand outside all parentheses."""
    depth = start = 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            yield text[start:at]
            start = at + 1
    yield text[start:]


def choose(kind: type, items: list[str]) -> Any:
    """The parameters that items such as "n=32" choose; an error that names the known ones otherwise."""
    known = {f.name: f for f in fields(kind)}
    chosen: dict[str, Any] = {}
    for item in items:
        name, equals, text = (part.strip() for part in item.partition("="))
        if not equals:
            raise PatienceError(f"{item!r} says no value: expected parameter=value, such as n=32.")
        if name not in known:
            raise unknown("parameter", name, known) if known else PatienceError(f"There is no parameter {name!r} here.")
        chosen[name] = _read(known[name], text)
    return kind(**chosen)


def _read(declared: "Field[Any]", text: str) -> int | str:
    if declared.metadata["kind"] != NUMBER:
        return text
    low, high = declared.metadata["low"], declared.metadata["high"]
    if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
        raise PatienceError(f"{declared.name}={text} is not possible: expected a whole number from {low} to {high}.")
    return int(text)


def canonical(parameters: Any) -> str:
    """The parameters that differ from the defaults, sorted: "base=greedy,n=32"; "" for none."""
    values = {f.name: (getattr(parameters, f.name), f.default) for f in fields(parameters)}
    return ",".join(f"{name}={value}" for name, (value, default) in sorted(values.items()) if value != default)


def of_kind(parameters: Any, kind: str) -> dict[str, Any]:
    """The values of the parameters of one kind."""
    return {f.name: getattr(parameters, f.name) for f in fields(parameters) if f.metadata["kind"] == kind}
