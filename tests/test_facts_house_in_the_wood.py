"""The test facts of dossier 04, The House in the Wood, each through the Python door on arranged packets."""

from functools import partial

import pytest

import sim
from sim.cards import RANKS, SUITS
from sim.errors import IllegalMove
from tests.engine import deck_with, flat, listed, play_texts
from tests.houses import DOWN, REDEAL, UP, built, heights, of_hearts
from tests.houses import deal as deal_house

deal = partial(deal_house, "house_in_the_wood")
RUNS_BOTH_WAYS = "move_unit=sequence,marriages=up_and_down"


@pytest.mark.parametrize(
    ("remainder", "short"),
    [("two_packets_of_one", [["9D"], ["8D"]]), ("one_packet_of_two", [["9D", "8D"]])],
)
def test_packets_of_three_and_a_remainder(remainder: str, short: list[list[str]]) -> None:
    position = deal("2C 3C 4C", last="9D 8D", options=f"remainder={remainder}")
    assert heights(position) == [3] * 34 + [len(pile) for pile in short]
    assert (position.zones["tableau"][0], position.zones["tableau"][34:]) == (["2C", "3C", "4C"], short)
    assert position.zones["foundation"] == [[]] * 8


@pytest.mark.parametrize(
    ("remainder", "first", "last", "short"),
    [
        ("two_packets_of_one", "2C ..*33 3C ..*33 4C ..*32 6C 7C 8C", "6C", [["7C"], ["8C"]]),
        ("one_packet_of_two", "2C ..*33 3C ..*33 5C 4C ..*32 6C 7C", "6C", [["5C", "7C"]]),
    ],
)
def test_a_deal_round_by_round(remainder: str, first: str, last: str, short: list[list[str]]) -> None:
    options = f"dealing=round_robin,remainder={remainder}"
    tableau = sim.game(f"house_in_the_wood({options})").deal(deck=deck_with(first, 2)).zones["tableau"]
    assert (tableau[0], tableau[33][-1], tableau[34:]) == (["2C", "3C", "4C"], last, short)


def test_both_aces_open_a_foundation() -> None:
    position = deal("AH", "AH")
    assert of_hearts(position) == [f"play AH {UP}"] * 2
    assert of_hearts(play_texts(position, f"play AH {UP}")) == [f"play AH {DOWN}"]
    assert play_texts(position, f"play AH {DOWN}").zones["foundation"] == [[]] * 4 + [["AH"]] * 2 + [[]] * 2


def test_marriages_descend_in_suit() -> None:
    assert of_hearts(deal("QH", "KH", "KD")) == ["build QH tableau[1]"]


def test_marriages_go_both_ways_by_option() -> None:
    position = deal("QH", "KH", "KD", options="marriages=up_and_down")
    assert of_hearts(position) == ["build KH tableau[0]", "build QH tableau[1]"]
    assert play_texts(position, "build KH tableau[0]").zones["tableau"][0][2:] == ["QH", "KH"]


@pytest.mark.parametrize("marriages", ["down", "up_and_down"])
def test_ace_and_king_do_not_marry(marriages: str) -> None:
    assert of_hearts(deal("AH", "KH", options=f"marriages={marriages}"), "build") == []


def test_a_covered_card_cannot_move() -> None:
    position = deal("QH 5H", "KH", "6H")
    assert of_hearts(position) == ["build 5H tableau[2]"]
    assert of_hearts(play_texts(position, "build 5H tableau[2]")) == ["build QH tableau[1]"]


def test_a_two_goes_on_either_ace_which_is_one_move() -> None:
    position = deal("AH", "AH", "2H")
    assert of_hearts(position, "build") == ["build AH tableau[2]"] * 2
    assert of_hearts(built(position, "A", "A")) == [f"play 2H {UP}"]


@pytest.mark.parametrize("options", ["", "remainder=one_packet_of_two", "dealing=round_robin"])
@pytest.mark.parametrize(("home", "packets"), [(0, [3] * 34 + [2]), (1, [3] * 34 + [1]), (2, [3] * 34)])
def test_a_redeal_makes_packets_of_three_and_a_remainder(home: int, packets: list[int], options: str) -> None:
    position = sim.game(f"house_in_the_wood({options})").deal(deck=deck_with("..*102 2S AS", 2))
    play_texts(position, *["play AS foundation[6]", "play 2S foundation[6]"][:home], REDEAL)
    assert heights(position) == packets
    assert position.zones["foundation"] == [[]] * 6 + [["AS", "2S"][:home], []]


def test_a_redeal_is_shuffled_and_fixed_by_the_seed() -> None:
    before = deal().zones["tableau"]
    once, again, other = (play_texts(deal(seed=seed), REDEAL).zones["tableau"] for seed in (7, 7, 8))
    assert once == again
    assert len({str(tableau) for tableau in (before, once, other)}) == 3
    assert sorted(flat(before)) == sorted(flat(once))


def test_a_third_redeal_is_refused() -> None:
    position = deal()
    redeal = next(move for move in position.moves() if move.kind == "redeal")
    assert listed(play_texts(position, REDEAL, REDEAL), "redeal") == []
    with pytest.raises(IllegalMove):
        position.play(redeal)


@pytest.mark.parametrize(
    ("vacancy", "fills"),
    [("closed", []), ("king", ["fill KH tableau[35]"]), ("any", ["fill 5H tableau[35]", "fill KH tableau[35]"])],
)
def test_an_emptied_packet_takes_what_the_option_says(vacancy: str, fills: list[str]) -> None:
    position = deal("KH", "5H", last="2C AH", options=f"vacancy={vacancy}")
    assert listed(position, "fill") == []
    built(position, "A")
    assert position.zones["tableau"][35] == []
    assert of_hearts(position, "fill") == fills
    assert bool(listed(position, "fill")) == bool(fills)


def test_places_gone_after_a_redeal_are_no_vacancies() -> None:
    position = play_texts(built(deal(last="2H AH", options="vacancy=any"), "A2"), REDEAL)
    assert (heights(position), listed(position, "fill")) == ([3] * 34, [])


@pytest.mark.parametrize(
    ("run", "options", "moves"),
    [
        ("QH JH", "", []),
        ("QH JH", "move_unit=sequence", ["build QH JH tableau[1]"]),
        ("QH JH", RUNS_BOTH_WAYS, ["build QH JH tableau[1]"]),
        ("JH QH", "move_unit=sequence", []),
        ("JH QH", RUNS_BOTH_WAYS, ["build JH QH tableau[2]"]),
        ("JH TH JH", RUNS_BOTH_WAYS, []),
    ],
)
def test_runs_move_only_with_sequence_and_go_one_way(run: str, options: str, moves: list[str]) -> None:
    builds = of_hearts(deal(run, "KH", "TH", options=options), "build")
    assert [text for text in builds if f" {run} " in text] == moves


def test_a_foundation_card_may_not_come_back() -> None:
    assert listed(built(deal("AH", "2H"), "A"), "return") == []
    assert listed(built(deal("AH", "2H", options="foundation_return=true"), "A"), "return") == ["return AH tableau[1]"]


def test_won_with_104_cards_home() -> None:
    ascending = [rank + suit for rank in RANKS for suit in SUITS for _ in range(2)]
    layers = zip(ascending[70:], ascending[36:70], ascending[:34], strict=True)
    position = deal(*map(" ".join, layers), last=" ".join(ascending[34:36]))
    for home in range(104):
        assert (position.cards_home, position.won) == (home, False)
        position.play(next(move for move in position.moves() if move.kind == "play"))
    assert (position.cards_home, position.won, position.moves()) == (104, True, [])
