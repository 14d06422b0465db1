"""A folder's sweep grows by what is asked for now: more deals, variants and policies. Nothing else changes.

The folder then holds the union of the cells and the larger number of deals. What is finished stays as it is; a shard
that the old number of deals cut short is followed by one of just the missing seeds, for sweep.json keeps the old number
as a cut, at which shards end for good. So the files follow from the sequence of commands.

This is for --out. Without it a sweep's folder is named after all that is asked for, deals and cells too: were they left
out, what `--deals 10000` plays and prints would depend on what was played before, and a command would no longer stand
for certain bytes.
"""

import json
from dataclasses import replace
from typing import Any

from pipelines.place import Place
from pipelines.plan import Sweep
from sim.errors import PatienceError

FIXED = ("schema", "first_seed", "deal_source", "policy_seed", "traces", "stop", "engine", "kinds")
OLD = {"cuts": [], "stop": ""}  # of a folder that was made before there were any


def grown(folder: Place, frozen: dict[str, Any], sweep: Sweep) -> tuple[dict[str, Any], Sweep]:
    """The content of sweep.json with what is asked for, and what is asked for, cut into shards as the folder is."""
    said, frozen = json.loads(json.dumps(sweep.describe())), OLD | frozen
    try:
        compare(folder, frozen, said)
        whole = union(frozen, said)
    except (LookupError, TypeError, AttributeError) as error:
        raise PatienceError(
            f"{folder}/sweep.json is damaged ({error!r}). Restore it, or choose another --out."
        ) from error
    sizes = {key(cell): cell["shard_deals"] for cell in whole["cells"]}
    cells = tuple(replace(cell, shard_deals=sizes[key(cell.describe())]) for cell in sweep.cells)
    return whole, replace(sweep, cells=cells, deals=whole["deals"], cuts=tuple(whole["cuts"]))


def union(frozen: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    """The old cells and the new ones, the larger number of deals, and where the sweep once ended."""
    known = {key(cell) for cell in frozen["cells"]}
    more = said["deals"] > frozen["deals"]
    return frozen | {
        "cells": frozen["cells"] + [cell for cell in said["cells"] if key(cell) not in known],
        "deals": max(frozen["deals"], said["deals"]),
        "cuts": frozen["cuts"] + ([frozen["deals"]] if more and frozen["deals"] else []),
        "option_values": frozen["option_values"] | said["option_values"],
        "piles": frozen["piles"] | said["piles"],
    }


def key(cell: dict[str, Any]) -> str:
    """What tells a described cell from the others of its sweep: `Cell.key`."""
    return f"game={cell['game']}/variant={cell['variant_slug']}/policy={cell['policy_slug']}"


def compare(folder: Place, frozen: dict[str, Any], said: dict[str, Any]) -> None:
    """An error when what is asked for differs from the folder's sweep in more than deals and cells."""
    changed = differences({name: frozen.get(name) for name in FIXED}, {name: said[name] for name in FIXED})
    known = {key(cell): cell | {"shard_deals": 0} for cell in frozen["cells"]}
    for cell in said["cells"]:
        old, new = known.get(key(cell)), cell | {"shard_deals": 0}
        changed += [f"in {key(cell)} {text}" for text in differences(old or new, new)]
    if changed:
        raise PatienceError(
            f"{folder} holds another sweep: {'; '.join(changed)}. Choose another --out, or ask for the same sweep; "
            "what it can get is more deals, variants and policies."
        )


def differences(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    return [
        f"{name} was {short(old.get(name))} and is {short(new[name])}" for name in new if old.get(name) != new[name]
    ]


def short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:77] + "…"


def holds(whole: dict[str, Any], asked: Sweep) -> str:
    """What to say of a folder that holds more than is asked for; empty if it does not."""
    cells, deals = len(whole["cells"]), whole["deals"]
    if deals <= asked.deals and cells <= len(asked.cells):
        return ""
    return f"The folder holds a sweep of {deals:,} deals of each of {cells} cells; no more than is asked for is played."
