"""The test facts of dossier 09, The Four Corners, through the Python door: the deal, what follows it, the redeals."""

from collections import Counter
from itertools import zip_longest

import pytest

import sim
from sim.errors import IllegalMove
from sim.position import Position
from tests.engine import flat, listed, play_texts

BASES = "AC AD AH AS KC KD KH KS"  # dealt first they all go home at once, and the next card falls on the first packet
RANKS = "JT9876543KA2Q"  # unnamed cards come in this order: as long as only aces and kings are home, the first are idle
SIDES = {1: "2C", 2: "2S", 3: "2H", 4: "2D", 7: "QC", 8: "QS", 9: "QH", 10: "QD"}
CORNERS = (0, 5, 6, 11)
WANTED = {"2C": 0, "QC": 1, "2D": 2, "QD": 3, "2H": 4, "QH": 5, "2S": 6, "QS": 7}  # and the foundations that want them


def deck(first: str) -> list[str]:
    """A deck that begins with these cards, `..` being any other one and `..*n` n of them; then the rest."""
    named = [card for word in first.split() for card in [word[:2]] * int(word[3:] or 1)]
    full = Counter([rank + suit for rank in RANKS for suit in "CSHD"] * 2)
    rest = list((full - Counter(card for card in named if card != "..")).elements())
    return [rest.pop(0) if card == ".." else card for card in named] + rest


def deal(first: str = "", options: str = "", bases: str = BASES) -> Position:
    """The cards fall in the order top left, L1 … L4, lower left, top right, R1 … R4, lower right."""
    return sim.game(f"the_four_corners({options})").deal(deck=deck(f"{bases} {first}"))


def leave(position: Position) -> Position:
    """Leave the card that has just fallen, and deal on."""
    position.play(next(move for move in position.moves() if move.kind == "deal"))
    return position


def dealt_out(upper: dict[int, str], options: str = "") -> Position:
    """After a deal in which nothing but aces and kings was played: packets of eight, some with these upper cards."""
    rounds = [".."] * 96
    for packet, cards in upper.items():
        for height, card in enumerate(reversed(cards.split())):
            rounds[12 * (7 - height) + packet] = card
    position = deal(" ".join(rounds), options)
    while position.zones["stock"][0]:
        leave(position)
    return position


def heights(position: Position) -> list[int]:
    return [len(packet) for packet in position.zones["tableau"]]


def test_the_first_round_lays_a_card_on_each_packet() -> None:
    position = deal("..*12 2S")
    assert heights(position) == [2] + [1] * 11
    assert [len(pile) for pile in position.zones["foundation"]] == [1] * 8
    assert listed(position) == ["deal tableau[1]", "play 2S foundation[6]"]


def test_a_foundation_card_is_played_at_once_and_the_next_takes_its_place() -> None:
    position = deal("3C AS 9C ..*10 2S", bases="")
    assert position.zones["foundation"][6] == ["AS"]
    assert position.zones["tableau"][1] == ["9C"]
    assert (heights(position), listed(position)) == ([2] + [1] * 11, ["deal tableau[1]", "play 2S foundation[6]"])


@pytest.mark.parametrize("card", WANTED)
def test_from_a_corner_to_any_foundation_from_a_side_to_the_adjoining_one(card: str) -> None:
    for packet in range(12):
        position = deal(f"..*{packet} {card} ..*{24 - packet}" if packet else f"{card} ..*24")
        stopped = position.zones["tableau"][packet] == [card]
        assert stopped == (packet in CORNERS or SIDES[packet] == card)
        assert not stopped or f"play {card} foundation[{WANTED[card]}]" in listed(position)


def test_the_next_card_takes_the_place_of_a_played_one_and_the_round_goes_on() -> None:
    position = deal("..*2 2S 9C 9D ..*7 QC")
    assert listed(position) == ["deal tableau[3]", "play 2S foundation[6]"]
    tableau = play_texts(position, "play 2S foundation[6]").zones["tableau"]
    assert (tableau[2], tableau[3]) == (["9C"], ["9D"])
    position = deal("..*6 2S 9C 9D ..*6 QC", "replace_withdrawn=false")  # eight packets are passed by aces and kings
    tableau = play_texts(position, "play 2S foundation[6]").zones["tableau"]
    assert (tableau[2], tableau[3], tableau[4]) == ([], ["9C"], ["9D"])


