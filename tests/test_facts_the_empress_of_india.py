"""The Empress of India, dossier 18: its test facts through the Python door.

The decks begin with the 32 cards that are not dealt. Then come the first cells of the Army and of the Navy, the others
being filled with the cards that are played last, and the first cards of the stock.
"""

import random
from collections import Counter

import pytest

import sim
from sim.cards import FACE_OF
from sim.errors import IllegalMove
from sim.packing import red
from sim.position import Position
from tests.decks import the_empress_of_india
from tests.engine import flat, listed, play_texts, walk
from tests.twins.the_empress_of_india import BLACK, RED

APART = ["AC", "AS", "KD", "KH", "JD", "JH", "QC", "QS"]
TURN = "turn stock[0]"
LEFT = "refill_from_stock=leave_vacant_until_it_comes"


def deal(army: str = "", navy: str = "", stock: str = "", options: str = "") -> Position:
    """A deal whose Army and Navy begin so, each in its first cells, and whose stock begins so."""
    cells, later = [army.split(), navy.split()], stock.split()
    left = Counter([card for card in FACE_OF if card not in APART] * 4) - Counter(flat(cells) + later)
    last_first = [r + s for r in reversed(RED) for s in "HD"], [r + s for r in reversed(BLACK) for s in "CS"]
    for row, order in zip(cells, last_first, strict=True):
        filling = [card for card in order for _ in range(left[card])][: 24 - len(row)]
        row += filling
        left -= Counter(filling)
    deck = APART * 4 + flat(cells) + later + list(left.elements())
    return sim.game(f"the_empress_of_india({options})").deal(deck=deck)


def of(position: Position, card: str, *kinds: str) -> list[str]:
    """The legal moves of a card."""
    return [text for text in listed(position, *kinds) if card in text.split()[1:-1]]


def test_208_cards_are_laid_out() -> None:
    zones = deal("2D", "KC", "3D 3C").zones
    assert zones["foundation"] == [["AC"]] * 4 + [["KD"]] * 4 + [["KH"]] * 4 + [["AS"]] * 4
    assert (zones["empress"], Counter(flat(zones["guard"]))) == ([["QC"]], {"JD": 4, "JH": 4})
    assert Counter(flat(zones["discard"])) == {"QS": 4, "QC": 3}
    assert (zones["army"][0], zones["navy"][0]) == (["2D"], ["KC"])
    assert [len(cell) for cell in zones["army"] + zones["navy"]] == [1] * 48
    assert {card[1] for card in flat(zones["army"])} == {"H", "D"}
    assert {card[1] for card in flat(zones["navy"])} == {"C", "S"}
    assert (zones["red_waste"], zones["black_waste"]) == ([[]], [[]])
    assert (len(zones["stock"][0]), zones["stock"][0][-2:]) == (128, ["3C", "3D"])
    assert 16 + 9 + 7 + 24 + 24 + 128 == 208


def test_the_deal_lays_more_cards_of_a_full_row_on_its_waste() -> None:
    deck = sorted([*FACE_OF] * 4, key=lambda card: not red(FACE_OF[card]))
    zones = sim.game("the_empress_of_india").deal(deck=deck).zones
    in_order = [card for card in deck if card not in APART]
    assert flat(zones["army"]) == in_order[:24]
    assert zones["red_waste"] == [in_order[24:88]]
    assert flat(zones["navy"]) == in_order[88:112]
    assert (zones["black_waste"], zones["stock"]) == ([[]], [in_order[112:][::-1]])


def test_the_first_play_is_a_black_two_with_a_red_queen() -> None:
    position = deal("QH TH", "2S 2C")
    assert listed(position, "pair") == ["pair QH 2C navy[1]", "pair QH 2S navy[0]"]
    assert {move.kind for move in position.moves()} == {"pair", "build", "turn"}
    play_texts(position, "pair QH 2S navy[0]")
    assert (position.zones["foundation"][8], position.zones["foundation"][12]) == (["KH", "QH"], ["AS", "2S"])
    assert position.cards_home == 18


def test_the_second_card_of_a_suit_goes_to_a_foundation_of_its_own() -> None:
    position = play_texts(deal("QH QH", "2S 2S"), "pair QH 2S navy[0]", "pair QH 2S navy[1]")
    assert position.zones["foundation"][8:10] == [["KH", "QH"]] * 2


def test_one_card_is_not_played_alone() -> None:
    assert listed(deal("TH", "2S"), "pair", "play") == []
    assert listed(deal("QH", "3S"), "pair", "play") == []


def test_two_cards_of_one_colour_are_not_played() -> None:
    assert listed(deal("TH TD", "2S 2C"), "pair") == []


