"""The report as a file: its charts and tables against the raw rows, the replays, what is escaped."""

import base64
import json
import re
import shlex
import zlib
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import sim
from pipelines.database import open_sweeps
from pipelines.difficulty import difficulty
from pipelines.folder import read_settings
from pipelines.report import viewer
from pipelines.report.summary import command, label, summary
from pipelines.report.writing import report
from pipelines.statistics import wilson
from pipelines.tables import spelled
from sim.cards import RANKS, SUITS
from sim.hidden import unseen
from sim.position import Position
from sim.rules import TABLEAU
from tests.calling import Call
from tests.hand_made import cell, lucie, shard, write_sweep
from tests.reporting import HOSTILE, Page, hostile, read, sweep
from tests.sweeping import read as stored
from tests.sweeping import rows

MB = 1_000_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sweep(tmp_path_factory.mktemp("report") / "played")


@pytest.fixture(scope="module")
def page(folder: Path) -> Page:
    return read(folder)


def cells(folder: Path) -> list[dict[str, Any]]:
    plan = json.loads((folder / "sweep.json").read_text())
    return [{k: c[k] for k in ("game", "variant", "policy", "variant_slug", "policy_slug")} for c in plan["cells"]]


def outcomes(folder: Path, cell: dict[str, Any]) -> list[dict[str, Any]]:
    return rows(folder, "outcomes", game=cell["game"], variant=cell["variant_slug"], policy=cell["policy_slug"])


def share(count: int, deals: int) -> str:
    """A share and its interval as charts say it, from a count of raw rows."""
    low, high = (spelled(bound, True) for bound in wilson(count, deals))
    return f"{spelled(count / deals, True)} (95 % interval {low} to {high}) of {deals:,} deals"


def test_the_dots_say_the_rates_of_the_raw_rows(folder: Path, page: Page) -> None:
    said = Counter(page.labels("point"))
    for one in cells(folder):
        deals = outcomes(folder, one)
        rate = share(sum(row["won"] for row in deals), len(deals))
        assert said[f"{label(one)}, {one['policy']}: {rate}"] == 2, "once wide and once narrow"


def test_the_redeal_curve_says_the_rates_of_the_raw_rows(folder: Path, page: Page) -> None:
    found = [text for text in page.labels("point") if text.startswith("redeals ")]
    lucies = [one for one in cells(folder) if one["game"] == "la_belle_lucie"]
    wins = {(one["variant"], one["policy"]): sum(row["won"] for row in outcomes(folder, one)) for one in lucies}
    assert sorted(found) == sorted(
        f"redeals {redeals}, {policy}: {share(wins[variant, policy], 40)}"
        for redeals, variant in ((0, "redeals=0"), (2, "default"))
        for policy in ("random", "greedy")
    )


def test_the_bars_say_how_the_raw_rows_ended(folder: Path, page: Page) -> None:
    said = Counter(page.labels("bar"))
    counted = 0
    for one in cells(folder):
        for ending, count in Counter(row["ending"] for row in outcomes(folder, one)).items():
            counted += 2
            assert said[f"{label(one)}, {one['policy']}: {share(count, 40)} {ending.replace('_', ' ')}"] == 2
    assert said.total() == counted


def test_the_summary_says_what_was_played_and_how_to_play_it_again(folder: Path, page: Page) -> None:
    assert "3 games in 4 variants, played by 2 policies (random, greedy), each on the same 40 deals" in page.text
    won = sum(row["won"] for one in cells(folder) for row in outcomes(folder, one))
    assert f"{won:,} of the 320 deals were won." in page.text
    assert (
        "patience sweep 'la_belle_lucie(redeals=0)' la_belle_lucie the_sultan rouge_et_noir "
        "--policy random --policy greedy --deals 40 --traces all\n"
    ) in page.text


def test_a_sweep_that_may_stop_or_is_not_finished_says_so(folder: Path) -> None:
    settings = read_settings(folder)
    rows = difficulty(open_sweeps([folder])).to_pylist()
    whole, part = ({"won": 10, "stuck": left} for left in (310, 90))
    assert len(list(summary(settings, rows, whole))) == 3
    assert list(summary(settings, rows, part))[-1] == (
        "The sweep is not finished: 100 of its 320 deals are played so far."
    )
    assert (
        "rule precision=0.5: 100 of at most 320" in list(summary(settings | {"stop": "precision=0.5"}, rows, part))[-1]
    )
    for rule, option in (("precision=0.5", " --precision 0.5"), ("decided", " --until-decided"), ("", " all")):
        assert command(settings | {"stop": rule}).endswith(option)


