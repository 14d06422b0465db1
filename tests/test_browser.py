"""The report in a browser: it opens without errors or connections, its tables sort and filter, its deals play.

Needs Chromium: `apt-get install chromium`. Without it these tests are skipped, but not where CI is set.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

import sim
from pipelines.database import open_sweeps
from pipelines.difficulty import difficulty
from pipelines.replay import replay
from pipelines.report.viewer import LEGAL
from pipelines.report.writing import report
from pipelines.tables import spelled
from sim.hidden import unseen
from sim.moves import TRACE_BITS
from sim.position import Move, Position
from tests.reporting import HOSTILE, hostile, sweep
from tests.sweeping import rows

DESKTOP, PHONE = {"width": 1200, "height": 800}, {"width": 360, "height": 740}
SUITS = {"C": ("clubs", "♣"), "S": ("spades", "♠"), "H": ("hearts", "♥"), "D": ("diamonds", "♦")}
WAIT = 10_000  # milliseconds, for what a slow machine takes
BY_BUTTON, EVERY = 8, 16  # the first steps of a deal are gone one by one, of the others every so many
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None and not os.environ.get("CI"):
        pytest.skip("there is no Chromium here: apt-get install chromium")
    assert CHROMIUM, "CI needs Chromium: apt-get install chromium"
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sweep in a folder whose name is no plain address."""
    return sweep(tmp_path_factory.mktemp("browser") / "50 % of #1 ♠?")


@pytest.fixture(scope="module")
def written(folder: Path) -> Path:
    return report(folder)


class Opened:
    """A page and everything it did that it should not."""

    def __init__(self, browser: Browser, path: Path, size: dict[str, int], **settings: Any) -> None:
        self.context = browser.new_context(viewport=size, **settings)
        self.page = self.context.new_page()
        self.page.set_default_timeout(WAIT)
        self.faults: list[str] = []
        self.page.on("console", lambda said: self.faults.append(said.text))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("dialog", lambda dialog: self.faults.append(dialog.message))
        self.page.on("request", lambda request: self.faults.append(request.url))
        self.page.goto(path.as_uri())
        assert self.faults.pop(0) == path.as_uri(), "the page itself is the one thing that is loaded"

    def close(self) -> None:
        self.context.close()
        assert self.faults == []


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def page(request: pytest.FixtureRequest, browser: Browser, written: Path) -> Iterator[Page]:
    """The report, opened wide and narrow; whatever a test does there, nothing may be loaded or go wrong."""
    opened = Opened(browser, written, request.param)
    expect(opened.page.locator("#board .pile").first).to_be_visible()
    yield opened.page
    opened.close()


def test_it_fits_the_width_and_shows_one_of_each_chart(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visible = page.locator("#policies figure svg").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().width)"
    )
    assert sorted(width > 0 for width in visible) == [False, True]
    assert max(visible) <= page.viewport_size["width"]  # type: ignore[index]


def column(page: Page, table: str, head: str) -> list[str]:
    """The texts of a column, in the order that the rows have now, of those that are shown."""
    heads = page.locator(f"{table} thead th").all_inner_texts()
    place = [text.strip() for text in heads].index(head) + 1
    return page.locator(f"{table} tbody tr:visible td:nth-child({place})").all_inner_texts()


def test_tables_sort_by_mouse_and_keyboard(page: Page, folder: Path) -> None:
    rates = [row["win_rate"] for row in difficulty(open_sweeps([folder])).to_pylist()]
    head = page.locator("#policies-table th", has_text="win rate")
    head.get_by_role("button").click()
    assert column(page, "#policies-table", "win rate") == [spelled(rate, True) for rate in sorted(rates)]
    expect(head).to_have_attribute("aria-sort", "ascending")
    page.keyboard.press("Enter")
    assert column(page, "#policies-table", "win rate") == [spelled(rate, True) for rate in sorted(rates)[::-1]]
    expect(head).to_have_attribute("aria-sort", "descending")
    policy = page.locator("#policies-table th", has_text="policy")
    policy.get_by_role("button").focus()
    page.keyboard.press("Space")
    assert column(page, "#policies-table", "policy") == ["greedy"] * 4 + ["random"] * 4
    expect(head).not_to_have_attribute("aria-sort", "descending")


def test_what_is_missing_sorts_last_either_way(page: Page) -> None:
    head = page.locator("#length-table th", has_text="redeals allowed").get_by_role("button")
    for _ in range(2):
        head.click()
        texts = column(page, "#length-table", "redeals allowed")
        assert texts[-2:] == ["-", "-"]
        assert "-" not in texts[:-2]


