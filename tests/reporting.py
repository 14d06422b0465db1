"""What the tests of reports share: a small sweep that was played, one of a hostile policy, the pages of both."""

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from pipelines.plan import SHARD_MOVES
from pipelines.report.writing import report
from tests.hand_made import cell, shard, write_sweep
from tests.sweeping import planned, played

# Redeals, a stock, a waste and hidden cards; places that leave the table; covered cards; many legal moves.
GAMES = ("la_belle_lucie(redeals=0)", "la_belle_lucie", "the_sultan", "rouge_et_noir")
PLAYERS = ("random", "greedy")
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&|`*"


def sweep(folder: Path, *games: str, deals: int = 40, **settings: Any) -> Path:
    """A sweep that keeps all traces."""
    usual: dict[str, Any] = {"players": PLAYERS, "deals": deals, "traces": "all", "shard_moves": SHARD_MOVES}
    played(folder, planned(*games or GAMES, **usual | settings))
    return folder


def hostile(folder: Path) -> Path:
    """A sweep one of whose policies has a name that would do harm in a page."""
    one, two = (
        cell(policy=HOSTILE) | {"policy_slug": "hostile"},
        cell("redeals=1", HOSTILE) | {"policy_slug": "hostile"},
    )
    lines = [shard(folder, one, {0: "won", 1: "stuck"}, []), shard(folder, two, {0: "won", 1: "won"}, [])]
    return write_sweep(folder, [one, two], lines, name=f"sweep {HOSTILE}")


def read(folder: Path) -> "Page":
    """The page of a sweep."""
    page = Page()
    page.feed(report(folder, folder / "page.html").read_text("utf-8"))
    return page


class Page(HTMLParser):
    """A page in parts: its elements with their attributes, its scripts and their data, its text."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append((dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        if self.elements and self.elements[-1][0] == "script" and self.scripts[-1][1] == "":
            self.scripts[-1] = (self.scripts[-1][0], data)
        else:
            self.text += data

    @property
    def replays(self) -> list[dict[str, Any]]:
        """What the viewer may choose from."""
        [found] = [data for attributes, data in self.scripts if attributes.get("id") == "replays"]
        replays: list[dict[str, Any]] = json.loads(found)
        return replays

    def labels(self, role: str) -> list[str]:
        """What the marks of the charts say."""
        return [str(a["aria-label"]) for _, a in self.elements if a.get("aria-roledescription") == role]
