"""The test facts of dossier 14, Fortress, through the Python door: what is legal, and what is not."""

import pytest

import sim
from sim.position import Position
from tests.engine import deck_with, flat, listed, play_texts

# The outside cards of rows 0 to 9; none fits on another, and none is an ace.
IDLE = "KC KS KH KD JC JS JH JD 9C 9S"
ONE_ROW_OF_SPADES = "5S 4S 3S 2S AS"  # the last row of the right-hand group, from its inner end
EMPTIED = tuple(f"play {card} foundation[3]" for card in ("AS", "2S", "3S", "4S", "5S"))


def deal(outside: str = "", options: str = "", top_left: str = "..*5", last: str = "") -> Position:
    """A deal with these cards outside; `top_left`: the rest of row 0, outermost first; `last`: all of row 9."""
    named = outside.split()
    out = named + [card for card in IDLE.split() if card not in [*named, *last.split()]][: 10 - len(named)]
    left, right = out[:5], out[5:]
    lines = [f"{left[0]} {top_left} ..*5 {right[0]}"]
    lines += [f"{left[i]} ..*4 ..*4 {right[i]}" for i in range(1, 4)]
    lines += [f"{left[4]} ..*4 {last or f'..*4 {right[4]}'}"]
    return sim.game(f"fortress({options})").deal(deck=deck_with(" ".join(lines)))


def test_two_rows_of_six_and_eight_of_five_dealt_straight_across() -> None:
    deck = deck_with("")
    rows = sim.game("fortress").deal(deck=deck).zones["tableau"]
    assert [len(row) for row in rows] == [6, 5, 5, 5, 5] * 2
    assert (rows[0], rows[5], rows[1], rows[6]) == (deck[5::-1], deck[6:12], deck[16:11:-1], deck[17:22])
    assert rows[9] == deck[47:]


def test_the_first_two_rows_of_the_left_group_by_option() -> None:
    deck = deck_with("")
    rows = sim.game("fortress(shape=two_rows_of_six_first)").deal(deck=deck).zones["tableau"]
    assert [len(row) for row in rows] == [6, 6, 5, 5, 5, 5, 5, 5, 5, 5]
    assert (rows[0], rows[5], rows[1]) == (deck[5::-1], deck[6:11], deck[16:10:-1])


def test_round_robin_deals_inner_ends_first() -> None:
    deck = deck_with("")
    rows = sim.game("fortress(dealing=round_robin)").deal(deck=deck).zones["tableau"]
    assert (rows[0], rows[1], rows[5]) == ([*deck[0:50:10], deck[50]], deck[1:50:10], [*deck[5:50:10], deck[51]])


def test_only_ten_cards_are_available() -> None:
    assert listed(deal()) == []
    outside = "8C 7C 2S AS 5H 6H 9D TD QC 2D"
    position = deal(outside)
    assert " ".join(row[-1] for row in position.zones["tableau"]) == outside
    assert {card for move in position.moves() for card in move.cards} == set(outside.split()) - {"QC", "2D"}


def test_marriages_in_suit_go_up_and_down_but_not_round() -> None:
    builds = listed(deal("8C 9S 9C AC"))
    assert builds == ["build 8C tableau[2]", "build 9C tableau[0]", "play AC foundation[0]"]
    assert [text for text in listed(deal("AC KC"), "build") if " KC " in text or " AC " in text] == []


def test_marriages_down_only_by_option() -> None:
    assert listed(deal("8C 9C", "marriages=down")) == ["build 8C tableau[1]"]


def test_an_outside_ace_goes_home_and_the_two_after_it() -> None:
    position = deal("AS 2S")
    assert "play 2S foundation[3]" not in listed(position)
    play_texts(position, "play AS foundation[3]", "play 2S foundation[3]")
    assert position.zones["foundation"] == [[], [], [], ["AS", "2S"]]


def test_the_king_follows_the_ace_only_when_foundations_go_down() -> None:
    play = "play KS foundation[3]"
    assert play not in listed(play_texts(deal("AS KS"), "play AS foundation[3]"))
    position = play_texts(deal("AS KS QS 2S", "foundation_direction=down_wrapped"), "play AS foundation[3]")
    assert listed(position, "play") == [play]
    assert listed(play_texts(position, play), "play") == ["play QS foundation[3]"]


