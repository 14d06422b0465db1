"""The Blockade, dossier 12: its test facts, and the states of its deal, on arranged decks."""

import pytest

import sim
from sim.errors import IllegalMove
from sim.position import Position
from tests.engine import deck_with, listed, play_texts

FIRST = [rank + suit for rank in "KJ" for suit in "CCSSHH"]  # a row with nothing to play or marry
SECOND = [rank + suit for rank in "97" for suit in "CCSSHH"]  # another, which marries nothing of the first
NEXT_ROW = "deal cells[12]"


def row(named: str, others: list[str] = FIRST) -> str:
    """A row that begins with these cards."""
    cards = named.split()
    return " ".join(cards + others[: 12 - len(cards)])


def deal(first: str = "", options: str = "") -> Position:
    """The first row is dealt; the other cards follow in the stock."""
    return sim.game(f"the_blockade({options})").deal(deck=deck_with(first, 2))


def two_rows(first: str, second: str, stock: str = "", options: str = "") -> Position:
    """Rows that begin with these cards."""
    return play_texts(deal(f"{row(first)} {row(second, SECOND)} {stock}", options), NEXT_ROW)


def dealt_out(first: str, options: str = "") -> Position:
    """Rows are dealt until the pack is out."""
    position = deal(first, options)
    while listed(position, "deal"):
        position.play(next(move for move in position.moves() if move.kind == "deal"))
    return position


def cells(position: Position, *numbers: int) -> list[str]:
    """These cells, as text."""
    dealt = position.zones["cells"]
    return [" ".join(dealt[number]) if number < len(dealt) else "" for number in numbers]


def full_cells(position: Position) -> int:
    return sum(map(bool, position.zones["cells"]))


def test_the_first_row_has_twelve_cards() -> None:
    position = deal(f"{row('')} 5D")
    zones = position.zones
    assert zones["cells"][:12] == [[card] for card in FIRST]
    assert (full_cells(position), len(zones["cells"])) == (12, 12)
    assert (len(zones["stock"][0]), zones["stock"][0][-1], zones["foundation"]) == (92, "5D", [[]] * 8)
    assert listed(position) == [NEXT_ROW]


