"""Seeds, decks, ids: what is dealt, and what is refused with a sentence one can act on."""

import json
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sim
from sim import deals
from sim.cards import FACE_OF, full_deck, names
from sim.errors import PatienceError
from sim.options import canonical, spell
from tests import splitmix
from tests.engine import GAMES, deck_with, option_values

# Opening piles of each counterpart as PySolFC 3.6.1 lays them for its deal numbers. Piles bottom card first, face-down
# cards included; stock: the next card to be dealt is the last; `first`: the pile of theirs that is our first.
FOLDER = Path(__file__).parent / "data" / "openings"
OPENINGS = {path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}
LUCIE, NAPOLEON = "la_belle_lucie", "napoleon_at_st_helena"


@pytest.mark.parametrize(
    ("game", "seed"), [(game, seed) for game, theirs in OPENINGS.items() for seed in theirs["deals"]]
)
def test_openings_are_those_of_pysolfc(game: str, seed: str) -> None:
    first, order = OPENINGS[game].get("first", {}), OPENINGS[game].get("order", {})
    theirs = {zone: turned(piles, first.get(zone, 0)) for zone, piles in OPENINGS[game]["deals"][seed].items()}
    theirs |= {zone: [theirs[zone][pile] for pile in piles] for zone, piles in order.items()}
    ours = sim.game(f"{game}(pysolfc)").deal(seed=seed, source="pysol").zones
    assert {"foundation", "stock"} < theirs.keys()
    assert {zone: ours[zone] for zone in theirs} == theirs
    assert not any(pile for zone in ours.keys() - theirs.keys() for pile in ours[zone])


def turned(piles: list[Any], first: int) -> list[Any]:
    """PySolFC's piles of a circle, counted from where we begin."""
    return piles[first:] + piles[:first]


def test_every_game_with_a_counterpart_has_six_openings() -> None:
    counterparts = {game for game in GAMES if "pysolfc" in sim.game(game).module.PRESETS}
    assert {game: len(theirs["deals"]) for game, theirs in OPENINGS.items()} == dict.fromkeys(counterparts, 6)


@pytest.mark.parametrize("seed", [0, 1, 2**63 - 1, "12"])
def test_seeds_in_range_are_dealt(seed: int | str) -> None:
    assert names(deals.deck(seed, 2)) == splitmix.deck(int(seed), 2)
    assert sim.game(NAPOLEON).deal(seed=seed).moves()


@pytest.mark.parametrize("seed", [-1, 2**63, "x", 1.5, True, "", "1e3", "0x10", "٣", None])
def test_other_seeds_are_refused(seed: Any) -> None:
    with pytest.raises(PatienceError, match="no seed of the splitmix deals: expected a whole number from 0 to 9223372"):
        sim.game(LUCIE).deal(seed=seed)


@pytest.mark.parametrize("seed", [1, 31999, 32000, 10**19, 10**20 - 1, "ms1", "MS5", "ms0031999", f"ms{2**33 - 1}"])
def test_pysol_numbers_in_range_are_dealt(seed: int | str) -> None:
    assert sorted(deals.deck(seed, 2, "pysol")) == sorted(full_deck(2))
    assert sim.game(LUCIE).deal(seed=seed, source="pysol").moves()


@pytest.mark.parametrize("seed", [0, -5, 10**20, "ms0", f"ms{2**33}", "ms", "msx", "", True, 1.5])
def test_other_pysol_numbers_are_refused(seed: Any) -> None:
    with pytest.raises(PatienceError, match="no seed of the pysol deals: expected a whole number from 1 to "):
        deals.deck(seed, 1, "pysol")


def test_pysol_numbers_change_their_generator_at_32000() -> None:
    assert names(deals.deck(1, 1, "pysol"))[:5] == ["JD", "2D", "9H", "JC", "5D"]  # Microsoft's deal number 1
    assert list(deals.deck(5, 1, "pysol")) == list(deals.deck("ms5", 1, "pysol"))
    assert list(deals.deck(31999, 1, "pysol")) == list(deals.deck("ms31999", 1, "pysol"))
    assert list(deals.deck(32000, 1, "pysol")) != list(deals.deck("ms32000", 1, "pysol"))


def test_pysolfc_lays_a_card_on_top_that_the_game_takes_out_first() -> None:
    deck, game = list(deals.deck(2, 2, "pysol")), sim.game("the_sultan")
    ace = deck.index(FACE_OF["AH"])
    assert "AH" in names(deck[:ace]), "its twin lies nearer the top"
    assert list(game.deck(2, "pysol")) == [deck[ace], *deck[:ace], *deck[ace + 1 :]]
    assert list(game.deck(2, "splitmix")) == list(deals.deck(2, 2))


def test_unknown_sources_are_refused() -> None:
    with pytest.raises(PatienceError, match=r"no deal source 'pysl'\. Did you mean 'pysol'"):
        deals.deck(1, 1, "pysl")


def swapped(deck: list[str], old: str, new: str) -> list[str]:
    """The deck with one card replaced by another."""
    at = deck.index(old)
    return [*deck[:at], new, *deck[at + 1 :]]