def test_a_foundation_card_is_not_replaced_either() -> None:
    position = deal("3C AS 9C ..*2 2S", "replace_withdrawn=false", bases="")
    assert position.zones["tableau"][:3] == [["3C"], [], ["9C"]]
    assert listed(position) == ["deal tableau[6]", "play 2S foundation[6]"]


def test_an_older_upper_card_waits_for_the_end_of_the_deal() -> None:
    position = play_texts(deal("3S ..*4 2S ..*6 QC"), "play 2S foundation[6]")
    assert listed(position) == ["deal tableau[0]", "play QC foundation[1]"]
    assert position.zones["tableau"][0] == ["3S"]
    position = play_texts(deal("3S ..*4 2S ..*7 QC", "during_deal_scope=any_upper"), "play 2S foundation[6]")
    assert (listed(position), heights(position)) == (["deal tableau[6]", "play 3S foundation[6]"], [1] * 6 + [0] * 6)
    position = play_texts(position, "play 3S foundation[6]")
    assert (heights(position), position.zones["tableau"][11]) == ([1] * 12, ["QC"])


def test_an_older_card_that_is_left_stops_the_deal_again_by_option() -> None:
    position = leave(deal("2S", "during_deal_scope=any_upper"))
    assert listed(position) == ["deal tableau[2]", "play 2S foundation[6]"]
    assert len(flat(leave(deal("2S")).zones["tableau"])) > 12


def test_the_second_ace_is_no_foundation_card() -> None:
    position = deal("AS ..*11 2H")
    assert position.zones["tableau"][0] == ["AS", "2H"]
    position = dealt_out({packet: rank + "S" for packet, rank in enumerate("AQJT98765432")})
    assert "play AS foundation[7]" not in listed(position)
    play_texts(position, *[f"play {rank}S foundation[7]" for rank in "QJT98765432A"])
    assert position.zones["foundation"][7][-1] == "AS"


def test_no_marriages_during_the_deal() -> None:
    assert listed(deal("8S 9S 2S ..*2 2C"), "build") == []


def test_marriages_in_suit_up_and_down_after_the_deal() -> None:
    upper = {
        0: "8S",
        4: "9S",
        8: "9C",
        9: "4H",
        1: "4D",
        2: "6H",
        3: "6D",
        5: "JC",
        6: "JD",
        7: "4C",
        10: "6C",
        11: "JH",
    }
    assert listed(dealt_out(upper), "build", "deal") == ["build 8S tableau[4]", "build 9S tableau[0]"]
    assert listed(dealt_out(upper, "marriages=rank"), "build") == [
        "build 8S tableau[4]",
        "build 8S tableau[8]",
        "build 9C tableau[0]",
        "build 9S tableau[0]",
    ]


def test_a_sequence_is_turned_round_card_by_card() -> None:
    position = dealt_out({1: "2S 3S 4S 5S 6S 7S 8S", 3: "9S"})
    play_texts(position, *[f"build {rank}S tableau[3]" for rank in "8765432"])
    assert " ".join(position.zones["tableau"][3][-8:]) == "9S 8S 7S 6S 5S 4S 3S 2S"


def test_runs_in_suit_move_together_only_with_sequence() -> None:
    upper = {1: "7S 8S", 3: "6S", 5: "7H 8C", 7: "6H"}
    assert "build 7S 8S tableau[3]" not in listed(dealt_out(upper))
    assert "build 7S 8S tableau[3]" in listed(dealt_out(upper, "move_unit=sequence"))
    mixed = listed(dealt_out(upper, "marriages=rank,move_unit=sequence"))
    assert {"build 7S 8S tableau[3]", "build 7S 8S tableau[7]"} <= set(mixed)
    assert not any("7H 8C" in text for text in mixed)


def test_the_restrictions_end_when_the_last_card_has_fallen() -> None:
    position = dealt_out({2: "2H", 11: "3C"})
    assert {"play 2H foundation[4]", "redeal tableau[0]"} <= set(listed(position))


