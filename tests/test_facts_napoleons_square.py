"""The test facts of dossier 22, Napoleon's Square, through the Python door on arranged decks."""

import random

import pytest

import sim
from sim.errors import IllegalMove
from sim.position import Position
from tests import splitmix
from tests.engine import deck_with, listed, play_texts
from tests.referee import Table

TURN = "turn waste[0]"
UNSEEN = "fill tableau[0]"
QUEENS = "QC QC QS QS QH QH QD QD"  # as upper cards nothing can be built on them, and they stay where they are
SPADES = "4S 3S 2S AS"  # a packet that can be played home at once
EMPTIED = tuple(f"play {card} foundation[6]" for card in ("AS", "2S", "3S", "4S"))


def packets(uppers: str) -> str:
    """Packets of four of which only the upper cards matter."""
    return " ".join(f"..*3 {card}" for card in uppers.split())


class TestSquare:
    """Dossier 22. Every fourth of the first 48 cards is the upper card of a packet."""

    ONE_PLACE_OF_SPADES = f"{SPADES} {packets('5H 9D 2C ' + QUEENS)} 7D 8C"

    def deal(self, first: str = "", options: str = "", seed: int = 0) -> Position:
        return sim.game(f"napoleons_square({options})").deal(seed=seed, deck=deck_with(first, 2))

    def test_twelve_packets_of_four_and_a_stock(self) -> None:
        zones = self.deal("2C 3C 4C 5C 6D ..*43 QS JS").zones
        assert [len(pile) for pile in zones["tableau"]] == [4] * 12
        assert (zones["tableau"][0], zones["tableau"][1][0]) == (["2C", "3C", "4C", "5C"], "6D")
        assert (zones["waste"], len(zones["stock"][0]), zones["stock"][0][-2:]) == ([[]], 56, ["JS", "QS"])
        assert zones["foundation"] == [[]] * 8

    def test_marriages_descend_in_suit(self) -> None:
        position = self.deal(packets(f"9D TD TH 2C {QUEENS}"))
        assert listed(position) == ["build 9D tableau[1]", TURN]

    def test_the_card_beneath_waits(self) -> None:
        position = self.deal(f"..*2 AS 9D {packets('TD 2C 2H ' + QUEENS)}")
        assert listed(position) == ["build 9D tableau[1]", TURN]
        assert "play AS foundation[6]" in listed(play_texts(position, "build 9D tableau[1]"))

    def test_a_vacancy_is_filled_from_the_waste_or_unseen_from_the_stock_not_from_the_square(self) -> None:
        position = play_texts(self.deal(self.ONE_PLACE_OF_SPADES), *EMPTIED)
        assert listed(position) == [UNSEEN, TURN]
        assert play_texts(position.copy(), UNSEEN).zones["tableau"][0] == ["7D"]
        play_texts(position, TURN)
        assert listed(position) == ["fill 7D tableau[0]", UNSEEN, TURN]
        assert play_texts(position, "fill 7D tableau[0]").zones["tableau"][0] == ["7D"]

    def test_a_vacancy_may_stay_empty(self) -> None:
        position = play_texts(self.deal(self.ONE_PLACE_OF_SPADES), *EMPTIED, TURN, TURN, TURN)
        assert (position.zones["tableau"][0], len(position.zones["waste"][0])) == ([], 3)
        assert {UNSEEN, TURN} < set(listed(position))

    def test_the_unseen_card_needs_a_stock(self) -> None:
        position = play_texts(self.deal(self.ONE_PLACE_OF_SPADES), *EMPTIED, *[TURN] * 55)
        assert {UNSEEN, TURN} < set(listed(position))
        assert not {UNSEEN, TURN} & set(listed(play_texts(position, TURN)))

    def test_with_any_card_the_square_may_fill_too(self) -> None:
        position = play_texts(self.deal(self.ONE_PLACE_OF_SPADES, "vacancy_source=any_card"), *EMPTIED)
        assert {"fill 5H tableau[0]", "fill 9D tableau[0]", UNSEEN} < set(listed(position, "fill"))

    def test_two_cards_move_together_only_with_sequence(self) -> None:
        first = f"..*2 9S 8S {packets('TS 2C 2H ' + QUEENS)}"
        assert listed(self.deal(first)) == [TURN]
        position = self.deal(first, "move_unit=sequence")
        assert listed(position) == ["build 9S 8S tableau[1]", TURN]
        assert play_texts(position, "build 9S 8S tableau[1]").zones["tableau"][1][-3:] == ["TS", "9S", "8S"]

    @pytest.mark.parametrize(("source", "runs"), [("waste_or_stock", []), ("any_card", ["fill 9H 8H tableau[0]"])])
    def test_a_run_fills_where_the_square_may_fill(self, source: str, runs: list[str]) -> None:
        first = f"{SPADES} ..*2 9H 8H {packets('2C 2D ' + QUEENS)}"
        position = self.deal(first, f"move_unit=sequence,vacancy_source={source}")
        assert [fill for fill in listed(play_texts(position, *EMPTIED), "fill") if " 9H " in fill] == runs

    def test_both_aces_found_foundations(self) -> None:
        position = self.deal(packets(f"AS AS 2S 2C {QUEENS}"))
        assert listed(position, "play") == ["play AS foundation[6]"] * 2
        play_texts(position, "play AS foundation[6]", "play AS foundation[7]")
        assert position.zones["foundation"][6:] == [["AS"], ["AS"]]

    def test_a_foundation_card_comes_back_only_by_option(self) -> None:
        first = packets(f"AS 2S 2C 2H {QUEENS}")
        assert listed(play_texts(self.deal(first), "play AS foundation[6]"), "return") == []
        back = play_texts(self.deal(first, "foundation_return=true"), "play AS foundation[6]")
        assert listed(back, "return") == ["return AS tableau[1]"]

    def test_no_redeal(self) -> None:
        position = play_texts(self.deal(), *[TURN] * 56)
        assert listed(position, "turn", "redeal") == []

    def test_a_redeal_by_option_turns_the_waste_over_once(self) -> None:
        position = self.deal("..*48 7D", "redeals=1")
        stock = position.zones["stock"]
        play_texts(position, *[TURN] * 56)
        redeal = next(move for move in position.moves() if move.kind == "redeal")
        position.play(redeal)
        assert (position.zones["stock"], position.zones["waste"]) == (stock, [[]])
        play_texts(position, *[TURN] * 56)
        with pytest.raises(IllegalMove):
            position.play(redeal)

    def test_pysolfc_turns_a_card_deals_in_rounds_and_fills_with_seen_cards_only(self) -> None:
        position = self.deal("2C 3C ..*10 4C ..*35 7D", "pysolfc")
        assert (position.zones["tableau"][0][:2], position.zones["tableau"][1][0]) == (["2C", "4C"], "3C")
        assert position.zones["waste"] == [["7D"]]
        spades = f"4S ..*11 3S ..*11 2S ..*11 AS 2C 2D 2H {QUEENS} 7D"
        position = play_texts(self.deal(spades, "pysolfc"), *EMPTIED)
        assert "fill 7D tableau[0]" in listed(position, "fill")
        assert UNSEEN not in listed(position)


