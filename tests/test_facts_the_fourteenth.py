"""The Fourteenth, dossier 15: its test facts through the Python door. Places are numbered row by row from 0; a deck is
arranged by the cards of some places, and those of the stock. The cards that fill it up are kings, queens and knaves."""

from functools import cache
from math import comb

import pytest

import sim
from sim.errors import IllegalMove
from sim.position import Move, Position
from tests.engine import deck_with

IN_ROW = [(5 * row + column, 5 * row + column + 1) for row in range(5) for column in (0, 2)]
Places = dict[int, str]


def deal(places: Places, options: str = "", stock: str = "") -> Position:
    table = " ".join(places.get(place, "..") for place in range(25))
    game = sim.game(f"the_fourteenth({options})")
    return game.deal(deck=deck_with(f"{table} {stock}", game.packs))


def steps(position: Position, kind: str) -> set[tuple[str, str]]:
    """The places of the legal moves of a kind."""
    return {(short(move.source), short(move.target)) for move in position.moves() if move.kind == kind}


def short(names: str) -> str:
    """Places by their numbers: "3 12" for "tableau[3] tableau[12]"."""
    return names.replace("tableau[", "").replace("]", "")


def play(position: Position, kind: str, source: str, target: str) -> Position:
    """Make the move of these places."""
    position.play(find(position, kind, source, target))
    return position


def find(position: Position, kind: str, source: str, target: str) -> Move:
    wanted = (kind, source, target)
    return next(move for move in position.moves() if (move.kind, short(move.source), short(move.target)) == wanted)


def table(position: Position) -> list[str]:
    """The card of each place, "" for a gap."""
    return ["".join(pile) for pile in position.zones["tableau"]]


ALONE = [rank + suit for rank in "QJT" for suit in "CSHD" for _ in range(2)][:23]


def lonely(ace: int = 0, king: int = 24, options: str = "") -> Position:
    """AC and KC in these places among queens, knaves and tens, with which no card of the table makes fourteen."""
    others = iter(ALONE)
    return deal({place: {ace: "AC", king: "KC"}.get(place) or next(others) for place in range(25)}, options, "KD 2D")


@cache
def anything() -> set[tuple[str, str]]:
    """The exchanges of `lonely` that need not produce a fourteen."""
    return steps(lonely(options="grace_must_produce=false"), "exchange")


def all_in_pairs(options: str = "", alone: int = 4) -> Position:
    """Twelve pairs side by side and a card alone; the stock holds pairs, and at last the fellow of that card."""
    packs = sim.game(f"the_fourteenth({options})").packs
    pairs = [(low + suit, high + suit) for low, high in ("86", "95", "T4", "J3", "Q2", "KA") for suit in "CSHD" * packs]
    pairs += [("7C", "7S"), ("7H", "7D")] * packs
    places = [pair for pair in [*IN_ROW, (4, 9), (14, 19), (9, 14), (19, 24)] if alone not in pair][:12]
    laid = dict(zip([place for pair in places for place in pair], [c for pair in pairs for c in pair], strict=False))
    single, fellow = pairs.pop()
    stock = [card for pair in pairs[12:] for card in pair]
    return deal(laid | {alone: single}, options, " ".join([*stock, fellow]))


def test_twenty_five_cards_and_a_stock_of_79() -> None:
    zones = deal({0: "TH", 24: "2C"}, stock="9D 8D").zones
    assert (zones["tableau"][0], zones["tableau"][24]) == (["TH"], ["2C"])
    assert (len(zones["tableau"]), len(zones["stock"][0]), zones["discard"]) == (25, 79, [[]])
    assert zones["stock"][0][-2:] == ["8D", "9D"]


def test_the_three_fourteens_of_the_book() -> None:
    position = deal({0: "TH", 3: "4C", 6: "JS", 21: "3H", 12: "8D", 14: "6S"})
    assert {("0", "3"), ("6", "21"), ("12", "14")} <= steps(position, "pair")
    assert str(find(position, "pair", "6", "21")) == "pair JS 3H tableau[6] -> tableau[21]"


def test_two_sevens_even_of_one_suit() -> None:
    assert steps(deal({5: "7C", 9: "7D"}), "pair") == {("5", "9")}
    assert steps(deal({1: "7C", 21: "7C"}), "pair") == {("1", "21")}