def test_tables_filter_by_words_and_by_values(page: Page) -> None:
    table = page.locator("#policies-table")
    table.get_by_role("searchbox", name="Filter").fill("sultan greedy")
    assert column(page, "#policies-table", "game") == ["the_sultan"]
    expect(table.locator("output")).to_have_text("1 of 8 rows")
    table.get_by_role("searchbox", name="Filter").fill("")
    table.get_by_role("combobox", name="policy").select_option("random")
    table.get_by_role("combobox", name="game").select_option("la_belle_lucie")
    assert column(page, "#policies-table", "variant") == ["redeals=0", "default"]
    table.get_by_role("searchbox", name="Filter").fill("no such row")
    expect(table.locator("output")).to_have_text("0 of 8 rows")


def spoken(card: str) -> str:
    return f"{card[0].replace('T', '10')} of {SUITS[card[1]][0]}"


def sign(card: str) -> str:
    return f"{card[0].replace('T', '10')}{SUITS[card[1]][1]}\ufe0e"


def piles(position: Position, turned: bool = False) -> dict[str, str]:
    """Pile name to what the page should say of it."""
    numbers = {name: number for number, name in enumerate(position.game.piles)}
    found = {}
    for zone, row in position.zones.items():
        if zone == "stock" and position.game.name == "la_belle_lucie":
            continue  # it has none
        for i, cards in enumerate(row):
            name = f"{zone}[{i}]"
            down = 0 if turned else int(unseen(position.game.rules, position.state, numbers[name]))
            texts = ([f"{down} face down"] if down else []) + [spoken(card) for card in cards[down:]]
            found[name] = f"{name}: {', '.join(texts) or 'empty'}"
    return found


def said(move: Move) -> str:
    return f"{move.kind} {' '.join(map(sign, move.cards)) or '-'} {move.source} → {move.target}"


def board(page: Page) -> dict[str, str]:
    """Pile name to what the page says of it."""
    pairs = page.locator("#board .pile").evaluate_all("all => all.map((one) => [one.dataset.pile, one.ariaLabel])")
    return dict(pairs)


def chooser(page: Page, name: str) -> Locator:
    return page.locator("#viewer").get_by_role("combobox", name=name)


def choose(page: Page, game: str, variant: str, policy: str, deal: int = 0) -> int:
    """Choose a cell, and one of its deals; its seed."""
    for name, value in (("Game", game), ("Variant", variant), ("Policy", policy)):
        chooser(page, name).select_option(value)
    deals = page.locator("#choose-deal")
    deals.select_option(index=deal)
    return int(str(deals.locator("option").nth(deal).text_content()).partition(":")[0])


@pytest.mark.parametrize(
    ("game", "variant", "policy", "deal"),
    [("la_belle_lucie", "redeals=0", "greedy", 1), ("the_sultan", "default", "greedy", 0),
     ("rouge_et_noir", "default", "greedy", 2)],
)  # fmt: skip
def test_steps_show_what_python_plays(
    page: Page, folder: Path, game: str, variant: str, policy: str, deal: int
) -> None:
    """Positions of a stored deal: each pile, the legal moves, the one that was chosen. The first ones by the button."""
    seed = choose(page, game, variant, policy, deal)
    traces = rows(folder, "traces", game=game, variant=variant.replace("=", "-"), policy=policy)
    [codes] = [row["codes"] for row in traces if row["seed"] == seed]
    position = sim.game(game if variant == "default" else f"{game}({variant})").deal(seed)
    steps = replay(position, codes)
    for step, code in enumerate(codes):
        if step < BY_BUTTON or step % EVERY == 0:
            move_to(page, step)
            assert board(page) == piles(position), step
            same_moves(page, position, step, code, len(codes))
        next(steps)
    page.locator("#last").click()
    assert board(page) == piles(position)
    expect(page.locator("#said")).to_contain_text(f"Step {len(codes)} of {len(codes)}: the end: ")
    expect(page.locator("#said")).to_contain_text(f", {position.cards_home} cards home")


def move_to(page: Page, step: int) -> None:
    if 0 < step < BY_BUTTON:
        page.locator("#next").click()
    else:
        page.locator("#step").fill(str(step))


def same_moves(page: Page, position: Position, step: int, code: int, last: int) -> None:
    """The page lists the legal moves of the position, and says which was chosen."""
    legal = position.moves()
    chosen = next(move for move in legal if move.code & TRACE_BITS == code & TRACE_BITS)
    lines = page.locator("#legal li").all_text_contents()
    assert len(lines) == min(len(legal), LEGAL + (legal.index(chosen) >= LEGAL))
    assert [line.removesuffix(" played") for line in lines[:LEGAL]] == [said(move) for move in legal[:LEGAL]]
    assert page.locator("#legal [aria-current]").all_text_contents() == [f"{said(chosen)} played"]
    among = f"one of {len(legal)} legal moves" if len(legal) > 1 else "the only legal move"
    told = f"Step {step} of {last}: {said(chosen)}, {among}"
    assert page.locator("#said").text_content() == told


