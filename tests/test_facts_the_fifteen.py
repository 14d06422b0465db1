"""The test facts of dossier 07, The Fifteen, through the Python door: what is legal, and what is not."""

import random

import pytest

import sim
from sim.errors import IllegalMove
from sim.position import Position
from tests.engine import deck_with, listed, play_texts
from tests.referee import Table

SHORT = 14  # the last column, of six cards
# The lowest cards of the columns; none fits on another, and none begins a foundation.
IDLE = [rank + suit for suit in "CSH" for rank in "2468TQ"][:15]
# What lies above them, in the sixth row: nothing that begins a foundation but, where a grace is wanted, AC and KD.
PLAIN = [rank + suit for suit in "CSH" for rank in "3579J"][:14]
SIXTH = [*PLAIN[:3], "AC", *PLAIN[4:7], "KD", *PLAIN[8:]]
GRACE = ["draw AC KD tableau[7]", "draw AC foundation[0]", "draw KD foundation[3]"]


def deal(lowest: str = "", options: str = "", sixth: list[str] = PLAIN, fifth: str = "..") -> Position:
    """A deal with these cards lowest in the first columns, idle ones in the others; `fifth`: column 0's fifth card."""
    low = lowest.split() + IDLE[len(lowest.split()) :]
    words = ["..*60", fifth, "..*14", *sixth, low[SHORT], *low[:SHORT]]
    return sim.game(f"the_fifteen({options})").deal(deck=deck_with(" ".join(words), 2))


def with_change(cards: list[str], column: int, card: str) -> list[str]:
    return [*cards[:column], card, *cards[column + 1 :]]


def test_fourteen_columns_of_seven_and_one_of_six() -> None:
    cards = deck_with("", 2)
    columns = sim.game("the_fifteen").deal(deck=cards).zones["tableau"]
    assert [len(column) for column in columns] == [7] * 14 + [6]
    assert (columns[0], columns[14]) == (cards[0::15], cards[14::15])


def test_marriages_in_suit_go_up_and_down_but_not_round() -> None:
    builds = listed(deal("7D 8D 8H"), "build")
    assert builds == ["build 7D tableau[1]", "build 8D tableau[0]"]
    assert listed(deal("AD KD"), "build") == []


def test_a_covered_card_waits() -> None:
    position = deal("7D 8D", sixth=with_change(PLAIN, 0, "9H"))
    assert not any(" 9H " in text for text in listed(position))
    assert play_texts(position, "build 7D tableau[1]").zones["tableau"][0][-1] == "9H"


def emptied() -> Position:
    """Column 0 held clubs, which have gone home; column 1 ends with a run from the ten of spades down to the five."""
    rows = "7C TH ..*13 6C TS ..*13 5C 9S ..*13 4C 8S ..*13 3C 7S ..*13 2C 6S ..*12 QD"
    lowest = "AC 5S 4S 3S 2H 4H 6H 8H QH 2D 4D 6D 8D TD"
    position = sim.game("the_fifteen").deal(deck=deck_with(f"{rows} {lowest}", 2))
    return play_texts(position, *[f"play {rank}C foundation[0]" for rank in "A234567"])


def test_a_lane_takes_any_available_card_or_stays_empty() -> None:
    position = emptied()
    assert position.zones["tableau"][0] == []
    lowest = [column[-1] for column in position.zones["tableau"][1:]]
    assert listed(position, "fill") == sorted(f"fill {card} tableau[0]" for card in lowest)
    assert play_texts(position, "build 4S tableau[1]").zones["tableau"][0] == []


def test_a_run_is_turned_round_on_to_a_lane_card_by_card() -> None:
    position = play_texts(emptied(), "build 4S tableau[1]", "build 3S tableau[1]")
    assert " ".join(position.zones["tableau"][1][1:]) == "TS 9S 8S 7S 6S 5S 4S 3S"
    play_texts(position, "fill 3S tableau[0]", *[f"build {rank}S tableau[0]" for rank in "456789T"])
    assert " ".join(position.zones["tableau"][0]) == "3S 4S 5S 6S 7S 8S 9S TS"