class TestDeal:
    """While a row is dealt, aces may be played as they appear, and nothing else."""

    def test_an_ace_may_be_played_as_it_appears_a_two_may_not(self) -> None:
        position = deal(f"{row('AC 2C AD JD QD')} JD")
        assert listed(position) == ["deal cells[0]", "play AC foundation[0]"]
        play_texts(position, "play AC foundation[0]")
        assert cells(position, 0, 1, 2) == ["2C", "AD", ""]
        assert listed(position) == ["deal cells[1]", "play AD foundation[2]"]
        play_texts(position, "deal cells[1]")
        marriages = ["build JD cells[3]"] * 2
        assert listed(position) == [*marriages, NEXT_ROW, "play 2C foundation[0]", "play AD foundation[2]"]

    def test_the_gap_takes_the_next_card_be_it_an_ace(self) -> None:
        position = play_texts(deal(f"AC AD {row('')}"), "play AC foundation[0]")
        assert (cells(position, 0, 1), listed(position)) == (["AD", ""], ["deal cells[0]", "play AD foundation[2]"])
        play_texts(position, "play AD foundation[2]")
        assert position.zones["cells"][:12] == [[card] for card in FIRST]
        assert len(position.zones["stock"][0]) == 90

    def test_an_ace_that_is_left_waits_for_the_end_of_the_row(self) -> None:
        position = play_texts(deal(row("AC AD")), "deal cells[0]")
        assert listed(position) == ["deal cells[1]", "play AD foundation[2]"]
        play_texts(position, "deal cells[1]")
        assert listed(position) == [NEXT_ROW, "play AC foundation[0]", "play AD foundation[2]"]
        assert cells(play_texts(position, "play AC foundation[0]"), 0) == [""]

    def test_the_deal_stops_at_an_ace_that_is_the_last_of_its_row(self) -> None:
        position = deal(" ".join([*FIRST[:11], "AS 5D"]))
        assert listed(position) == ["deal cells[11]", "play AS foundation[6]"]
        assert cells(play_texts(position.copy(), "play AS foundation[6]"), 11, 12) == ["5D", ""]
        assert listed(play_texts(position, "deal cells[11]")) == [NEXT_ROW, "play AS foundation[6]"]

    def test_later_rows_are_dealt_alike(self) -> None:
        position = two_rows("", "5D AD", "8D")
        assert listed(position) == ["deal cells[13]", "play AD foundation[2]"]
        play_texts(position, "play AD foundation[2]")
        assert cells(position, 12, 13, 23) == ["5D", "9C", "8D"]

    def test_forced_aces_go_home_by_themselves(self) -> None:
        position = deal(f"AC 9D AD AC {row('')}", "ace_play_in_deal=forced")
        assert (cells(position, 0, 1, 11), position.cards_home) == (["9D", "KC", "JH"], 3)
        assert position.zones["foundation"][:3] == [["AC"], ["AC"], ["AD"]]

    def test_a_gap_left_till_the_row_is_complete_is_a_vacancy_like_others(self) -> None:
        position = deal(f"{row('QD AC')} 5D 8D", "ace_gap=left_till_row_complete")
        play_texts(position, "play AC foundation[0]")
        assert (cells(position, 0, 1, 2, 11), full_cells(position)) == (["QD", "", "KC", "JS"], 11)
        assert listed(position) == ["refill cells[1]"]
        assert cells(play_texts(position, "refill cells[1]"), 1) == ["5D"]

    @pytest.mark.parametrize("options", ["", ",ace_play_in_deal=forced"])
    def test_such_a_gap_does_not_wait_when_no_vacancy_does(self, options: str) -> None:
        position = deal(f"{row('QD AC')} 5D", "ace_gap=left_till_row_complete,refill_timing=after_each_move" + options)
        play_texts(position, *["play AC foundation[0]"] * (not options))
        assert (cells(position, 0, 1, 2), listed(position)) == (["QD", "5D", "KC"], [NEXT_ROW])

    def test_an_ace_that_refilling_brings_is_an_ordinary_card(self) -> None:
        position = play_texts(deal(f"{row('QD JD')} AH"), "build JD cells[0]", "refill cells[1]")
        assert (cells(position, 1), listed(position)) == (["AH"], [NEXT_ROW, "play AH foundation[4]"])


