"""The Clock, dossier 13: its test facts through the Python door. The twelve first cards lead every arranged deck; then
come the packets from I round, the upper card of each last, and the stock."""

from collections import Counter

import pytest

import sim
from sim.errors import IllegalMove
from sim.position import Position
from tests.engine import deck_with, flat, listed, onwards, play_texts

FIRST = "6C 7H 8S 9D TC JH QS KD 2C 3H 4S 5D"
LAST = "AC 2H 3S 4D 5C 6H 7S 8D 9C TH JS QD"
TURN = "turn waste[0]"


def deal(packets: str, options: str = "") -> Position:
    return sim.game(f"the_clock({options})").deal(deck=deck_with(f"{FIRST} {packets}", 2))


def heights(position: Position) -> list[int]:
    return [len(packet) for packet in position.zones["tableau"]]


def plays(cards: str, hour: int) -> list[str]:
    """The moves of these cards to a foundation."""
    return [f"play {card} foundation[{hour}]" for card in cards.split()]


def of(position: Position, *cards: str) -> list[str]:
    """The legal moves of these cards."""
    return [text for text in listed(position) if text.split()[1] in cards]


def test_twelve_foundations_twelve_packets_and_a_stock() -> None:
    position = deal("..*36 7D 8D")
    zones = position.zones
    assert zones["foundation"] == [[card] for card in FIRST.split()]
    assert (heights(position), position.cards_home) == ([3] * 12, 12)
    assert (len(zones["stock"][0]), zones["stock"][0][-2:], zones["waste"]) == (56, ["8D", "7D"], [[]])
    assert Counter(card[1] for card in flat(zones["foundation"])) == dict.fromkeys("CDHS", 3)


def test_packets_are_dealt_together_from_one() -> None:
    assert deal("KC QC JC KD ..*31 2D").zones["tableau"][0] == ["KC", "QC", "JC"]
    assert deal("KC QC JC KD ..*31 2D").zones["tableau"][11][2] == "2D"
    by_rounds = deal("KC QC JC ..*9 KD ..*22 2D", "dealing=round_robin").zones["tableau"]
    assert [by_rounds[hour][0] for hour in (11, 0, 1)] == ["KC", "QC", "JC"]
    assert (by_rounds[11][1], by_rounds[10][2]) == ("KD", "2D")


def test_the_three_opens_on_the_two_of_its_suit() -> None:
    position = deal("..*2 3C ..*2 3H ..*2 3C")
    assert of(position, "3C", "3H") == ["play 3C foundation[8]"] * 2
    assert position.zones["foundation"][8] == ["2C"]


def test_the_ace_on_the_king_completes_the_hour_of_one() -> None:
    position = deal("9C 8C 7C QC JC TC 2C AC KC")
    assert "play AC foundation[0]" not in listed(play_texts(position, *plays("7C 8C 9C TC JC QC", 0)))
    play_texts(position, *plays("KC AC", 0))
    assert position.zones["foundation"][0][-2:] == ["KC", "AC"]
    assert position.zones["tableau"][2] == ["2C"]
    assert of(position, "2C") == []


def test_the_two_completes_the_hour_of_two() -> None:
    position = deal("TH 9H 8H KH QH JH 3H 2H AH")
    play_texts(position, *plays("8H 9H TH JH QH KH AH 2H", 1))
    assert (position.zones["foundation"][1][-1], position.zones["tableau"][2]) == ("2H", ["3H"])
    assert of(position, "3H") == []


def test_a_card_that_two_foundations_want_is_two_moves() -> None:
    position = deal("KC QC JC .. 2C AC ..*2 3C")
    play_texts(position, *plays("JC QC KC AC 2C", 4))
    assert of(position, "3C") == ["play 3C foundation[4]", "play 3C foundation[8]"]


def test_marriages_descend_in_suit() -> None:
    position = deal("..*2 6S ..*2 7S ..*2 7C")
    assert of(position, "6S", "7S") == ["build 6S tableau[1]"]
    play_texts(position, "build 6S tableau[1]")
    assert (heights(position)[:2], position.zones["tableau"][1][-2:]) == ([2, 4], ["7S", "6S"])


def test_a_king_may_not_be_married_with_an_ace() -> None:
    packets = "..*2 KC ..*2 AC"
    assert of(deal(packets), "KC") == []
    assert of(deal(packets, "marriage_wrap=true"), "KC") == ["build KC tableau[1]"]


def test_the_waste_is_only_played_on_foundations() -> None:
    packets = "..*2 7S ..*2 KC ..*2 KC ..*27 6S 3C"
    position = play_texts(deal(packets), TURN)
    assert of(position, "6S") == []
    assert "build 6S tableau[0]" in listed(play_texts(deal(packets, "waste_marries=true"), TURN))
    assert of(play_texts(position, TURN), "3C") == ["play 3C foundation[8]"]