def test_two_cards_move_together_only_with_sequence() -> None:
    sixth = with_change(PLAIN, 0, "9D")
    for options, legal in (("", False), ("move_unit=sequence", True)):
        assert ("build 9D 8D tableau[1]" in listed(deal("8D TD", options, sixth))) == legal


def test_the_grace_takes_an_ace_a_king_or_both() -> None:
    position = deal(sixth=SIXTH)
    assert listed(position) == GRACE
    zones = play_texts(position.copy(), GRACE[0]).zones
    assert (zones["foundation"][0], zones["foundation"][3]) == (["AC"], ["KD"])
    assert (zones["tableau"][3][5:], zones["tableau"][7][5:]) == ([IDLE[3]], [IDLE[7]])
    alone = play_texts(position.copy(), GRACE[1])
    assert (alone.cards_home, alone.zones["tableau"][3][5:]) == (1, [IDLE[3]])
    assert listed(alone, "draw") == []


def test_the_blocking_card_is_available_after_the_grace() -> None:
    position = deal(sixth=with_change(PLAIN, 0, "AC"))
    play_texts(position, "draw AC foundation[0]")
    assert listed(position, "play") == ["play 2C foundation[0]"]


def test_each_ace_with_each_king() -> None:
    sixth = with_change(with_change(SIXTH, 5, "AC"), 11, "AH")
    draws = listed(deal(sixth=sixth), "draw")
    assert draws.count("draw AC KD tableau[7]") == 2
    assert [text for text in draws if "AH" in text] == ["draw AH KD tableau[7]", "draw AH foundation[4]"]


@pytest.mark.parametrize("options", ["", "grace_row=second_lowest_card", "grace_condition=before_any_move"])
def test_no_grace_while_a_card_can_be_played_or_once_one_has_been(options: str) -> None:
    position = deal("AS", options, SIXTH)
    assert listed(position, "draw") == []
    assert listed(play_texts(position, "play AS foundation[6]"), "draw") == []
    draw = next(move for move in deal("", options, SIXTH).moves() if move.kind == "draw")
    with pytest.raises(IllegalMove):
        position.play(draw)


def test_no_grace_by_option() -> None:
    assert listed(deal("", "opening_grace=off", SIXTH)) == []


def test_the_grace_stands_beside_marriages_and_after_them() -> None:
    position = deal("7D 8D", sixth=SIXTH)
    assert listed(position, "draw") == GRACE
    assert listed(position, "build") == ["build 7D tableau[1]", "build 8D tableau[0]"]
    assert listed(play_texts(position, "build 7D tableau[1]"), "draw") == GRACE
    first = deal("7D 8D", "grace_condition=before_any_move", SIXTH)
    assert listed(first, "draw") == GRACE
    assert listed(play_texts(first, "build 7D tableau[1]"), "draw") == []


def test_a_card_under_two_is_out_of_reach_until_one_is_taken_off() -> None:
    position, draw = deal("7D 8D 9D", sixth=with_change(PLAIN, 0, "AC")), "draw AC foundation[0]"
    assert listed(position, "draw") == [draw]
    assert listed(play_texts(position, "build 8D tableau[0]"), "draw") == []
    assert listed(play_texts(position, "build 8D tableau[2]"), "draw") == [draw]


@pytest.mark.parametrize(("options", "aces"), [("", []), ("grace_row=second_lowest_card", ["AH"])])
def test_the_second_lowest_card_in_any_row_only_by_option(options: str, aces: list[str]) -> None:
    position = play_texts(deal("7D 8D", options, fifth="AH"), "build 7D tableau[1]")
    assert [text for text in listed(position, "draw") if " AH " in text] == [
        f"draw {ace} foundation[4]" for ace in aces
    ]


@pytest.mark.parametrize(("options", "aces"), [("", []), ("grace_row=second_lowest_card", ["AC"])])
def test_a_card_that_has_left_the_sixth_row_does_not_count_there(options: str, aces: list[str]) -> None:
    """The ace goes away, and comes back to its place under another card."""
    position = deal("7D 8D 2C", options, with_change(PLAIN, 0, "AC"), fifth="2C")
    play_texts(position, "build 7D tableau[1]", "build AC tableau[2]", "build AC tableau[0]", "build 2C tableau[0]")
    assert position.zones["tableau"][0][4:] == ["2C", "AC", "2C"]
    assert [text for text in listed(position, "draw") if " AC " in text] == [
        f"draw {ace} foundation[0]" for ace in aces
    ]