class TestBlockedKings:
    """Dossier 22: two kings of one suit over smaller cards of it. Packets 0 and 6 are the dossier's 1 and 7."""

    BLOCKED = "5C KC QH QD ..*20 JH 8C KC JD"
    ONE_PACKET = "5C KC QH KC"

    def square(self, first: str, options: str = "", seed: int = 0) -> list[list[str]]:
        return sim.game(f"napoleons_square({options})").deal(seed=seed, deck=deck_with(first, 2)).zones["tableau"]

    def test_the_first_king_is_slipped_underneath(self) -> None:
        square = self.square(self.BLOCKED)
        assert (square[0], square[6]) == (["KC", "5C", "QH", "QD"], ["JH", "8C", "KC", "JD"])

    def test_ignored_by_option(self) -> None:
        assert self.square(self.BLOCKED, "blocked_kings=ignore")[0] == ["5C", "KC", "QH", "QD"]

    @pytest.mark.parametrize(
        "first",
        [
            "5C KC QH QD ..*20 JH 8D QS JD ..*20 KC",  # the other king is in the stock
            "5C KC QH QD ..*20 JH 8D KC 8C",  # no lower club under it
            "5D KC QH QD ..*20 JH 8C KC JD",
            "5C KC QH QD ..*20 JH 8H KH JD",  # kings of two suits
            "KC KC 5C QD ..*20 JH 8C JC JD",  # nothing but each other underneath
        ],
    )
    @pytest.mark.parametrize("asked", ["slip_one", "redeal"])
    def test_not_blocked(self, first: str, asked: str) -> None:
        assert self.square(first, f"blocked_kings={asked}") == self.square(first, "blocked_kings=ignore")

    def test_both_kings_in_one_packet(self) -> None:
        assert self.square(self.ONE_PACKET)[0] == ["KC", "5C", "QH", "KC"]
        assert self.square(self.ONE_PACKET, "blocked_test=different_packets_only")[0] == ["5C", "KC", "QH", "KC"]
        apart = self.square(self.BLOCKED, "blocked_test=different_packets_only")
        assert apart[0] == ["KC", "5C", "QH", "QD"]

    def test_two_suits_are_slipped_one_after_the_other_from_the_bottom_up(self) -> None:
        square = self.square("2D 2C KC KD 3D 3C KD KC")
        assert square[:2] == [["KD", "KC", "2D", "2C"], ["3D", "3C", "KD", "KC"]]

    def test_packets_dealt_in_rounds(self) -> None:
        first = "5C ..*5 JH ..*5 KC ..*5 8C ..*5 QH ..*5 KC ..*5 QD ..*5 JD ..*5"
        square = self.square(first, "dealing=round_robin")
        assert (square[0], square[6]) == (["KC", "5C", "QH", "QD"], ["JH", "8C", "KC", "JD"])

    @pytest.mark.parametrize(("seed", "shuffles"), [(0, 1), (18, 2)])
    def test_a_blocked_deal_is_replaced_by_the_next_shuffle_of_its_seed(self, seed: int, shuffles: int) -> None:
        deck = deck_with(self.BLOCKED, 2)
        for number in range(1, shuffles + 1):
            deck = splitmix.reshuffled(deck, seed, number)
        again, ignoring = (sim.game(f"napoleons_square(blocked_kings={asked})") for asked in ("redeal", "ignore"))
        position = again.deal(seed=seed, deck=deck_with(self.BLOCKED, 2))
        assert position.zones == ignoring.deal(deck=deck).zones
        assert position.redeals_left == 0

    @pytest.mark.parametrize("dealing", ["together", "round_robin"])
    @pytest.mark.parametrize("test", ["each_king_over_a_lower_card_of_its_suit", "different_packets_only"])
    @pytest.mark.parametrize("asked", ["slip_one", "redeal"])
    def test_squares_of_two_suits_are_those_of_the_twin(self, asked: str, test: str, dealing: str) -> None:
        dice, changed = random.Random(f"{asked} {test} {dealing}"), 0
        options = f"blocked_test={test},dealing={dealing}"
        ignoring = sim.game(f"napoleons_square(blocked_kings=ignore,{options})")
        for seed in range(20):
            deck = sorted(deck_with("", 2), key=lambda card: (card[1] in "DH", dice.random()))  # a square of two suits
            table = Table(f"napoleons_square(blocked_kings={asked},{options})", seed, deck)
            table.agree_on_zones()
            changed += table.compiled.zones != ignoring.deal(deck=deck).zones
        assert changed > 2

    def test_a_deal_that_is_not_blocked_is_the_same_whatever_is_asked(self) -> None:
        games = [sim.game(f"napoleons_square(blocked_kings={asked})") for asked in ("ignore", "slip_one", "redeal")]
        kept = 0
        for seed in range(100):
            ignored, slipped, again = (game.deal(seed=seed).zones for game in games)
            assert (ignored == slipped) == (ignored == again)
            assert {zone: slipped[zone] for zone in ("stock", "waste")} == {z: ignored[z] for z in ("stock", "waste")}
            kept += ignored == slipped
        assert 80 < kept < 100
