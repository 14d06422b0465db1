"""Rule options, each declared once in a game's frozen dataclass, and the text that names a variant.

`game(option=value,…)` is the id of a variant: the options that differ from the default, sorted by name. A preset, a
named set of options, may stand among them: `la_belle_lucie(pysolfc,redeals=1)`.
"""

import re
from collections.abc import Mapping
from dataclasses import MISSING, asdict, field, fields
from typing import Any

from sim.errors import PatienceError, unknown

Value = bool | int | str
ID = re.compile(r"\s*(\w+)\s*(?:\(([^()]*)\))?\s*")


def option(default: Value, *others: Value, about: str) -> Any:
    """A field of a game's options: its values, the default first, and what it is about."""
    return field(default=default, metadata={"values": (default, *others), "about": about})


def values(options: type) -> dict[str, tuple[Value, ...]]:
    """The values of each option, default first."""
    return {f.name: f.metadata["values"] for f in fields(options)}


def choices(options: Any) -> list[int]:
    """Which of its values each option has, in the order of the fields; 0 is the default."""
    return [known.index(getattr(options, name)) for name, known in values(type(options)).items()]


def about(options: type) -> dict[str, str]:
    """What each option is about, in a few words."""
    return {f.name: f.metadata["about"] for f in fields(options)}


def spell(value: Value) -> str:
    """A value as ids, columns and the command line spell it."""
    return str(value).lower()


def read(options: type, name: str, text: str) -> Value:
    """The value that a text stands for; an error that names the known ones otherwise."""
    known = values(options)
    if name not in known:
        raise unknown("option", name, known)
    by_text = {spell(value): value for value in known[name]}
    if text.lower() not in by_text:
        raise unknown(f"value of {name}", text, by_text)
    return by_text[text.lower()]


def split(text: str) -> tuple[str, list[str]]:
    """The name in front of the parentheses, and the items between them."""
    match = ID.fullmatch(text)
    if not match:
        raise PatienceError(f"{text!r} is not an id: expected name or name(option=value,…).")
    return match[1], [item.strip() for item in (match[2] or "").split(",") if item.strip()]


def choose(options: type, items: list[str], presets: Mapping[str, Mapping[str, Value]]) -> Any:
    """The options that such items choose; an item is a preset's name or option=value, and the later one holds."""
    chosen: dict[str, Value] = {}
    for item in items:
        name, equals, text = (part.strip() for part in item.partition("="))
        if name == "preset" or not equals:
            preset = text if equals else name
            if preset not in presets:
                raise (
                    unknown("preset", preset, presets)
                    if presets
                    else PatienceError(f"This game has no preset {preset!r}; write option=value.")
                )
            chosen |= presets[preset]
        else:
            chosen[name] = read(options, name, text)
    return options(**chosen)


def canonical(options: Any) -> str:
    """The options that differ from the defaults, sorted: "merci=1,redeals=0"; "" for none."""
    defaults = {f.name: f.default for f in fields(options) if f.default is not MISSING}
    return ",".join(f"{k}={spell(v)}" for k, v in sorted(asdict(options).items()) if v != defaults[k])
