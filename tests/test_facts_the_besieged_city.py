"""The Besieged City, dossier 19: its test facts on arranged decks. The reserve is dealt first, row by row, then the
ramparts, clockwise from the top left, then the stock."""

import random
from collections import Counter

import pytest

import sim
from sim.position import Position
from tests.engine import deck_with, flat, listed, play_texts

CITY = "the_besieged_city"
TURN = "turn turned[0]"
ORDER = "AK2Q3J4T5968778695T4J3Q2KA"
ENDS_OF_ROWS = [(3, 13), (4, 12), (5, 11), (6, 10)]
ENDS_OF_COLUMNS = [(0, 9), (1, 8), (2, 7)]
SPADES = [f"{rank}S" for rank in ORDER]


def dots(cards: str, size: int) -> list[str]:
    """The cards, and as many others as are missing; unnamed cards are kings, queens, jacks, …"""
    named = cards.split()
    return named + [".."] * (size - len(named))


def deal(ramparts: str = "", reserve: str = "", options: str = "", stock: str = "") -> Position:
    """A deal with these ramparts, this reserve, and this beginning of the stock."""
    first = " ".join([*dots(reserve, 12), *dots(ramparts, 14), stock])
    return sim.game(f"{CITY}({options})").deal(deck=deck_with(first, 2))


def ended(ramparts: str = "", reserve: str = "", options: str = "") -> Position:
    """Stock and waste are out, only the spades are left; unnamed cards are spades in their order."""
    laid = [*dots(reserve, 12), *dots(ramparts, 14)]
    rest = sorted((Counter(SPADES) - Counter(laid)).elements(), key=SPADES.index)
    deck = [rest.pop(0) if card == ".." else card for card in laid]
    stock = [rank + suit for suit in "CDH" for rank in ORDER]
    position = sim.game(f"{CITY}({options})").deal(deck=deck + stock)
    for _ in stock:
        play_texts(position, TURN)
        position.play(next(move for move in position.moves() if move.source == "turned[0]"))
    return position


def moves(position: Position, *kinds: str) -> list[str]:
    """The legal moves of these kinds, with their sources, sorted."""
    return sorted(str(move) for move in position.moves() if move.kind in kinds)


def play_moves(position: Position, *wanted: str) -> Position:
    """Make the moves that read so, sources included."""
    for one in wanted:
        legal = {str(move): move for move in position.moves()}
        assert one in legal, f"{one} is none of {sorted(legal)} in\n{position}"
        position.play(legal[one])
    return position


def go_home(position: Position, *cards: str) -> Position:
    """Play cards of the ramparts; each vacancy takes the first card that may fill it."""
    for card in cards:
        play_texts(position, f"play {card} foundation[{'CDHS'.index(card[1])}]")
        while refills := [move for move in position.moves() if move.kind == "refill"]:
            position.play(refills[0])
    return position


def test_twelve_cards_fourteen_ramparts_and_a_stock() -> None:
    deck = deck_with("", 2)
    zones = sim.game(CITY).deal(deck=deck).zones
    assert flat(zones["reserve"]) == deck[:12]
    assert flat(zones["rampart"]) == deck[12:26]
    assert zones["stock"] == [deck[:25:-1]]
    assert [len(zones["reserve"]), len(zones["rampart"]), len(zones["stock"][0])] == [12, 14, 78]
    assert (zones["foundation"], zones["waste"], zones["turned"]) == ([[]] * 4, [[]], [[]])


def test_each_card_of_the_reserve_has_the_four_ramparts_at_the_ends_of_its_lines() -> None:
    for place in range(12):
        row, column = divmod(place, 3)
        ends = {*ENDS_OF_ROWS[row], *ENDS_OF_COLUMNS[column]}
        others = sorted({*range(14)} - ends)
        for tops in (ends, others[:4], others[4:8], others[6:]):
            takers = dict(zip(tops, ("9H", "9H", "7H", "7H"), strict=True))
            position = deal(" ".join(takers.get(at, "..") for at in range(14)), " ".join([".."] * place + ["8H"]))
            targets = {move.target for move in position.moves() if move.source == f"reserve[{place}]"}
            assert targets == ({f"rampart[{at}]" for at in ends} if tops is ends else set())


def test_each_rampart_is_the_end_of_one_line() -> None:
    assert sorted(flat([*ENDS_OF_ROWS, *ENDS_OF_COLUMNS])) == list(range(14))