@pytest.mark.parametrize("values", ["AK", "2Q", "3J", "4T", "59", "68", "77"])
def test_what_makes_fourteen(values: str) -> None:
    low, high = values
    assert ("0", "4") in steps(deal({0: f"{low}C", 4: f"{high}D"}), "pair")
    assert ("4", "24") in steps(deal({4: f"{low}C", 24: f"{high}D"}), "pair")


@pytest.mark.parametrize("places", [{0: "TH", 6: "4C"}, {0: "TH", 24: "4C"}, {4: "TH", 13: "4C"}, {4: "TH", 5: "4C"}])
def test_not_in_different_rows_and_columns_and_not_on_a_diagonal(places: Places) -> None:
    assert steps(deal(places), "pair") == set()


def test_not_a_card_with_itself_and_not_ace_with_queen() -> None:
    assert steps(deal({0: "7C"}), "pair") == set()
    assert steps(lonely(), "pair") == set()
    assert table(lonely())[:2] == ["AC", "QC"]


def test_both_places_are_filled_from_the_stock_in_reading_order() -> None:
    position = play(deal({3: "TH", 23: "4C"}, stock="9D 8D"), "pair", "3", "23")
    assert (table(position)[3], table(position)[23]) == ("9D", "8D")
    assert (len(position.zones["stock"][0]), all(table(position))) == (77, True)
    assert position.zones["discard"] == [["TH", "4C"]]


def test_with_one_card_left_in_the_stock_one_gap_is_filled() -> None:
    position = all_in_pairs()
    for _ in range(39):
        play(position, "pair", "0", "1")
    assert (len(position.zones["stock"][0]), position.cards_home, all(table(position))) == (1, 78, True)
    play(position, "pair", "0", "1")
    assert (position.zones["stock"], table(position)[:2]) == ([[]], ["7D", ""])


def finish(position: Position) -> Position:
    """Play the pairs of `all_in_pairs`, but for the last two cards."""
    for _ in range(40 if position.game.packs == 2 else 14):
        play(position, "pair", "0", "1")
    while len([card for card in table(position) if card]) > 2:
        source, target = min(steps(position, "pair") - {("0", "4")}, key=lambda step: int(step[0]))
        play(position, "pair", source, target)
    return position


@pytest.mark.parametrize(("options", "cards"), [("", 104), ("decks=1", 52)])
def test_won_when_the_entire_pack_is_paired_off(options: str, cards: int) -> None:
    position = finish(all_in_pairs(options))
    assert (position.won, position.cards_home) == (False, cards - 2)
    play(position, "pair", "0", "4")
    assert (position.won, position.cards_home, position.moves()) == (True, cards, [])


def test_one_pack_leaves_27_cards_in_the_stock() -> None:
    assert len(deal({}, "decks=1").zones["stock"][0]) == 27
    assert (sim.game("the_fourteenth(decks=1)").packs, sim.game("the_fourteenth").packs) == (1, 2)


def test_gaps_close_up_by_option_once_the_stock_is_out() -> None:
    left, closed = all_in_pairs(), all_in_pairs("after_stock=close_up")
    for position in (left, closed):
        for _ in range(40):
            play(position, "pair", "0", "1")
    assert [place for place, card in enumerate(table(left)) if not card] == [1]
    assert [card for card in table(left) if card] == table(closed)[:24]
    assert table(closed)[24] == ""
    play(closed, "pair", "1", "2")
    assert table(closed)[22:] == ["", "", ""]


def test_lost_when_two_cards_are_left_that_are_not_in_line() -> None:
    position = finish(all_in_pairs(alone=24))
    assert (steps(position, "pair"), position.over, position.won) == (set(), True, False)


def test_no_exchange_while_there_is_a_pair() -> None:
    assert steps(lonely(), "exchange")
    assert steps(lonely(king=4), "exchange") == set()
    assert ("0 1", "24 2") in steps(lonely(king=4, options="grace_when=any_time"), "exchange")


def test_an_exchange_is_of_two_for_two_and_produces_a_fourteen() -> None:
    position = lonely()
    assert not steps(position, "pair")
    assert ("0 1", "4 2") in steps(position, "exchange")
    assert ("1 2", "3 4") not in steps(position, "exchange")
    move = find(position, "exchange", "0 1", "4 2")
    assert str(move) == "exchange AC QC QS QC tableau[0] tableau[1] -> tableau[4] tableau[2]"
    position.play(move)
    assert table(position)[:5] == ["QS", "QC", "QC", "QS", "AC"]
    assert steps(position, "pair") == {("4", "24")}


