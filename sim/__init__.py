"""Rules and play of historical patience games: no files, no cluster.

game = sim.game("la_belle_lucie(redeals=1)")
position = game.deal(seed=7)
position.play(position.moves()[0])
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.door import Game as Game
    from sim.door import game as game
    from sim.door import names as names
    from sim.position import Move as Move
    from sim.position import Position as Position

__all__ = ["Game", "Move", "Position", "game", "names"]
HOMES = {"Game": "door", "game": "door", "names": "door", "Move": "position", "Position": "position"}


def __getattr__(name: str) -> Any:
    """The compiler is loaded with the first use, not with the package."""
    if name not in HOMES:
        raise AttributeError(f"module 'sim' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"sim.{HOMES[name]}"), name)