def test_kings_follow_on_aces_then_deuces_queens_and_so_on() -> None:
    cards = [f"{rank}C" for rank in ORDER[:14]]
    position = deal(" ".join([*cards[1:], cards[0]]))
    for card in cards:
        assert set(listed(position, "play")) == {f"play {card} foundation[0]"}
        go_home(position, card)
    assert position.zones["foundation"][0] == cards


def test_no_deuce_on_an_ace_and_no_other_suit() -> None:
    position = go_home(deal("AC 2C KD"), "AC")
    assert not {"play 2C foundation[0]", "play KD foundation[0]"} & set(listed(position))


@pytest.mark.parametrize(
    ("card", "below", "links", "with_fourteen_only"),
    [
        ("8H", "9H", True, True),
        ("9H", "8H", True, True),
        ("QH", "2H", True, True),
        ("2H", "QH", True, True),
        ("3H", "QH", True, False),
        ("QH", "3H", True, False),
        ("KH", "AH", True, True),
        ("AH", "KH", True, True),
        ("KH", "2H", True, False),
        ("7H", "7H", True, True),
        ("8H", "7H", True, True),
        ("QS", "2H", False, False),
        ("8S", "9H", False, False),
        ("5H", "7H", False, False),
        ("AH", "AH", False, False),
        ("KH", "KH", False, False),
    ],
)
def test_links_of_the_ramparts(card: str, below: str, links: bool, with_fourteen_only: bool) -> None:
    wanted = f"build {card} rampart[0] -> rampart[1]"
    assert (wanted in moves(deal(f"{card} {below}"), "build")) == links
    assert (wanted in moves(deal(f"{card} {below}", options="order_links=sum14_only"), "build")) == with_fourteen_only


def test_both_directions_may_mix_in_a_rampart() -> None:
    position = play_moves(deal("8H 9H 9H TD"), "build 8H rampart[0] -> rampart[1]")
    position.play(position.moves()[0])
    play_moves(position, "build 9H rampart[2] -> rampart[1]")
    assert position.zones["rampart"][1] == ["9H", "8H", "9H"]


def test_reserve_cards_do_not_go_home() -> None:
    assert listed(deal("", "AC"), "play") == []
    assert moves(deal("AC", "AC"), "play") == ["play AC rampart[0] -> foundation[0]"]


def test_a_turned_card_that_fits_goes_home_or_to_the_waste_at_choice() -> None:
    position = play_texts(deal("", stock="AC"), TURN)
    assert listed(position) == ["deal AC waste[0]", "play AC foundation[0]"]
    assert position.zones["turned"] == [["AC"]]
    left = play_texts(position.copy(), "deal AC waste[0]")
    assert (left.zones["waste"], listed(left, "play")) == ([["AC"]], [])
    played = play_texts(position, "play AC foundation[0]")
    assert (played.zones["foundation"][0], played.zones["waste"]) == (["AC"], [[]])


def test_a_turned_card_that_fits_nowhere_goes_to_the_waste() -> None:
    assert play_texts(deal("9H", stock="8H"), TURN).zones["waste"] == [["8H"]]


def test_a_turned_card_may_have_to_go_home() -> None:
    position = play_texts(deal("", stock="AC 2C", options="turned_card=foundation_else_waste"), TURN, TURN)
    assert (position.zones["foundation"][0], position.zones["waste"]) == (["AC"], [["2C"]])


def test_a_turned_card_may_go_to_a_rampart_by_option() -> None:
    for options in ("stock_card_to_rampart=true", "stock_card_to_rampart=true,turned_card=foundation_else_waste"):
        position = play_texts(deal("9H", stock="8H 6S", options=options), TURN)
        assert listed(position) == ["build 8H rampart[0]", "deal 8H waste[0]"]
        play_texts(position, "build 8H rampart[0]", TURN)
        assert (position.zones["rampart"][0], position.zones["waste"]) == (["9H", "8H"], [["6S"]])


def test_waste_cards_pass_through_the_reserve() -> None:
    position = play_texts(deal("9H AC", stock="8H"), TURN)
    assert not [move for move in position.moves() if move.source == "waste[0]"]