def test_backs_hide_what_a_player_cannot_see(page: Page) -> None:
    seed = choose(page, "rouge_et_noir", "default", "greedy")
    position = sim.game("rouge_et_noir").deal(seed)
    hidden = sum(int(unseen(position.game.rules, position.state, pile)) for pile in range(1, len(position.game.piles)))
    backs = page.locator("#board .spread .back")
    expect(backs).to_have_count(hidden)
    assert backs.all_text_contents() == [""] * hidden
    page.get_by_label("turn up hidden cards").check()
    expect(backs).to_have_count(0)
    assert board(page) == piles(position, turned=True)


def step(page: Page) -> int:
    return int(page.locator("#step").input_value())


def test_keys_and_slider_step_and_space_plays(page: Page) -> None:
    choose(page, "the_sultan", "default", "greedy")
    last = int(str(page.locator("#step").get_attribute("max")))
    page.locator("#board").focus()
    for key, expected in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("Home", 0)):
        page.keyboard.press(key)
        assert step(page) == expected
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#said")).to_have_attribute("aria-live", "off")
    expect(page.locator("#said")).to_contain_text("Step 2 of")
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_text("Play")
    expect(page.locator("#said")).to_have_attribute("aria-live", "polite")
    page.locator("#step").focus()
    page.keyboard.press("End")
    assert step(page) == last
    expect(page.locator("#said")).to_contain_text("the end: won")
    page.keyboard.press("ArrowLeft")
    assert step(page) == last - 1
    page.locator("#first").click()
    assert step(page) == 0


def test_choices_follow_one_another(page: Page) -> None:
    chooser(page, "Game").select_option("la_belle_lucie")
    assert page.locator("#choose-variant option").all_text_contents() == ["redeals=0", "default"]
    chooser(page, "Variant").select_option("redeals=0")
    chooser(page, "Game").select_option("rouge_et_noir")
    assert page.locator("#choose-variant option").all_text_contents() == ["default"]
    assert page.locator("#choose-policy option").all_text_contents() == ["random", "greedy"]


def test_charts_name_what_the_pointer_is_at(page: Page) -> None:
    tip, dot = page.locator("#tip"), page.locator("#policies [aria-roledescription=point]:visible").last
    expect(tip).to_be_hidden()
    dot.hover()
    expect(tip).to_have_text(str(dot.get_attribute("aria-label")))
    expect(tip).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()


def test_all_is_reached_by_the_keyboard(page: Page) -> None:
    """Every control that a mouse can use takes the focus and has a name."""
    nameless = page.evaluate(
        "() => [...document.querySelectorAll('button, select, input, [tabindex]')].filter((one) => one.tabIndex < 0 "
        "|| !(one.ariaLabel || one.textContent.trim() || one.labels?.length || one.hasAttribute('aria-labelledby')))"
        ".length"
    )
    assert nameless == 0


def test_the_page_is_dark_for_who_wants_it_dark(browser: Browser, written: Path) -> None:
    """Text stands out from its ground by the 4.5 to 1 of WCAG AA, in the charts too, in either scheme."""
    for scheme in ("light", "dark"):
        opened = Opened(browser, written, DESKTOP, color_scheme=scheme)
        ground = luminance(opened.page, "body", "backgroundColor")
        assert (ground < 0.05) == (scheme == "dark")
        for selector, style in (
            (".summary p", "color"),
            (".caption", "color"),
            ("figure.wide text", "fill"),
            ("a", "color"),
        ):
            lighter, darker = sorted([luminance(opened.page, selector, style), ground], reverse=True)
            assert (lighter + 0.05) / (darker + 0.05) > 4.5
        opened.close()


def luminance(page: Page, selector: str, style: str) -> float:
    """WCAG's relative luminance of a colour."""
    text = page.locator(selector).last.evaluate("(one, style) => getComputedStyle(one)[style]", style)
    parts = [int(number) / 255 for number in text.strip("rgb()").split(",")]
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_a_hostile_name_does_nothing(browser: Browser, tmp_path: Path) -> None:
    opened = Opened(browser, report(hostile(tmp_path / "s")), PHONE)
    expect(opened.page.locator("#policies-table tbody td").nth(2)).to_have_text(HOSTILE)
    opened.page.locator("#policies-table select").last.select_option(HOSTILE)
    assert opened.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    opened.close()


def test_a_page_that_is_tampered_with_still_loads_nothing(browser: Browser, written: Path, tmp_path: Path) -> None:
    """The policy of the page stops scripts and connections that are not its own."""
    text = written.read_text("utf-8").replace("</body>", "<script>document.title = 'taken'</script></body>")
    path = tmp_path / "tampered.html"
    path.write_text(text, "utf-8")
    opened = Opened(browser, path, DESKTOP)
    assert opened.page.title().startswith("How hard is patience?")
    refused = opened.page.evaluate("fetch('http://127.0.0.1:9/').then(() => 'loaded', (error) => error.name)")
    assert refused == "TypeError"
    assert len(opened.faults) >= 2
    assert all("Content Security Policy" in fault for fault in opened.faults)
    opened.faults.clear()
    opened.close()