def test_equal_cards_in_two_cells_are_two_moves() -> None:
    position = deal("QH QH", "2S 2S 2S")
    assert len([move for move in position.moves() if move.kind == "pair"]) == 6
    assert listed(position, "pair") == [f"pair QH 2S navy[{cell}]" for cell in (0, 0, 1, 1, 2, 2)]


def test_every_pairing_is_listed_once_each_way() -> None:
    moves = [(move.source, move.target) for move in deal("QH QH", "2S 2S").moves() if move.kind == "build"]
    ways = {(f"army[{i}]", f"navy[{j}]") for i in range(24) for j in range(24)}
    assert (len(moves), set(moves)) == (2 * 24 * 24, ways | {(navy, army) for army, navy in ways})


def test_won_with_sixteen_packets_of_twelve_without_queens_or_knaves() -> None:
    by_order = sorted([*FACE_OF] * 4, key=lambda card: (RED if red(FACE_OF[card]) else BLACK).find(card[0]))
    position = sim.game("the_empress_of_india").deal(deck=by_order)
    joint_plays = 0
    while not position.over:
        position.play(position.moves()[0])
        joint_plays += 1
    assert (position.won, joint_plays, position.cards_home, position.moves()) == (True, 88, 192, [])
    packets = ["".join(card[0] for card in pile) for pile in position.zones["foundation"]]
    assert packets == [order for order in (BLACK, RED, RED, BLACK) for _ in range(4)]
    assert (BLACK[-2:], RED[:3], len(BLACK), len(RED)) == ("JK", "KQT", 12, 12)
    assert flat(position.zones["army"] + position.zones["navy"]) == []


def test_a_waste_card_goes_to_no_foundation() -> None:
    position = play_texts(deal("", "2S", "QH"), TURN)
    assert position.zones["red_waste"] == [["QH"]]
    assert listed(position, "pair", "play") == []
    play_texts(position, "build 2S army[0]")
    assert of(position, "QH") == []
    play_texts(deal("AD", "2S KS", "QH"), TURN, "build AD navy[1]", "pair QH 2S navy[0]")


def test_a_turned_card_goes_to_the_waste_of_its_colour() -> None:
    position = play_texts(deal("", "", "3D 6S 4H"), TURN, TURN, TURN)
    assert (position.zones["red_waste"], position.zones["black_waste"]) == ([["3D", "4H"]], [["6S"]])
    assert [len(cell) for cell in position.zones["army"] + position.zones["navy"]] == [1] * 48


def test_a_turn_does_not_say_what_comes() -> None:
    turns = [[move for move in deal("", "", card).moves() if move.kind == "turn"] for card in ("3D", "6S")]
    assert turns[0] == turns[1]
    assert [str(move) for move in turns[0]] == ["turn - stock[0] -> stock[0]"]


def test_a_pair_lies_where_the_covered_card_lay_and_the_vacancy_is_refilled() -> None:
    position = play_texts(deal("9H", "5C", "3D 4D 6S"), "build 5C army[0]")
    zones = position.zones
    assert (zones["army"][0], zones["navy"][0]) == (["9H", "5C"], ["6S"])
    assert (zones["red_waste"], zones["black_waste"], len(zones["stock"][0])) == ([["3D", "4D"]], [[]], 125)
    zones = play_texts(deal("9H", "5C", "6S 3D"), "build 9H navy[0]").zones
    assert (zones["army"][0], zones["navy"][0], zones["black_waste"]) == (["3D"], ["5C", "9H"], [["6S"]])


def test_the_waste_comes_before_the_stock() -> None:
    position = play_texts(deal("9H", "5C", "6S 7S 8S"), TURN, TURN, "build 5C army[0]")
    assert (position.zones["navy"][0], position.zones["black_waste"]) == (["7S"], [["6S"]])
    assert len(position.zones["stock"][0]) == 126


def test_a_pair_is_not_separated_and_takes_no_third_card() -> None:
    position = play_texts(deal("9H", "5C", "6S"), "build 5C army[0]")
    assert not [move for move in position.moves() if "army[0]" in (move.source, move.target)]
    assert len(listed(position, "build")) == 2 * 23 * 24


def test_a_pair_is_played_together_when_both_fit() -> None:
    position = play_texts(deal("QH QD", "2S 2C", "3D"), "build 2S army[0]")
    assert of(position, "2S") == ["pair QH 2S army[0]"]
    assert of(position, "QH") == ["pair QH 2S army[0]"]
    play_texts(position, "pair QH 2S army[0]")
    assert (position.zones["foundation"][8], position.zones["foundation"][12]) == (["KH", "QH"], ["AS", "2S"])
    assert [len(cell) for cell in position.zones["army"] + position.zones["navy"]] == [1] * 48


