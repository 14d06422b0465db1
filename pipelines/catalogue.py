"""What there is to play, and with: the games, their rule pages, the policies."""

import inspect
from dataclasses import fields

import pyarrow as pa

import sim
from policies import loader, sources
from sim import options
from sim.door import Game
from sim.options import spell

A_PLAYERS_VIEW, NOT_SAID = "what a player sees", "not said"


def list_games() -> pa.Table:
    """A row per game."""
    return pa.Table.from_pylist([game_row(sim.game(name)) for name in sim.names()])


def game_row(game: Game) -> dict[str, object]:
    hidden = [row.zone for row in game.layout if row.hidden]
    return {
        "game": game.name,
        "packs": game.packs,
        "hidden": ", ".join(hidden) or "nothing",
        "redeals": str(game.values.get("redeals", 0)),
        "options": len(game.values),
        "presets": ", ".join(game.module.PRESETS) or "-",
    }


def rule_page(text: str) -> str:
    """The module's docstring, then its options and presets as they are declared."""
    game = sim.game(text)
    return "\n".join([inspect.getdoc(game.module) or "", *option_lines(game), *preset_lines(game)])


def option_lines(game: Game) -> list[str]:
    declared, about = options.values(type(game.options)), options.about(type(game.options))
    lines = [f"    {name} = {' | '.join(map(spell, values))}: {about[name]}" for name, values in declared.items()]
    return ["Options, the default first", *lines]


def preset_lines(game: Game) -> list[str]:
    presets = game.module.PRESETS
    lines = [
        f"    {name}: {', '.join(f'{k}={spell(v)}' for k, v in chosen.items())}" for name, chosen in presets.items()
    ]
    return ["Presets", *lines] if lines else []


def list_policies() -> pa.Table:
    """A row per policy that is installed."""
    return pa.Table.from_pylist([policy_row(loader.load(name)) for name in sources.names()])


def policy_row(policy: loader.Policy) -> dict[str, str]:
    declared = [f"{f.name}={f.default}" for f in fields(policy.parameters) if f.default != ""]
    declared += [f"{f.name}=FILE" for f in fields(policy.parameters) if f.default == ""]
    own = vars(policy.module)
    return {
        "policy": policy.name,
        "parameters": ", ".join(declared) or "-",
        "sees": sees(policy.name),
        "cost": own.get("COST", "not said"),
        "about": policy.about,
    }


def sees(name: str) -> str:
    """What an installed policy of this name says that it sees; "not said" of any other, such as one from a file."""
    if name not in sources.names():
        return NOT_SAID
    usual = A_PLAYERS_VIEW if name in sources.BUILT_IN else NOT_SAID
    return str(getattr(loader.Policy(name).module, "SEES", usual))