def test_the_command_names_files_and_what_is_unusual() -> None:
    cells = [{"game": "fan", "variant": "default", "policy": policy} for policy in ("mine", "search(nodes=9)")]
    settings = {
        "cells": cells,
        "deals": 10,
        "first_seed": 5,
        "deal_source": "pysol",
        "policy_seed": 1,
        "traces": "none",
    }
    assert command(settings) == (
        "patience sweep fan --policy ./mine.py --policy 'search(nodes=9)' "
        "--first-seed 5 --deals 10 --source pysol --policy-seed 1 --traces none"
    )


def test_the_command_that_is_shown_finds_the_same_sweep(call: Call, folder: Path, page: Page) -> None:
    [line] = re.findall(r"^patience (sweep .*)$", page.text, re.MULTILINE)
    before = (folder / "manifest.jsonl").read_bytes()
    call(*shlex.split(line), "--out", folder, "--executor", "serial", "--quiet")
    assert (folder / "manifest.jsonl").read_bytes() == before


def test_tables_hold_every_row(folder: Path, page: Page) -> None:
    table = difficulty(open_sweeps([folder]))
    for row in table.to_pylist():
        assert all(spelled(row[name], True) in page.text for name in ("win_rate", "win_low", "win_high"))
    values = [
        attributes["data-value"] for tag, attributes in page.elements if tag == "td" and "data-value" in attributes
    ]
    assert {f"{row['mean_moves']:.6g}" for row in table.to_pylist()} <= set(values)


def card(letter: str) -> str:
    at = viewer.ascii_letters[26:].find(letter) if letter.isupper() else 26 + viewer.ascii_letters.find(letter)
    return RANKS[at % 13] + SUITS[at // 13]


def unpacked(page: Page, id: int) -> list[dict[str, Any]]:
    [data] = [data for attributes, data in page.scripts if attributes.get("id") == f"cell-{id}"]
    found: list[dict[str, Any]] = json.loads(zlib.decompress(base64.b64decode(data)))
    return found


def seen(position: Position) -> list[str | None]:
    """Each pile as the page should hold it, found by another way: from the zones, and what policies may not see."""
    names = position.game.piles
    zones = {f"{zone}[{i}]": pile for zone, piles in position.zones.items() for i, pile in enumerate(piles)}
    found: list[str | None] = []
    for number, name in enumerate(names):
        hidden = int(unseen(position.game.rules, position.state, number))
        cards = zones.get(name)
        found.append(None if cards is None else f"{' '.join(cards[:hidden])}|{' '.join(cards[hidden:])}")
    return found


def drawn(pile: str | None) -> str | None:
    if pile is None:
        return None
    below, _, above = pile.rpartition("|")
    return f"{' '.join(map(card, below))}|{' '.join(map(card, above))}"


def test_the_replays_are_those_of_the_stored_traces(folder: Path, page: Page) -> None:
    shown = 0
    for replay in page.replays:
        one = next(c for c in cells(folder) if all(c[k] == replay[k] for k in ("game", "variant", "policy")))
        part = {"game": one["game"], "variant": one["variant_slug"], "policy": one["policy_slug"]}
        traces = {row["seed"]: row["codes"] for row in stored(folder, "traces", **part).to_pylist()}
        for deal, data in zip(replay["deals"], unpacked(page, replay["id"]), strict=True):
            game = sim.game(one["game"] if one["variant"] == "default" else f"{one['game']}({one['variant']})")
            follow(game.deal(int(deal["seed"])), traces[int(deal["seed"])], data)
            shown += 1
    assert shown > 20


def follow(position: Position, codes: list[int], data: dict[str, Any]) -> None:
    """Play the moves once more, and compare each position and its legal moves."""
    piles: dict[str, str | None] = {}
    for step, (changed, count, listed, chosen) in enumerate(data["views"]):
        piles |= changed
        assert [drawn(piles[str(i)]) for i in range(len(piles))] == seen(position), step
        legal = position.moves()
        texts = [viewer.text(move) for move in legal]
        assert count == len(legal)
        assert [data["texts"][i] for i in listed][: viewer.LEGAL] == texts[: viewer.LEGAL]
        if step < len(codes[: viewer.STEPS]):
            assert legal[chosen].code & 0xFFFFFF == codes[step] & 0xFFFFFF
            assert texts[chosen] == data["texts"][listed[min(chosen, len(listed) - 1)]]
            position.play(legal[chosen])
        else:
            assert chosen is None
    assert len(data["views"]) == len(codes[: viewer.STEPS]) + 1


@pytest.mark.parametrize("name", ["la_nivernaise", "the_blockade", "the_fourteenth", "the_empress_of_india"])
def test_masked_cards_lost_places_and_thousands_of_moves(name: str) -> None:
    """The first moves of a deal in which each position takes another of its legal moves."""
    position, codes = sim.game(name).deal(3), []
    for step in range(60):
        legal = position.codes()
        if not legal:
            break
        codes.append(legal[(step * step) % len(legal)])
        position.play(codes[-1])
    follow(sim.game(name).deal(3), codes, viewer.watch(sim.game(name).deal(3), codes))
    assert len(codes) > 10


def test_places_out_of_play_are_not_drawn() -> None:
    position = sim.game("the_blockade").deal(3)
    piles = viewer.piles(position)
    cells = [row for row in position.game.layout if row.kind == TABLEAU]
    assert piles.count(None) == int(position.state.gone) > 0
    assert sum(row.count for row in cells) - piles.count(None) == len(position.zones["cells"])


def test_long_deals_are_cut_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewer, "STEPS", 3)
    position, codes = sim.game("the_sultan").deal(1), []
    for _ in range(6):
        codes.append(position.codes()[0])
        position.play(codes[-1])
    data = viewer.watch(sim.game("the_sultan").deal(1), codes)
    assert len(data["views"]) == 4
    assert data["views"][-1][3] is None