def test_a_vacant_rampart_takes_a_card_of_its_line_and_the_waste_fills_the_place() -> None:
    position = play_texts(deal(".. .. .. .. AC", ".. .. .. 8H 6D 5S", stock="9D TS"), TURN)
    play_texts(position, "play AC foundation[0]")
    row = ["refill 5S reserve[5] -> rampart[4]", "refill 6D reserve[4] -> rampart[4]"]
    assert sorted(map(str, position.moves())) == [*row, "refill 8H reserve[3] -> rampart[4]"]
    play_moves(position, row[0])
    zones = position.zones
    assert (zones["rampart"][4], zones["reserve"][5], zones["waste"]) == (["5S"], ["9D"], [[]])
    assert zones["stock"][0][-1] == "TS"


def test_without_a_waste_the_stock_fills_the_place() -> None:
    position = go_home(deal("AC", "8H", stock="9D"), "AC")
    assert (position.zones["rampart"][0], position.zones["reserve"][0]) == (["8H"], ["9D"])


def test_a_column_has_four_cards_for_a_vacancy() -> None:
    position = play_texts(deal(".. .. .. .. .. .. .. .. AC"), "play AC foundation[0]")  # under column 2
    assert [move.source for move in position.moves()] == [f"reserve[{place}]" for place in (1, 4, 7, 10)]


def test_a_rampart_card_does_not_fill_a_vacancy() -> None:
    position = play_texts(deal("AC", options="rampart_fill=optional"), "play AC foundation[0]")
    to_it = [move for move in position.moves() if move.target == "rampart[0]"]
    assert [(move.kind, move.source) for move in to_it] == [("refill", f"reserve[{place}]") for place in (0, 3, 6, 9)]
    assert TURN in listed(position)


@pytest.mark.parametrize("end_transpose", ["free_rearrangement", "swap_two", "off"])
def test_transposition_begins_when_stock_and_waste_are_out(end_transpose: str) -> None:
    options = f"end_transpose={end_transpose}"
    position = ended(options=options)  # six pairs of twins are in the reserve
    assert len(moves(position, "exchange")) == (0 if end_transpose == "off" else 66 - 6)
    assert moves(deal(options=options), "exchange") == []


def test_transposition_waits_for_the_waste() -> None:
    position = deal(options="turned_card=foundation_else_waste")
    while TURN in listed(position):
        assert moves(position, "exchange") == []
        play_texts(position, TURN)
    assert (position.zones["stock"], moves(position, "exchange")) == ([[]], [])


def test_two_cards_change_places() -> None:
    position = play_moves(ended(reserve="KS AS"), "exchange KS reserve[0] -> reserve[1]")
    assert position.zones["reserve"][:2] == [["AS"], ["KS"]]


def test_equal_cards_do_not_change_places() -> None:
    exchanges = [move for move in ended(reserve="KS AS KS").moves() if move.kind == "exchange"]
    assert [move.target for move in exchanges if move.source == "reserve[0]"] == [
        f"reserve[{place}]" for place in (1, *range(3, 12))
    ]


def with_a_vacant_place(options: str = "") -> Position:
    """The king in the corner went on the ace at the end of the first row."""
    return play_moves(ended(".. .. .. AS", "KS", options), "build KS reserve[0] -> rampart[3]")


def test_a_card_goes_to_a_vacant_place() -> None:
    position = with_a_vacant_place()
    into = [move for move in position.moves() if (move.kind, move.target) == ("exchange", "reserve[0]")]
    assert [move.source for move in into] == [f"reserve[{place}]" for place in range(1, 12)]
    position.play(into[4])
    assert (position.zones["reserve"][0], position.zones["reserve"][5]) == ([*into[4].cards], [])
    swaps = with_a_vacant_place("end_transpose=swap_two")
    assert not [text for text in moves(swaps, "exchange") if "reserve[0]" in text]


def first_row_gone(keep_one: bool = False, options: str = "") -> Position:
    """The first row of the reserve is built away (or all but its last card); at its ends are a king and an ace."""
    ramparts = "2S 8S 4S KS" + " .." * 9 + " AS"
    steps = [
        "build QS reserve[0] -> rampart[0]",
        "build 9S reserve[1] -> rampart[1]",
        "build 5S reserve[2] -> rampart[2]",
    ]
    return play_moves(ended(ramparts, "QS 9S 5S", options), *steps[: 2 if keep_one else 3])


def test_a_rampart_stays_vacant_when_its_line_has_no_card() -> None:
    position = go_home(first_row_gone(), "AS")
    assert position.zones["rampart"][13] == []
    assert moves(position, "refill") == []
    assert moves(position, "build", "exchange")