WRONG_DECKS = {
    "a wrong card": (lambda deck: swapped(deck, "TD", "10D"), r"There is no card '10D'.*Known: AC"),
    "a near miss": (lambda deck: swapped(deck, "TD", "td"), r"There is no card 'td'"),
    "a card twice": (lambda deck: swapped(deck, "TD", "9S"), "9S 2 times, TD 0 times"),
    "a missing card": (lambda deck: deck[:-1], "has 51 cards; this game wants 52, every card 1 times.*0 times"),
    "too many": (lambda deck: [*deck, "QH"], r"has 53 cards; this game wants 52.*QH 2 times"),
    "none": (lambda deck: [], "has 0 cards.*AC 0 times.*and more"),
}


@pytest.mark.parametrize("wrong", WRONG_DECKS)
def test_wrong_decks_are_refused_by_name(wrong: str) -> None:
    spoil, message = WRONG_DECKS[wrong]
    with pytest.raises(PatienceError, match=message):
        sim.game(LUCIE).deal(deck=spoil(deck_with("")))


def test_a_deck_of_one_pack_is_refused_where_two_are_wanted() -> None:
    with pytest.raises(PatienceError, match="has 52 cards; this game wants 104, every card 2 times"):
        sim.game(NAPOLEON).deal(deck=deck_with(""))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("la_belle_lucy", "There is no game 'la_belle_lucy'. Did you mean 'la_belle_lucie'"),
        ("la_belle_lucie(redeal=1)", "There is no option 'redeal'. Did you mean 'redeals'"),
        ("la_belle_lucie(redeals=4)", "There is no value of redeals '4'.*Known: 2, 0, 1, 3"),
        ("la_belle_lucie(vacancy=kings)", "no value of vacancy 'kings'. Did you mean 'king'"),
        ("la_belle_lucie(pysolf)", "There is no preset 'pysolf'. Did you mean 'pysolfc'"),
        ("la_croix_dhonneur(pysolfc)", "no preset 'pysolfc'"),
        ("la_belle_lucie(redeals=1", "is not an id: expected name"),
        ("", "is not an id: expected name"),
    ],
)
def test_unknown_names_are_refused_with_the_nearest(text: str, message: str) -> None:
    with pytest.raises(PatienceError, match=message):
        sim.game(text)


@st.composite
def chosen(draw: st.DrawFn) -> tuple[str, dict[str, Any], list[str]]:
    """A game, some of its options with values, and the items that say so, in any order."""
    game = draw(st.sampled_from(GAMES))
    values = {name: draw(st.sampled_from(known)) for name, known in option_values(game).items() if draw(st.booleans())}
    items = [f"{name}={spell(value)}" for name, value in values.items()]
    return game, values, draw(st.permutations(items))


@given(chosen())
def test_canonical_ids_round_trip(choice: tuple[str, dict[str, Any], list[str]]) -> None:
    name, values, items = choice
    game = sim.game(f"{name}({','.join(items)})")
    assert game.values == {n: known[0] for n, known in option_values(name).items()} | values
    assert sim.game(game.id).options == game.options
    assert sim.game(game.id).id == game.id
    differing = sorted(n for n, value in values.items() if value != option_values(name)[n][0])
    assert [item.partition("=")[0] for item in canonical(game.options).split(",") if item] == differing


def test_a_preset_is_its_options_and_the_later_item_holds() -> None:
    assert sim.game("la_belle_lucie(pysolfc)").id == "la_belle_lucie(dealing=round_robin,foundation_return=true)"
    assert sim.game("la_belle_lucie(pysolfc, dealing=together)").id == "la_belle_lucie(foundation_return=true)"
    assert sim.game("la_belle_lucie( preset=pysolfc )").options == sim.game("la_belle_lucie(pysolfc)").options


@pytest.mark.parametrize("game", GAMES)
def test_a_seed_is_the_same_deck_under_every_variant(game: str) -> None:
    """Every card back in the hand: the deck is what `deal` is given, whatever the options; the seed may draw more."""
    dice = random.Random(game)
    for seed in (3, 2**62 + 1):
        for name, known in option_values(game).items():
            variant = sim.game(f"{game}({name}={spell(dice.choice(known))})")
            deck = splitmix.deck(seed, variant.packs)
            assert variant.deal(seed=seed).zones == variant.deal(seed=seed, deck=deck).zones


def chi_square(counts: Counter[Any], cells: int) -> float:
    """Pearson's statistic against equal frequencies, in standard deviations above its mean."""
    expected = counts.total() / cells
    square = sum((counts[cell] - expected) ** 2 / expected for cell in counts) + (cells - len(counts)) * expected
    return float((square - (cells - 1)) / (2 * (cells - 1)) ** 0.5)


def test_the_shuffle_is_roughly_uniform() -> None:
    decks = [names(deals.deck(seed, 1)) for seed in range(4000)]
    places = Counter((card, place) for deck in decks for place, card in enumerate(deck))
    follows = Counter(pair for deck in decks for pair in pairwise(deck))
    assert abs(chi_square(places, 52 * 52)) < 4
    assert abs(chi_square(follows, 52 * 51)) < 4


def test_chi_square_sees_a_poor_shuffle() -> None:
    dice = random.Random(0)
    decks = [[*dice.sample(range(51), 51), 51] if i % 10 == 0 else dice.sample(range(52), 52) for i in range(4000)]
    assert chi_square(Counter((card, place) for deck in decks for place, card in enumerate(deck)), 52 * 52) > 10