def test_which_deals_are_shown(tmp_path: Path) -> None:
    """Won 4, 6; not won 1, 2; the longest is the lowest seed of ten moves, as 5 is of the cards home."""
    of, to = cell(), tmp_path / "s"
    lost = dict.fromkeys((1, 2, 3), "stuck")
    traces = [{"seed": seed, "codes": []} for seed in (1, 2, 3, 4, 6, 7, 8)]
    lines = [
        shard(to, of, lost | {4: "won"}, traces[:4], end=5),
        shard(to, of, {5: "stuck"}, [], end=6, home=50),
        shard(to, of, {6: "won", 7: "won", 8: "stalled"}, traces[4:], end=10, home=30),
    ]
    con = open_sweeps([write_sweep(to, [of], lines)])
    [row] = con.execute(viewer.query("shown_deals"), {"each": 2}).fetchall()
    assert row == (0, [4, 6], [1, 2], 1, 8)
    assert viewer.reasons_of(*row[1:]) == {
        4: [], 6: [], 1: ["the longest"], 2: [], 8: ["the closest to a win"],
    }  # fmt: skip


def test_a_trace_of_other_rules_is_told(tmp_path: Path) -> None:
    page = read(lucie(tmp_path / "lucie"))
    assert not [a for a, _ in page.scripts if "type" in a]
    assert "la_belle_lucie redeals=0 greedy cannot be shown: Move 0 of the trace is not legal here" in page.text


def test_a_hostile_name_stays_a_name(tmp_path: Path) -> None:
    """No element of it comes to be, in the page, its charts or its data; and it can be read."""
    folder = hostile(tmp_path / "s")
    page = read(folder)
    assert HOSTILE in page.text
    assert not [tag for tag, _ in page.elements if tag == "img"]
    assert not [name for _, attributes in page.elements for name in attributes if name.startswith("on")]
    assert [a.get("type") for a, _ in page.scripts] == [None]
    assert any(HOSTILE in text for text in page.labels("point"))
    md = report(folder, tmp_path / "s.md", "md").read_text()
    fenced = md.split("```")[1]
    assert fenced.count("\n") == 2
    assert "<" not in md.replace(fenced, "")
    for path in report(folder, tmp_path / "plots", "svg").iterdir():
        assert all(node.tag.rpartition("}")[2] not in ("script", "img") for node in ElementTree.parse(path).iter())