def test_a_pair_waits_until_both_fit() -> None:
    position = play_texts(deal("QH QD", "3S 2S"), "build 3S army[0]")
    assert of(position, "QH") == of(position, "3S") == []
    assert of(play_texts(position, "pair QD 2S navy[1]"), "QH") == ["pair QH 3S army[0]"]
    position = play_texts(deal("TH", "2S"), "build 2S army[0]")
    assert of(position, "2S") == []


def test_a_cell_is_refilled_with_its_own_colour() -> None:
    position = play_texts(deal("QH", "2S", "6S 7S 3D 4D"), "build 2S army[0]")
    play_texts(position, TURN, "pair QH 2S army[0]")
    zones = position.zones
    assert (zones["navy"][0], zones["army"][0]) == (["6S"], ["3D"])
    assert (zones["red_waste"], zones["black_waste"]) == ([[]], [["7S"]])


def test_two_vacancies_are_filled_from_the_wastes_first() -> None:
    position = play_texts(deal("QH", "2S", "3D 4D 5C 6C"), TURN, "pair QH 2S navy[0]")
    zones = position.zones
    assert (zones["army"][0], zones["navy"][0]) == (["3D"], ["5C"])
    assert (zones["red_waste"], zones["black_waste"], zones["stock"][0][-1]) == ([["4D"]], [[]], "6C")


def test_of_two_vacancies_each_takes_the_first_card_of_its_colour() -> None:
    zones = play_texts(deal("QH", "2S", "5C 6C 3D 4D"), "pair QH 2S navy[0]").zones
    assert (zones["army"][0], zones["navy"][0]) == (["3D"], ["5C"])
    assert (zones["red_waste"], zones["black_waste"], zones["stock"][0][-1]) == ([[]], [["6C"]], "4D")


def test_a_vacancy_may_be_left_until_its_colour_comes() -> None:
    position = play_texts(deal("9H TH", "5C 4C", "3D 6S 7S 8S", LEFT), "build 5C army[0]", "build 4C army[1]")
    assert (position.zones["navy"][:2], len(position.zones["stock"][0])) == ([[], []], 128)
    play_texts(position, TURN)
    assert (position.zones["navy"][:2], position.zones["red_waste"]) == ([[], []], [["3D"]])
    play_texts(position, TURN)
    assert (position.zones["navy"][:2], position.zones["black_waste"]) == ([["6S"], []], [[]])
    play_texts(position, TURN, TURN)
    assert (position.zones["navy"][:2], position.zones["black_waste"]) == ([["6S"], ["7S"]], [["8S"]])
    play_texts(position, "build 6S army[3]")
    assert (position.zones["navy"][0], position.zones["black_waste"]) == (["8S"], [[]])


@pytest.mark.parametrize("options", ["", LEFT])
def test_nothing_is_vacant_while_it_can_be_refilled(options: str) -> None:
    game, dice, vacant = sim.game(f"the_empress_of_india({options})"), random.Random(4), 0
    for position in walk(game.deal(deck=the_empress_of_india(game, dice)), dice, 250):
        zones = position.zones
        for row, waste in (("army", "red_waste"), ("navy", "black_waste")):
            if [] in zones[row]:
                vacant += 1
                assert (zones[waste], bool(zones["stock"][0] and not options)) == ([[]], False)
    assert vacant > 10


def test_cards_may_be_turned_only_when_none_can_be_played() -> None:
    assert "turn stock[0]" in listed(deal("QH", "2S"))
    position = deal("QH", "2S", options="stock_turn=only_when_stuck")
    turn = next(move for move in deal().moves() if move.kind == "turn")
    with pytest.raises(IllegalMove):
        position.play(turn)
    assert listed(play_texts(position, "pair QH 2S navy[0]"), "turn") == [TURN]
    assert len(listed(position, "build")) == 2 * 24 * 24


def test_only_the_top_of_a_waste_is_seen_or_all_is() -> None:
    for options, covered in (("", [2, 0]), ("deal_waste_visible=all", [0, 0])):
        position = play_texts(deal("", "", "3D 4D 5D 6S", options), TURN, TURN, TURN, TURN)
        assert position.state.covered[65:67].tolist() == covered
        assert play_texts(position, "build 3H navy[0]").state.covered[65] == max(covered[0] - 1, 0)


def test_there_is_no_redeal() -> None:
    position = play_texts(deal(), *[TURN] * 128)
    assert {move.kind for move in position.moves()} == {"build"}
    assert len(position.zones["red_waste"][0]) == len(position.zones["black_waste"][0]) == 64