def in_dealing_order(position: Position) -> list[str]:
    """The cards that were dealt, if none has been withdrawn, and those of the stock."""
    rounds = zip_longest(*position.zones["tableau"])
    return [card for each in rounds for card in each if card] + position.zones["stock"][0][::-1]


@pytest.mark.parametrize("gather", ["packet1_bottom_first", "packet12_bottom_first", "packet1_top_first", "pysolfc"])
def test_redeals_are_in_order_and_not_shuffled(gather: str) -> None:
    position = dealt_out({}, f"gather={gather}")
    packets = position.zones["tableau"]
    expected = {
        "packet1_bottom_first": flat(packets),
        "packet12_bottom_first": flat(packets[::-1]),
        "packet1_top_first": flat(packet[::-1] for packet in packets),
        "pysolfc": flat(packets[packet] for packet in (10, 9, 8, 7, 4, 3, 2, 1, 11, 5, 6, 0)),
    }
    assert in_dealing_order(play_texts(position, "redeal tableau[0]")) == expected[gather]


@pytest.mark.parametrize("redeals", [0, 1, 2, 3])
def test_so_many_redeals_and_the_restrictions_again(redeals: int) -> None:
    position = dealt_out({}, f"redeals={redeals}")
    for left in range(redeals, 0, -1):
        assert position.redeals_left == left
        play_texts(position, "redeal tableau[0]")
        assert {move.kind for move in position.moves()} == {"play", "deal"}
        while position.zones["stock"][0]:
            leave(position)
    assert (position.redeals_left, listed(position, "redeal", "deal")) == (0, [])
    with pytest.raises(IllegalMove):
        position.play(1)


def emptied(options: str = "") -> Position:
    """Packet 0 held eight spades that have gone home."""
    position = dealt_out({0: "9S 8S 7S 6S 5S 4S 3S 2S"}, options)
    return play_texts(position, *[f"play {rank}S foundation[6]" for rank in "23456789"])


def test_an_empty_packet_takes_nothing() -> None:
    assert heights(emptied())[0] == 0
    assert not any("tableau[0]" in text for text in listed(emptied(), "build", "fill"))


def test_an_empty_packet_takes_any_card_by_option() -> None:
    position = emptied("vacancy=any")
    uppers = [packet[-1] for packet in position.zones["tableau"][1:]]
    assert listed(position, "fill") == sorted(f"fill {card} tableau[0]" for card in uppers)


def test_a_foundation_card_comes_back_only_by_option() -> None:
    upper = {0: "2S", 1: "3S"}
    assert listed(play_texts(dealt_out(upper), "play 2S foundation[6]"), "return") == []
    position = play_texts(dealt_out(upper, "foundation_return=true"), "play 2S foundation[6]")
    assert "return 2S tableau[1]" in listed(position)


def test_foundations_in_the_order_of_appearance_adjoin_the_sides() -> None:
    begun = "KS AC AD KD KC AS KH AH"
    options = "centre=slots_in_order_of_appearance"
    for side, card in zip(SIDES, ["QS", "2C", "2D", "QD", "QC", "2S", "QH", "2H"], strict=True):
        assert f"play {card} foundation[{WANTED[card]}]" in listed(deal(f"..*{side} {card}", options, begun))
    assert "play 2C foundation[0]" not in listed(deal(".. 2C ..*11 QD", options, begun))


def test_whole_rounds_wait_for_the_player() -> None:
    options = "dealing=whole_rounds"
    position = deal(".. AS 2C .. 2S ..*7", options, bases="")
    assert (heights(position), listed(position)) == ([1] * 12, ["deal tableau[0]", "play AS foundation[6]"])
    play_texts(position, "play AS foundation[6]")  # and the next card takes its place
    assert (heights(position), position.cards_home) == ([1] * 12, 1)
    assert heights(leave(position)) == [2] * 12


def test_won_with_all_cards_home() -> None:
    home = [
        card
        for up, down in zip("23456789TJQK", "QJT98765432A", strict=True)
        for s in "CDHS"
        for card in (up + s, down + s)
    ]
    position = deal(" ".join(home[::-1]))
    while position.zones["stock"][0]:
        leave(position)
    while not position.over:
        position.play(next(move for move in position.moves() if move.kind == "play"))
    assert (position.won, position.cards_home, position.moves()) == (True, 104, [])