def test_the_page_may_load_nothing(page: Page) -> None:
    [policy] = [a["content"] for tag, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"]
    assert str(policy).startswith("default-src 'none'; ")
    assert "unsafe" not in str(policy)
    assert not [a for _, a in page.elements if "src" in a]
    assert {str(a["href"])[0] for _, a in page.elements if "href" in a} == {"#"}


def test_the_same_sweep_gives_the_same_bytes(folder: Path, page: Page, tmp_path: Path) -> None:
    assert report(folder, tmp_path / "again.html").read_bytes() == (folder / "page.html").read_bytes()
    first, again = (report(folder, tmp_path / f"{name}.md", "md").read_bytes() for name in ("a", "b"))
    assert first == again


def test_pictures_for_papers_are_the_same_to_the_byte(tmp_path: Path) -> None:
    folder = lucie(tmp_path / "s")
    first, again = (pictures(report(folder, tmp_path / name, "svg")) for name in ("a", "b"))
    assert first == again
    assert all(data.startswith(b"<svg") for data in first.values())
    names = ("win_rates", "endings", "luck_and_skill", "key", "redeals_la_belle_lucie_default")
    assert {f"{name}.svg" for name in (*names, "survival_la_belle_lucie_redeals=1")} <= set(first)
    drawn = pictures(report(folder, tmp_path / "png", "png"))
    assert {name.replace("svg", "png") for name in first} == set(drawn)
    assert all(data.startswith(b"\x89PNG") for data in drawn.values())


def pictures(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_markdown_has_the_same_tables(folder: Path, tmp_path: Path) -> None:
    text = report(folder, tmp_path / "r.md", "md").read_text()
    for title in (
        "How hard the games are",
        "How each policy fares",
        "What the option redeals changes",
        "How deals end",
    ):
        assert f"## {title}\n" in text
    for row in difficulty(open_sweeps([folder])).to_pylist():
        rates = " | ".join(spelled(row[name], True) for name in ("win_rate", "win_low", "win_high"))
        assert f"| {row['deals']} | {row['wins']} | {rates} |" in text


def test_all_games_under_three_policies_stay_below_five_megabytes(tmp_path: Path) -> None:
    """The page, and what it would weigh if each cell showed the most deals and not the one or two of this sweep."""
    folder = sweep(tmp_path / "s", *sim.names(), players=("random", "first", "greedy"), deals=1)
    page = report(folder).read_text("utf-8")
    data = [len(text) for text in re.findall(r'<script type="text/plain"[^>]*>([^<]*)<', page)]
    assert len(data) == 3 * len(sim.names())
    assert len(page) + sum(data) * (2 * viewer.EACH + 1) < 5 * MB


def test_the_command_says_where_the_report_is(call: Call, folder: Path, tmp_path: Path) -> None:
    said = call("report", folder, "--format", "md")
    assert (said.out, said.err) == (b"", f"Report: {folder / 'report.md'}\n")
    assert call("report", folder, "--format", "md", "--out", tmp_path / "r.md").err == f"Report: {tmp_path / 'r.md'}\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--format", "pdf"), "There is no report format 'pdf'. Known: html, md, svg, png."),
        (("--out", "x.txt"), "--out x.txt does not end in .html, as a report of that format should. Rename it."),
        (("--out", "no/x.html"), "There is no folder no for the report x.html. Make it, or name another."),
        ((), "There is no sweep in results. Run `patience sweep` first, or name a sweep's folder."),
    ],
)
def test_errors_are_sentences(call: Call, tmp_path: Path, arguments: tuple[str, ...], sentence: str) -> None:
    assert call.refused(tmp_path, "report", *arguments) == f"patience: {sentence}\n"


def test_nothing_to_report_and_nowhere_to_write(call: Call, tmp_path: Path) -> None:
    empty = write_sweep(tmp_path / "empty", [cell()], [])
    assert call("report", empty, code=2).err == (
        f"patience: No deal of {empty} is finished yet. Run the sweep first, then report it.\n"
    )
    taken = tmp_path / "taken.md"
    taken.mkdir()
    said = call("report", lucie(tmp_path / "s"), "--format", "md", "--out", taken, code=2).err
    assert said == f"patience: The report {taken} cannot be written: Is a directory. Name another --out.\n"
    file = tmp_path / "s" / "sweep.json"
    said = call("report", tmp_path / "s", "--format", "svg", "--out", file, code=2).err
    assert said == f"patience: --out {file} is a file; pictures need a folder. Name another.\n"