def test_the_only_card_of_a_line_fills_the_vacancy_within_the_step() -> None:
    position = play_texts(first_row_gone(keep_one=True), "play AS foundation[3]")
    assert (position.zones["rampart"][13], position.zones["reserve"][:3]) == (["5S"], [[]] * 3)


def test_a_vacancy_is_due_again_when_a_transposition_brings_a_card() -> None:
    position = go_home(first_row_gone(), "AS")
    card = position.zones["reserve"][3][0]
    play_moves(position, f"exchange {card} reserve[3] -> reserve[0]")
    assert (position.zones["rampart"][13], position.zones["reserve"][0]) == ([card], [])


def test_one_card_for_two_vacancies_is_a_choice() -> None:
    position = go_home(first_row_gone(), "AS", "KS")
    card = position.zones["reserve"][4][0]
    play_moves(position, f"exchange {card} reserve[4] -> reserve[1]")
    both = [f"refill {card} reserve[1] -> rampart[{rampart}]" for rampart in (13, 3)]
    assert sorted(map(str, position.moves())) == both
    assert moves(play_moves(position, both[0]), "refill") == []


def test_a_vacancy_may_wait_by_option() -> None:
    position = play_texts(first_row_gone(True, "rampart_fill=optional"), "play AS foundation[3]")
    assert moves(position, "refill") == ["refill 5S reserve[2] -> rampart[13]"]
    assert moves(position, "build", "exchange")


def turned_out(options: str = "") -> Position:
    """The stock is out, and nothing has been played."""
    position = deal(options=options)
    while TURN in listed(position) or position.zones["turned"][0]:
        position.play(next(move for move in position.moves() if move.kind in ("turn", "deal")))
    return position


def test_there_is_no_redeal() -> None:
    assert listed(turned_out(), "turn", "redeal") == []


def test_a_redeal_turns_the_waste_over() -> None:
    position = turned_out("redeals=1")
    order = position.zones["waste"][0]
    assert (len(order), listed(position, "turn", "redeal")) == (78, ["redeal stock[0]"])
    play_texts(position, "redeal stock[0]")
    assert (position.zones["stock"][0], position.zones["waste"], position.redeals_left) == (order[::-1], [[]], 0)


RUN = "9H 8H 7H 9H 5H 2S QS"


def with_runs(options: str) -> Position:
    """9H 8H 7H on rampart 0, and QS on the deuce of rampart 5."""
    position = deal(RUN, "KD KC KS", options)
    for step in (
        "build 8H rampart[1] -> rampart[0]", "refill KC reserve[1] -> rampart[1]",
        "build 7H rampart[2] -> rampart[0]", "refill KS reserve[2] -> rampart[2]",
        "build QS rampart[6] -> rampart[5]",
    ):  # fmt: skip
        play_moves(position, step)
    position.play(position.moves()[0])
    return position


def test_a_run_moves_by_option_and_its_deepest_card_makes_the_link() -> None:
    runs = [str(move) for move in with_runs("move_unit=sequence").moves() if len(move.cards) > 1]
    assert runs == ["build 8H 7H rampart[0] -> rampart[3]", "build 9H 8H 7H rampart[0] -> rampart[4]"]


def test_single_cards_move_by_default() -> None:
    assert not [move for move in with_runs("").moves() if len(move.cards) > 1]


def test_a_run_that_turns_round_does_not_move_as_one() -> None:
    position = play_moves(deal("9H 8H 9H TH 7H", options="move_unit=sequence"), "build 8H rampart[1] -> rampart[0]")
    position.play(position.moves()[0])
    play_moves(position, "build 9H rampart[2] -> rampart[0]")
    position.play(position.moves()[0])
    runs = [str(move) for move in position.moves() if len(move.cards) > 1]
    assert runs == ["build 8H 9H rampart[0] -> rampart[4]"]


def test_won_with_four_packets_of_26() -> None:
    position = ended(" ".join(SPADES[:14]), " ".join(SPADES[14:]))
    dice = random.Random(0)
    while not position.over:
        plays = [move for move in position.moves() if move.kind == "play"]
        position.play(dice.choice(plays or position.moves()))
    assert (position.won, position.cards_home, position.moves()) == (True, 104, [])
    assert position.zones["foundation"] == [[rank + suit for rank in ORDER] for suit in "CDHS"]