class TestPlay:
    """Marriages, blocked cards, vacancies."""

    @pytest.mark.parametrize(("pair", "builds"), [("JD QD", ["build JD cells[1]"]), ("TD JH", []), ("TD QD", [])])
    def test_marriages_descend_in_suit(self, pair: str, builds: list[str]) -> None:
        assert listed(deal(row(pair)), "build") == builds

    def test_a_card_of_a_higher_row_is_blocked_by_the_one_beneath_it(self) -> None:
        assert listed(two_rows("JD 2D", "QD 5D")) == ["deal cells[24]"]
        assert listed(two_rows("2D QD", "AD JD")) == ["deal cells[12]", "play AD foundation[2]"]
        blocked, free = two_rows("JD QD", "5D"), deal(row("JD QD"))
        with pytest.raises(IllegalMove):
            blocked.play(free.moves()[0])

    def test_the_removal_of_a_lower_card_releases_it(self) -> None:
        position = play_texts(two_rows("KD JD 3D", "5D 9D TD", "8D 6C"), "build 9D cells[14]")
        assert (cells(position, 1, 13, 14), full_cells(position)) == (["JD", "", "TD 9D"], 23)
        assert listed(position) == ["refill cells[13]"]
        position = two_rows("KD QD", "KD 9D TD", "8D 6C")
        assert listed(position) == ["build 9D cells[14]", "deal cells[24]"]
        play_texts(position, "build 9D cells[14]")
        assert listed(position) == ["build QD cells[12]", "refill cells[13]"]
        play_texts(position, "build QD cells[12]")
        assert (cells(position, 1, 12, 13), listed(position)) == (["", "KD QD", ""], ["refill cells[1]"])

    def test_higher_rows_are_refilled_first_each_from_left_to_right(self) -> None:
        position = two_rows("KD QD 4D", "KD 9D 6D TD 5D", "8D 2H 2S 2C")
        play_texts(position, "build 5D cells[14]", "build 9D cells[15]", "build QD cells[12]")
        assert listed(position) == ["refill cells[1]"]
        play_texts(position, "refill cells[1]")
        assert (cells(position, 1, 13, 16), position.zones["stock"][0][-1]) == (["8D", "2H", "2S"], "2C")

    def test_a_married_pile_occupies_one_cell(self) -> None:
        position = play_texts(deal(f"{row('QD JD')} QD 5S"), "build JD cells[0]", "refill cells[1]")
        assert (cells(position, 0, 1), listed(position)) == (["QD JD", "QD"], ["build JD cells[1]", NEXT_ROW])
        play_texts(position, "build JD cells[1]")
        assert (cells(position, 0, 1), listed(position, "refill")) == (["QD", "QD JD"], [])

    def test_no_card_of_the_table_goes_to_a_vacancy_and_no_row_is_dealt_over_one(self) -> None:
        position = play_texts(deal(row("QD JD")), "build JD cells[0]")
        assert listed(position) == ["refill cells[1]"]
        position = play_texts(deal(f"{row('QD JD')} 5D", "row_needs_no_vacancy=false"), "build JD cells[0]")
        assert listed(position) == [NEXT_ROW, "refill cells[1]"]
        play_texts(position, NEXT_ROW)
        assert (cells(position, 1, 12), listed(position, "refill")) == (["", "5D"], ["refill cells[1]"])

    def test_by_option_no_vacancy_waits(self) -> None:
        position = play_texts(deal(f"{row('QD JD')} 5D", "refill_timing=after_each_move"), "build JD cells[0]")
        assert (cells(position, 0, 1), listed(position)) == (["QD JD", "5D"], [NEXT_ROW])

    def test_by_option_a_bout_goes_on_until_no_move_is_left(self) -> None:
        first = f"{row('QD JD 4D 3D')} 8D 2H"
        position = deal(first, "bout_ends=when_no_move")
        assert listed(position) == ["build 3D cells[2]", "build JD cells[0]"]
        assert listed(play_texts(position, "build JD cells[0]")) == ["build 3D cells[2]"]
        assert listed(play_texts(position, "build 3D cells[2]")) == ["refill cells[1]"]
        assert listed(play_texts(deal(first), "build JD cells[0]")) == ["build 3D cells[2]", "refill cells[1]"]

    def test_runs_move_only_with_sequence(self) -> None:
        first = row("QD JD KD")
        assert listed(play_texts(deal(first), "build JD cells[0]"), "build") == []
        position = play_texts(deal(first, "move_unit=sequence"), "build JD cells[0]")
        assert listed(position, "build") == ["build QD JD cells[2]"]
        assert cells(play_texts(position, "build QD JD cells[2]"), 0, 2) == ["", "KD QD JD"]

    def test_foundation_cards_come_back_by_option(self) -> None:
        played = ("deal cells[0]", "play AC foundation[0]")
        assert listed(play_texts(deal(row("AC 2C")), *played), "return") == []
        position = play_texts(deal(row("AC 2C"), "foundation_return=true"), *played)
        assert listed(position, "return") == ["return AC cells[1]"]
        assert cells(play_texts(position, "return AC cells[1]"), 1) == ["2C AC"]