def test_the_three_couplings_of_four_places_are_three_exchanges() -> None:
    assert {step for step in anything() if set(" ".join(step).split()) == set("1357")} == {
        ("1 5", "3 7"), ("1 3", "5 7"), ("1 3", "7 5"),
    }  # fmt: skip


@pytest.mark.parametrize(("options", "more"), [("", False), ("grace_count=unlimited", True)])
def test_there_is_one_exchange(options: str, more: bool) -> None:
    """After it and the pair that it makes, the new cards are KD and 2D, which exchanges might bring to a queen."""
    position = play(play(lonely(options=options), "exchange", "0 1", "4 2"), "pair", "4", "24")
    assert (table(position)[4], table(position)[24], steps(position, "pair")) == ("KD", "2D", set())
    assert bool(steps(position, "exchange")) == more


def test_no_exchange_by_option() -> None:
    assert lonely(options="grace_count=0").over


def test_an_exchange_that_produces_nothing_is_no_move_but_by_option() -> None:
    assert ("1 2", "3 4") in anything()
    last = lonely(options="grace_must_produce=false").codes()[-1]
    with pytest.raises(IllegalMove, match=r"and \d+ more\."):
        lonely().play(last)


def test_equal_cards_alone_change_nothing() -> None:
    """Eleven couples of the table are of equal cards; no two of them share a place."""
    assert len(anything()) == 3 * comb(25, 4) - comb(11, 2)
    assert ("1 3", "2 4") not in anything()
    assert {("1 3", "2 5"), ("1 2", "3 4")} <= anything()
    singles = steps(lonely(options="grace_must_produce=false,grace_shape=one_for_one"), "exchange")
    assert len(singles) == comb(25, 2) - 11


def test_productive_exchanges_are_some_of_all() -> None:
    assert steps(lonely(), "exchange") < anything()


def test_one_for_one_by_option() -> None:
    position = lonely(options="grace_shape=one_for_one")
    to_king, to_ace = (4, 9, 14, 19, 20, 21, 22, 23), (1, 2, 3, 4, 5, 10, 15, 20)
    wanted = {("0", str(place)) for place in to_king} | {(str(place), "24") for place in to_ace}
    assert steps(position, "exchange") == wanted
    assert table(play(position, "exchange", "0", "4"))[4] == "AC"
    assert steps(position, "pair") == {("4", "24")}


def test_at_any_time_the_fourteen_must_be_a_new_one() -> None:
    """Ace and king stand in one row: to exchange them is nothing new, to move one of them along is."""
    found = steps(lonely(king=4, options="grace_when=any_time,grace_shape=one_for_one"), "exchange")
    assert ("0", "4") not in found
    assert {("0", "1"), ("0", "24"), ("1", "4")} <= found
    assert ("6", "7") not in found


def test_a_card_may_go_to_a_gap_by_option() -> None:
    near_king, near_ace = (1, 2, 3, 4, 5, 10, 15, 20), (4, 9, 14, 19, 20, 21, 22, 23)
    position = finish(all_in_pairs("grace_targets=gaps_too,grace_shape=one_for_one", alone=24))
    found = steps(position, "exchange")
    assert found == {("24", str(place)) for place in near_king} | {("0", str(place)) for place in near_ace}
    play(position, "exchange", "0", "4")
    assert (table(position)[0], table(position)[4], steps(position, "exchange")) == ("", "7D", set())
    assert play(position, "pair", "4", "24").won


def test_two_cards_may_go_to_two_gaps_but_no_gap_to_a_gap() -> None:
    position = finish(all_in_pairs("grace_targets=gaps_too", alone=24))
    found = steps(position, "exchange")
    in_line = 100 - 16  # pairs of places in one line, without those of the two cards' places
    assert len(found) == 2 * in_line
    assert {("0 1", "3 24"), ("0 3", "1 24")} <= found | {(b, a) for a, b in found}
    move = find(position, "exchange", "0 3", "1 24")
    assert move.cards == (table(position)[0], table(position)[24])
    position.play(move)
    assert [place for place, card in enumerate(table(position)) if card] == [1, 3]
    assert steps(position, "pair") == {("1", "3")}
    assert finish(all_in_pairs(alone=24)).moves() == []