def test_a_short_packet_is_filled_from_the_stock_but_not_from_the_waste() -> None:
    position = play_texts(deal("..*2 3C ..*33 6S 6H 6D"), TURN, "play 3C foundation[8]")
    assert {text.split()[2] for text in of(position, "6S")} <= {"foundation[10]"}
    play_texts(position, "refill tableau[0]")
    assert (position.zones["tableau"][0][-1], position.zones["waste"], heights(position)) == ("6H", [["6S"]], [3] * 12)


def emptied(options: str = "") -> Position:
    """Packet I is empty, packet II has one card; the stock begins with 6S 6H 5S 5H 4H."""
    position = deal("5C 4C 3C KC 7D 6D ..*30 6S 6H 5S 5H 4H", options)
    return play_texts(position, *plays("3C 4C 5C", 8), *plays("6D 7D", 11))


def test_all_short_packets_are_filled_before_a_card_is_turned() -> None:
    position = emptied()
    assert heights(position)[:2] == [0, 1]
    assert listed(position, "turn", "refill") == ["refill tableau[0]"]
    turn = next(move for move in deal("").moves() if move.kind == "turn")
    with pytest.raises(IllegalMove):
        position.play(turn)
    play_texts(position, "refill tableau[0]")
    assert heights(position) == [3] * 12
    assert position.zones["tableau"][:2] == [["6S", "6H", "5S"], ["KC", "5H", "4H"]]
    assert listed(position, "turn", "refill") == [TURN]


def test_an_empty_packet_takes_no_marriage_and_a_short_one_does() -> None:
    position = emptied()
    assert not any(text.endswith("tableau[0]") for text in listed(position, "build", "fill"))
    packets = "..*2 7S .. 5H 3C ..*2 4H"
    assert of(play_texts(deal(packets), "play 3C foundation[8]"), "4H")[0] == "build 4H tableau[1]"
    closed = play_texts(deal(packets, "marry_on_short_packet=false"), "play 3C foundation[8]")
    assert of(closed, "4H") == ["play 4H foundation[9]"]


def test_round_robin_gives_one_card_to_each_short_packet() -> None:
    position = play_texts(emptied("refill_order=round_robin"), "refill tableau[0]")
    assert position.zones["tableau"][:2] == [["6S", "5S", "4H"], ["KC", "6H", "5H"]]


def test_round_robin_begins_at_twelve() -> None:
    packets = "..*2 3C ..*32 4C 6S 6H"
    for order, uppermost in (("packet_by_packet", ["6S", "6H"]), ("round_robin", ["6H", "6S"])):
        position = deal(packets, f"refill_order={order}")
        play_texts(position, "play 3C foundation[8]", "play 4C foundation[8]", "refill tableau[0]")
        assert [position.zones["tableau"][hour][-1] for hour in (0, 11)] == uppermost


def test_packets_may_be_filled_at_once() -> None:
    position = play_texts(deal("..*2 3C ..*33 6S 6H", "refill_when=at_once"), "play 3C foundation[8]")
    assert (heights(position), position.zones["tableau"][0][-1]) == ([3] * 12, "6S")
    assert listed(position, "turn", "refill") == [TURN]


def test_won_with_every_foundation_at_its_hour() -> None:
    deck = onwards(FIRST.split(), deck_with("", 2))
    position = sim.game("the_clock").deal(deck=deck[:48][::-1] + deck[48:])
    while not position.over:
        position.play(max(position.moves(), key=lambda move: ("build", "turn", "refill", "play").index(move.kind)))
    assert (position.won, position.cards_home, position.moves()) == (True, 104, [])
    assert [pile[-1] for pile in position.zones["foundation"]] == LAST.split()
    assert [len(pile) for pile in position.zones["foundation"]] == [9] * 8 + [8] * 4


def turned_out(options: str = "") -> Position:
    """The stock is out and nothing has been played."""
    return play_texts(deal("..*36", options), *[TURN] * 56)


def test_there_is_no_redeal() -> None:
    assert listed(turned_out(), "turn", "redeal", "refill") == []


def test_a_redeal_turns_the_waste_over() -> None:
    position = turned_out("redeals=1")
    order = position.zones["waste"][0]
    assert listed(position, "turn", "redeal") == ["redeal stock[0]"]
    play_texts(position, "redeal stock[0]")
    assert (position.zones["stock"][0], position.redeals_left) == (order[::-1], 0)


def test_when_the_stock_is_out_packets_stay_short() -> None:
    position = turned_out()
    play = next(move for move in position.moves() if move.kind == "play" and move.source.startswith("tableau"))
    position.play(play)
    assert (min(heights(position)), listed(position, "turn", "redeal", "refill")) == (2, [])


def test_the_copy_nearest_the_top_is_withdrawn_or_the_one_nearest_the_bottom() -> None:
    deck = deck_with("", 2)
    first, last = [deck.copy(), deck[::-1]]
    for card in FIRST.split():
        first.remove(card)
        last.remove(card)
    for copy, rest in (("nearest_top", first), ("nearest_bottom", last[::-1])):
        zones = sim.game(f"the_clock(withdrawn_copy={copy})").deal(deck=deck).zones
        assert flat(zones["tableau"]) + zones["stock"][0][::-1] == rest