class TestEnd:
    """When the pack is out."""

    def test_nine_rows_the_last_not_whole(self) -> None:
        position = dealt_out("")
        assert (full_cells(position), cells(position, 104), listed(position, "refill")) == (104, [""], [])

    def test_vacancies_remain_and_nothing_is_dealt_again(self) -> None:
        position = play_texts(dealt_out(""), "play AC foundation[0]")
        vacant = [number for number in range(104) if cells(position, number) == [""]]
        assert (len(vacant), listed(position, "refill", "redeal", "fill", "deal", "turn")) == (1, [])

    def test_by_option_the_highest_vacancy_of_another_column_takes_any_card(self) -> None:
        position = play_texts(dealt_out("", "end_vacancy=any_card"), "play AC foundation[0]")
        vacant = next(number for number in range(104) if cells(position, number) == [""])
        fills = [move for move in position.moves() if move.kind == "fill"]
        assert {move.target for move in fills} == {f"cells[{vacant}]"}
        assert len(fills) == 11
        position.play(fills[0])
        assert cells(position, vacant) == list(fills[0].cards)

    def test_an_ace_gap_stays_vacant_when_the_pack_is_out(self) -> None:
        deck = deck_with("", 2)
        deck.remove("AC")
        position = sim.game("the_blockade(end_vacancy=any_card)").deal(deck=[*deck, "AC"])
        while position.zones["stock"][0]:
            position.play(next(move for move in position.moves() if move.kind == "deal"))
        assert listed(position) == ["deal cells[103]", "play AC foundation[0]"]
        play_texts(position, "play AC foundation[0]")
        assert {move.target for move in position.moves() if move.kind == "fill"} == {"cells[103]"}

    def test_won_with_all_cards_home(self) -> None:
        position = deal(" ".join(f"{rank}{suit}*2" for rank in "A23456789TJQK" for suit in "CSHD"))
        while not position.over:
            legal = position.moves()
            position.play(next((move for move in legal if move.kind == "play"), legal[0]))
        assert (position.won, position.cards_home, position.moves()) == (True, 104, [])


class TestColumns:
    """PySolFC's game: rows fall on columns, in one go."""

    def test_a_row_falls_on_the_columns_aces_and_all(self) -> None:
        position = deal(f"{row('AC QD JD')} AD 5D", "pysolfc")
        assert position.zones["tableau"] == [[card] for card in row("AC QD JD").split()]
        assert listed(position) == ["build JD tableau[1]", "deal tableau[0]", "play AC foundation[0]"]
        play_texts(position, "deal tableau[0]")
        assert position.zones["tableau"][:2] == [["AC", "AD"], ["QD", "5D"]]

    def test_an_empty_column_is_refilled_at_once(self) -> None:
        position = play_texts(deal(f"{row('QD JD')} 5D", "pysolfc"), "build JD tableau[0]")
        assert position.zones["tableau"][:2] == [["QD", "JD"], ["5D"]]

    def test_in_the_end_an_empty_column_takes_any_run(self) -> None:
        clubs = [f"{rank}C" for rank in "98765432A"]
        deck = deck_with(" ".join(clubs), 2)[9:]
        for place, card in enumerate(clubs):
            deck.insert(12 * place, card)  # the first column
        position = sim.game("the_blockade(pysolfc)").deal(deck=deck)
        while position.zones["stock"][0]:
            play_texts(position, "deal tableau[0]")
        assert listed(position, "fill") == []
        while position.zones["tableau"][0]:
            position.play(next(move for move in position.moves() if (move.kind, move.source) == ("play", "tableau[0]")))
        fills = [move for move in position.moves() if move.kind == "fill"]
        assert {move.target for move in fills} == {"tableau[0]"}
        assert {move.source for move in fills} == {f"tableau[{column}]" for column in range(1, 12)}
        assert listed(position, "return", "deal", "refill") == ["return 9C tableau[0]"]

    def test_only_a_vacant_column_is_refilled(self) -> None:
        position = play_texts(deal(f"{row('QD JD')} 5D", "table=columns"), "build JD tableau[0]")
        assert listed(position) == ["refill tableau[1]"]
        assert position.zones["tableau"][1] == []