def test_the_second_card_waits_for_the_first() -> None:
    position = deal("8C 9C", top_left="2H ..*4")
    assert not any(" 2H " in text for text in listed(position))
    play_texts(position, "build 8C tableau[1]")
    assert position.zones["tableau"][0][-1] == "2H"


def test_a_lane_takes_any_available_card_or_stays_empty() -> None:
    position = play_texts(deal(last=ONE_ROW_OF_SPADES), *EMPTIED)
    assert position.zones["tableau"][9] == []
    outside = [row[-1] for row in position.zones["tableau"][:9]]
    assert listed(position, "fill") == sorted(f"fill {card} tableau[9]" for card in outside)
    position = play_texts(deal("8C 9C", last=ONE_ROW_OF_SPADES), *EMPTIED, "build 8C tableau[1]")
    assert position.zones["tableau"][9] == []


def test_a_card_alone_in_its_row_does_not_move_to_a_lane() -> None:
    position = play_texts(
        deal("9H 8H", last="4S 3S 2S AS 7H"), "build 7H tableau[1]", *EMPTIED[:4], "fill 7H tableau[9]"
    )
    assert "fill 7H tableau[9]" not in listed(position)
    assert "build 7H tableau[1]" in listed(position)


def test_a_run_is_turned_round_along_a_lane_and_a_row_may_grow() -> None:
    position = deal("7H 8H", top_left="6H 5H 4H 3H 2H", last=ONE_ROW_OF_SPADES)
    play_texts(position, "build 8H tableau[0]")
    assert " ".join(position.zones["tableau"][0]) == "2H 3H 4H 5H 6H 7H 8H"
    play_texts(position, *EMPTIED, "fill 8H tableau[9]", *[f"build {rank}H tableau[9]" for rank in "765432"])
    assert " ".join(position.zones["tableau"][9]) == "8H 7H 6H 5H 4H 3H 2H"
    assert position.zones["tableau"][0] == []


def test_two_cards_move_together_only_with_sequence() -> None:
    for first, target in (("9D", "TD"), ("8D", "7D")):
        second = {"9D": "8D", "8D": "9D"}[first]
        cards = f"build {first} {second} tableau[1]"
        assert cards not in listed(deal(f"{second} {target}", top_left=f"{first} ..*4"))
        position = deal(f"{second} {target}", "move_unit=sequence", top_left=f"{first} ..*4")
        assert cards in listed(position)
        assert play_texts(position, cards).zones["tableau"][1][-3:] == [target, first, second]


def test_a_run_goes_as_marriages_go() -> None:
    upward = {"outside": "9D 7D", "top_left": "8D ..*4"}
    assert listed(deal(options="marriages=down,move_unit=sequence", **upward)) == []
    downward = {"outside": "8D TD", "top_left": "9D ..*4"}
    assert "build 9D 8D tableau[1]" in listed(deal(options="marriages=down,move_unit=sequence", **downward))


def test_a_played_card_comes_back_only_by_option() -> None:
    assert listed(play_texts(deal("AS 2S"), "play AS foundation[3]"), "return") == []
    position = play_texts(deal("AS 2S", "foundation_return=true"), "play AS foundation[3]")
    assert listed(position, "return") == ["return AS tableau[1]"]


@pytest.mark.parametrize("options", ["", "foundation_direction=down_wrapped"])
def test_won_with_all_cards_home(options: str) -> None:
    """Every row in the order of its suit: five rows of clubs and spades, then hearts and diamonds, go straight home."""
    order = "A23456789TJQK" if not options else "AKQJT98765432"
    suits = iter([rank + suit for suit in "CSHD" for rank in order])
    rows = [[next(suits) for _ in range(6 if row in (0, 5) else 5)][::-1] for row in range(10)]
    deck = [card for line in range(5) for card in (*rows[line][::-1], *rows[5 + line])]
    position = sim.game(f"fortress({options})").deal(deck=deck)
    assert position.zones["tableau"] == rows
    while not position.won:
        position.play(next(move for move in position.moves() if move.kind == "play"))
    assert (position.cards_home, position.moves(), len(flat(position.zones["tableau"]))) == (52, [], 0)
