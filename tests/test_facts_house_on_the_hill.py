"""The test facts of dossier 05, The House on the Hill, each through the Python door on arranged packets."""

from functools import partial

import pytest

from sim.cards import RANKS
from sim.layout import FOUNDATION_SUITS
from tests.engine import flat, listed, play_texts
from tests.houses import DOWN, REDEAL, UP, built, hearts, heights, of_hearts
from tests.houses import deal as deal_house

deal = partial(deal_house, "house_on_the_hill")


@pytest.mark.parametrize(
    ("remainder", "short"),
    [("two_packets_of_one", [["9D"], ["8D"]]), ("one_packet_of_two", [["9D", "8D"]])],
)
def test_packets_of_three_and_a_remainder(remainder: str, short: list[list[str]]) -> None:
    position = deal("2C 3C 4C", last="9D 8D", options=f"remainder={remainder}")
    assert heights(position) == [3] * 34 + [len(pile) for pile in short]
    assert (position.zones["tableau"][0], position.zones["tableau"][34:]) == (["2C", "3C", "4C"], short)
    assert position.zones["foundation"] == [[]] * 8


def test_marriages_go_both_ways_in_suit() -> None:
    assert of_hearts(deal("8H", "9H", "9D")) == ["build 8H tableau[1]", "build 9H tableau[0]"]


def test_ace_and_king_do_not_marry() -> None:
    assert of_hearts(deal("KH", "AH"), "build") == []


def test_an_ace_and_a_king_of_each_suit_are_the_foundations() -> None:
    position = deal("AH", "AH", "KH", "KH")
    assert of_hearts(position) == [*[f"play AH {UP}"] * 2, *[f"play KH {DOWN}"] * 2]
    assert of_hearts(built(position, "A", "K")) == []


def test_queen_and_then_knave_go_on_the_king() -> None:
    position = deal("KH", "QH", "JH")
    assert of_hearts(position, "play") == [f"play KH {DOWN}"]
    assert of_hearts(built(position, down="K"), "play") == [f"play QH {DOWN}"]
    assert of_hearts(built(position, down="Q"), "play") == [f"play JH {DOWN}"]


def test_where_the_foundations_meet_each_card_has_one_place() -> None:
    position = built(deal(*hearts("A2345KQJT987665")), "A2345", "KQJT9876")
    assert of_hearts(position, "play") == [f"play 5H {DOWN}", f"play 6H {UP}"]


def test_a_card_that_both_foundations_want_has_two_plays() -> None:
    position = built(deal(*hearts("A23456KQJT987")), "A23456", "KQJT98")
    assert of_hearts(position, "play") == [f"play 7H {UP}", f"play 7H {DOWN}"]


def test_the_second_ace_ends_the_descending_foundation() -> None:
    position = built(deal(*hearts("AAKQJT98765432")), "A", "KQJT9876543")
    assert f"play AH {DOWN}" not in of_hearts(position)
    assert of_hearts(built(position, down="2")) == [f"play AH {DOWN}"]
    assert of_hearts(built(position, down="A")) == []


def test_the_second_king_ends_the_ascending_foundation() -> None:
    position = built(deal(*hearts("KKA23456789TJQ")), "A23456789TJ", "K")
    assert f"play KH {UP}" not in of_hearts(position)
    assert of_hearts(built(position, "Q")) == [f"play KH {UP}"]


def test_a_sequence_is_reversed_card_by_card() -> None:
    position = deal("9H 8H 7H", "6H")
    play_texts(position, *[f"build {card} tableau[1]" for card in hearts("789")])
    assert (position.zones["tableau"][0], position.zones["tableau"][1][2:]) == ([], hearts("6789"))


@pytest.mark.parametrize(
    ("vacancy", "fills"),
    [("closed", []), ("king", ["fill KH tableau[35]"]), ("any", ["fill 5H tableau[35]", "fill KH tableau[35]"])],
)
def test_an_emptied_packet_takes_what_the_option_says(vacancy: str, fills: list[str]) -> None:
    position = built(deal("KH", "5H", last="2C AH", options=f"vacancy={vacancy}"), "A")
    assert position.zones["tableau"][35] == []
    assert of_hearts(position, "fill") == fills
    assert bool(listed(position, "fill")) == bool(fills)


def test_two_shuffled_redeals_in_threes() -> None:
    position = play_texts(built(deal("AH"), "A"), REDEAL)
    assert (heights(position), position.zones["foundation"][4]) == ([3] * 34 + [1], ["AH"])
    assert listed(play_texts(position, REDEAL), "redeal") == []
    assert listed(deal(options="redeals=0"), "redeal") == []


def test_no_exchange_between_the_foundations_of_a_suit() -> None:
    assert listed(built(deal(*hearts("A2345KQJT9876")), "A2345", "KQJT9876"), "return") == []


def test_an_exchange_by_option_takes_any_top_card_that_fits() -> None:
    position = built(deal(*hearts("A2345KQJT9876"), options="foundation_exchange=true"), "A234", "KQJT9876")
    assert listed(position, "return") == []
    assert listed(built(position, "5"), "return") == [f"return 5H {DOWN}", f"return 6H {UP}"]
    play_texts(position, f"return 6H {UP}", f"return 7H {UP}")
    assert position.zones["foundation"][4:6] == [hearts("A234567"), hearts("KQJT98")]
    assert listed(position, "return") == [f"return 7H {DOWN}", f"return 8H {UP}"]


def test_a_lone_base_card_may_be_exchanged_and_may_open_the_other_foundation() -> None:
    position = built(deal(*hearts("AKQJT98765432"), options="foundation_exchange=true"), "A", "KQJT98765432")
    assert listed(position, "return") == [f"return 2H {UP}", f"return AH {DOWN}"]
    play_texts(position, f"return AH {DOWN}")
    assert position.zones["foundation"][4] == []
    assert listed(position, "return") == [f"return AH {UP}"]


def test_a_foundation_card_may_not_come_back() -> None:
    assert listed(built(deal("AH", "KH", "QH"), "A", "K"), "return") == []
    position = built(deal("AH", "KH", "QH", options="foundation_return=true"), "A", "K")
    assert listed(position, "return") == ["return KH tableau[2]"]


@pytest.mark.parametrize(
    ("run", "options", "moves"),
    [
        ("QH JH", "", []),
        ("QH JH", "move_unit=sequence", ["build QH JH tableau[1]"]),
        ("JH QH", "move_unit=sequence", ["build JH QH tableau[2]"]),
        ("JH TH JH", "move_unit=sequence", []),
    ],
)
def test_runs_move_only_with_sequence_and_go_one_way(run: str, options: str, moves: list[str]) -> None:
    builds = of_hearts(deal(run, "KH", "TH", options=options), "build")
    assert [text for text in builds if f" {run} " in text] == moves


def test_won_with_104_cards_home() -> None:
    pairs = [
        (low + suit, high + suit) for low, high in zip(RANKS, RANKS[::-1], strict=True) for suit in FOUNDATION_SUITS
    ]
    order = flat(pairs)
    layers = zip(order[70:], order[36:70], order[:34], strict=True)
    position = deal(*map(" ".join, layers), last=" ".join(order[34:36]))
    for home, card in enumerate(order):
        assert (position.cards_home, position.won) == (home, False)
        play_texts(position, f"play {card} foundation[{home % 8}]")
    assert (position.cards_home, position.won, position.moves()) == (104, True, [])