def test_the_short_column_is_available_and_held_only_by_option() -> None:
    lowest = " ".join([*IDLE[:SHORT], "7D"]).replace("2C", "8D")
    assert "build 7D tableau[0]" in listed(deal(lowest))
    position = deal(lowest, "short_column=not")
    assert listed(position, "build") == ["build 8D tableau[14]"]
    play_texts(position, "build 8D tableau[14]")
    assert position.zones["tableau"][SHORT][-2:] == ["7D", "8D"]
    assert not any(" 7D " in text for text in listed(position))


def test_the_held_card_moves_when_a_card_has_been_taken_off_again() -> None:
    """But not together with it."""
    lowest = f"8D 9D 6D {' '.join(IDLE[3:SHORT])} 7D"
    position = play_texts(deal(lowest, "short_column=not,move_unit=sequence"), "build 8D tableau[14]")
    assert [text for text in listed(position, "build") if "D" in text] == [
        "build 8D tableau[1]",
        "build 9D tableau[14]",
    ]
    play_texts(position, "build 8D tableau[1]")
    assert "build 7D tableau[1]" in listed(position)


def test_a_held_ace_cannot_be_played_and_does_not_forbid_the_grace() -> None:
    position = deal(" ".join([*IDLE[:SHORT], "AC"]), "short_column=not", SIXTH)
    assert listed(position, "play", "draw") == GRACE
    assert listed(deal(" ".join([*IDLE[:SHORT], "AC"]), "", SIXTH), "play", "draw") == ["play AC foundation[0]"]


def test_the_second_ace_waits_for_the_two_of_the_packet_that_goes_down() -> None:
    position = play_texts(deal("AC AC KC"), "play AC foundation[0]")
    assert listed(position, "play") == ["play KC foundation[1]"]
    play_texts(position, "play KC foundation[1]")
    assert position.zones["foundation"][:2] == [["AC"], ["KC"]]


def test_no_stock_and_no_redeal() -> None:
    position = deal()
    assert (position.zones["stock"], position.redeals_left, position.over) == ([[]], 0, True)


def test_a_foundation_card_comes_back_only_by_option() -> None:
    assert listed(play_texts(deal("AC"), "play AC foundation[0]"), "return") == []
    lowest = "AC 4C 2C"
    position = play_texts(deal(lowest, "foundation_return=true"), "play AC foundation[0]")
    assert listed(position, "return") == ["return AC tableau[2]"]


@pytest.mark.parametrize("number", range(6))
def test_the_twin_agrees_where_the_grace_is_due(number: int) -> None:
    """Shuffled decks with no ace or king lowest and many in the sixth row."""
    dice = random.Random(number)
    options = ["", "grace_row=second_lowest_card", "short_column=not", "short_column=not,move_unit=sequence"]
    options += ["foundation_return=true", "grace_row=second_lowest_card,short_column=not,foundation_return=true"]
    seen = 0
    for _ in range(6):
        table = Table(f"the_fifteen({options[number]})", 0, graced(dice))
        for _ in range(40):
            steps = table.agree()
            draws = [step for step in steps if step.kind == "draw"]
            seen += bool(draws)
            if not steps:
                break
            table.play(dice.choice(draws if draws and dice.random() < 0.1 else steps))
    assert seen > 6


def graced(dice: random.Random) -> list[str]:
    """A shuffled deck; aces and kings that would lie lowest change places with cards of the sixth row."""
    cards = deck_with("", 2)
    dice.shuffle(cards)
    sixth = [place for place in range(75, 89) if cards[place][0] not in "AK"]
    for place in range(89, 104):
        if cards[place][0] in "AK":
            other = sixth.pop()
            cards[place], cards[other] = cards[other], cards[place]
    return cards
