"""The Flower-Garden's test facts, dossier 20. Six packets of six are dealt first, then the sixteen of the Bouquet."""

import pytest

import sim
from sim.errors import IllegalMove
from sim.moves import REDEAL
from sim.position import Position
from tests.engine import deck_with, listed, play_texts

GARDEN = "the_flower_garden"


def deal(uppers: str, bouquet: str = "", options: str = "", beneath: str = "") -> Position:
    """A garden with these upper cards (and, in the first packet, these beneath), and a bouquet that begins so."""
    first, *others = uppers.split()
    under = beneath.split()
    packets = [f"..*{5 - len(under)}" if len(under) < 5 else "", *under, first]
    packets += [f"..*5 {upper}" for upper in others] + [f"..*{6 * (5 - len(others))}"] * (len(others) < 5)
    return sim.game(f"{GARDEN}({options})").deal(deck=deck_with(" ".join([*packets, bouquet])))


def of(position: Position, *cards: str) -> list[str]:
    """The moves of these cards, as text."""
    return [text for text in listed(position) if text.split()[1] in cards]


EMPTIED = ("play AS foundation[3]", "play 2S foundation[3]", "play 3S foundation[3]")
EMPTIED += ("play 4S foundation[3]", "play 5S foundation[3]", "play 6S foundation[3]")
SPADES = "6S 5S 4S 3S 2S"


def one_packet_cleared(options: str = "", bouquet: str = "9D") -> Position:
    """The first packet, all spades, has gone home."""
    return play_texts(deal("AS KD KH KC QC QD", bouquet, options, SPADES), *EMPTIED)


def test_six_packets_of_six_and_a_bouquet_of_sixteen() -> None:
    zones = sim.game(GARDEN).deal(deck=deck_with("2C 3C ..*3 4C 5C ..*29 9D ..*14 QS")).zones
    assert [len(packet) for packet in zones["tableau"]] == [6] * 6
    assert (zones["tableau"][0][::5], zones["tableau"][1][0]) == (["2C", "4C"], "5C")
    assert (len(zones["reserve"]), zones["reserve"][0], zones["reserve"][15]) == (16, ["9D"], ["QS"])
    assert zones["foundation"] == [[]] * 4


def test_round_robin_deals_row_by_row() -> None:
    zones = sim.game(f"{GARDEN}(dealing=round_robin)").deal(deck=deck_with("2C 3C ..*4 4C")).zones
    assert (zones["tableau"][0][:2], zones["tableau"][1][0]) == (["2C", "4C"], "3C")


def test_all_sixteen_of_the_bouquet_are_available() -> None:
    hearts = "QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H AH AC AD AS 9D"
    position = deal("KD KS KC QD QS QC", hearts)
    assert {"play AH foundation[2]", "play AC foundation[0]", "play AS foundation[3]"} <= set(listed(position))
    assert {"build QH tableau[0]", "build JH tableau[3]"} <= set(listed(position))
    home = [f"play {card} foundation[2]" for card in reversed(hearts.split()[:12])]
    assert play_texts(position, *home).zones["reserve"][:13] == [[]] * 12 + [["AC"]]


def test_the_example_of_the_text() -> None:
    """The 4D on the 5C, the 10H from the Bouquet on the JD, and on it the 9C."""
    position = deal("4D 5C JD 9C KH KS", "TH")
    play_texts(position, "build 4D tableau[1]", "build TH tableau[2]", "build 9C tableau[2]")
    assert position.zones["tableau"][2][-3:] == ["JD", "TH", "9C"]
    assert position.zones["tableau"][1][-2:] == ["5C", "4D"]
    assert position.zones["reserve"][0] == []


def test_nothing_is_built_upwards() -> None:
    position = deal("4D 5C KD KH KS KC")
    assert of(position, "4D", "5C") == ["build 4D tableau[1]"]


@pytest.mark.parametrize(
    ("building", "targets"),
    [("rank", [1, 2, 3]), ("suit", [3]), ("alternate_colour", [1])],
)
def test_suits_count_as_the_option_says(building: str, targets: list[int]) -> None:
    position = deal("4D 5C 5H 5D KS KC", options=f"building={building}")
    assert of(position, "4D") == [f"build 4D tableau[{target}]" for target in targets]


def test_no_card_goes_back_to_the_bouquet() -> None:
    position = one_packet_cleared(bouquet="9D 8C 9H")
    play_texts(position, "fill 9D tableau[0]", "build 8C tableau[0]")
    assert not any("reserve" in text for text in listed(position))
    assert of(position, "8C") == []


def test_a_covered_card_cannot_move() -> None:
    position = deal("9S TD KD KH KS KC", beneath="AS")
    assert of(position, "AS") == []
    assert of(play_texts(position, "build 9S tableau[1]"), "AS") == ["play AS foundation[3]"]


def test_a_king_moves_to_an_empty_packet_only() -> None:
    assert of(deal("KD AS QH QS QC QD", "KH"), "KD", "KH") == []
    assert of(one_packet_cleared(), "KD", "KH", "KC") == [f"fill {king} tableau[0]" for king in ("KC", "KD", "KH")]


def test_foundations_ascend_in_suit() -> None:
    position = deal("AD 2D 2S AH KD KS")
    assert of(position, "2D", "2S") == []
    assert of(play_texts(position, "play AH foundation[2]"), "2D", "2S") == []
    assert of(play_texts(position, "play AD foundation[1]"), "2D", "2S") == ["play 2D foundation[1]"]


def test_nobody_is_obliged_to_play_home() -> None:
    assert {"play AS foundation[3]", "build AS tableau[1]"} <= set(listed(deal("AS 2H KD KH KS KC")))


def test_an_empty_packet_takes_any_card_of_bouquet_or_garden() -> None:
    position = one_packet_cleared(bouquet="9D 2H")
    fills = set(listed(position, "fill"))
    assert len(fills) == 16 + 5
    assert {"fill 9D tableau[0]", "fill 2H tableau[0]", "fill QC tableau[0]"} <= fills
    assert play_texts(position, "fill 2H tableau[0]").zones["tableau"][0] == ["2H"]


def test_an_empty_packet_for_kings_only() -> None:
    position = one_packet_cleared("vacancy=king_only", "9D KS")
    assert listed(position, "fill") == [f"fill {king} tableau[0]" for king in ("KC", "KD", "KH", "KS")]


def test_two_cards_move_together_only_with_sequence() -> None:
    uppers, beneath = "5S 7D KD KH KS KC", "6H"
    assert of(deal(uppers, beneath=beneath), "6H") == []
    position = deal(uppers, options="move_unit=sequence", beneath=beneath)
    assert of(position, "6H") == ["build 6H 5S tableau[1]"]
    zones = play_texts(position, "build 6H 5S tableau[1]").zones
    assert (len(zones["tableau"][0]), zones["tableau"][1][-3:]) == (4, ["7D", "6H", "5S"])
    assert of(deal(uppers, options="move_unit=sequence,building=suit", beneath=beneath), "6H") == []


def test_a_foundation_card_may_not_come_back() -> None:
    uppers = "AS 2H KD KH KS KC"
    assert listed(play_texts(deal(uppers), "play AS foundation[3]"), "return") == []
    back = play_texts(deal(uppers, options="foundation_return=true"), "play AS foundation[3]")
    assert listed(back, "return") == ["return AS tableau[1]"]


def test_there_is_no_second_deal() -> None:
    position = deal("KC KD KH KS JC QD", "JD")
    assert (listed(position, "redeal", "turn"), position.redeals_left) == ([], 0)
    with pytest.raises(IllegalMove):
        position.play(REDEAL)


def test_won_with_all_52_home() -> None:
    ranks = "KQJT98765432A"
    deck = [rank + suit for suit in "CDHS" for rank in ranks[4:]] + [rank + suit for rank in "KQJT" for suit in "CDHS"]
    position = sim.game(GARDEN).deal(deck=deck)
    while position.cards_home < 51:
        position.play(next(move for move in position.moves() if move.kind == "play"))
    assert (position.cards_home, position.won) == (51, False)
    position.play(position.moves()[0])
    assert (position.cards_home, position.won, position.over, position.moves()) == (52, True, True, [])
