"""The test facts of dossier 23, Napoleon's Square in its second form, through the Python door on arranged decks."""

import sim
from sim.position import Position
from tests.engine import deck_with, listed, play_texts

TURN = "turn waste[0]"
UNSEEN = "fill tableau[0]"
QUEENS = "QC QC QS QS QH QH QD QD"  # nothing can be built on them, and they stay where they are


class TestSecondForm:
    """Dossier 23. The first twelve cards are the square."""

    def deal(self, first: str = "", options: str = "") -> Position:
        return sim.game(f"napoleons_square_second_form({options})").deal(deck=deck_with(first, 2))

    def test_twelve_single_cards_and_a_stock(self) -> None:
        zones = self.deal("2C 3C ..*10 QS JS").zones
        assert (zones["tableau"][:2], [len(pile) for pile in zones["tableau"]]) == ([["2C"], ["3C"]], [1] * 12)
        assert (zones["waste"], len(zones["stock"][0]), zones["stock"][0][-2:]) == ([[]], 92, ["JS", "QS"])
        assert zones["foundation"] == [[]] * 8

    def test_a_turned_card_marries_in_suit(self) -> None:
        position = play_texts(self.deal(f"TD TH 2C 2S {QUEENS} 9D"), TURN)
        assert listed(position, "build") == ["build 9D tableau[0]"]

    def test_a_packet_grows_and_only_its_upper_card_is_available(self) -> None:
        position = self.deal(f"TD TD 2C 2S {QUEENS} 9D 8D")
        play_texts(position, TURN, "build 9D tableau[0]", TURN, "build 8D tableau[0]")
        assert position.zones["tableau"][0] == ["TD", "9D", "8D"]
        assert listed(position) == [TURN]

    def test_with_sequence_a_run_moves(self) -> None:
        position = self.deal(f"TD TD 2C 2S {QUEENS} 9D 8D", "move_unit=sequence")
        play_texts(position, TURN, "build 9D tableau[0]", TURN, "build 8D tableau[0]")
        assert listed(position) == ["build 9D 8D tableau[1]", TURN]

    def test_a_vacancy_is_filled_from_waste_or_stock_or_stays(self) -> None:
        position = play_texts(self.deal(f"AS 5H 2C 2D {QUEENS} 7D"), "play AS foundation[6]")
        assert listed(position) == [UNSEEN, TURN]
        play_texts(position, TURN)
        assert listed(position) == ["fill 7D tableau[0]", UNSEEN, TURN]
        assert play_texts(position, TURN).zones["tableau"][0] == []

    def test_with_any_card_a_packet_may_be_broken_to_fill(self) -> None:
        first = f"AS TD 2C 2H {QUEENS} 9D"
        for source, fills in (("waste_or_stock", [UNSEEN]), ("any_card", ["fill 9D tableau[0]", UNSEEN])):
            position = self.deal(first, f"vacancy_source={source}")
            play_texts(position, "play AS foundation[6]", TURN, "build 9D tableau[1]")
            assert listed(position, "fill") == fills

    def test_the_square_marries_itself_unless_the_text_is_taken_at_its_word(self) -> None:
        first = f"9D TD 2C 2H {QUEENS} 9D"
        assert listed(self.deal(first)) == ["build 9D tableau[1]", TURN]
        position = self.deal(first, "square_marriages=false")
        assert listed(position) == [TURN]
        assert listed(play_texts(position, TURN), "build") == ["build 9D tableau[1]"]

    def test_without_square_marriages_the_square_still_plays_and_fills(self) -> None:
        position = self.deal(
            f"AS TD 2S TD {QUEENS} 9D", "foundation_return=true,square_marriages=false,vacancy_source=any_card"
        )
        play_texts(position, "play AS foundation[6]", TURN, "build 9D tableau[1]")
        assert listed(position) == [
            "fill 9D tableau[0]",
            UNSEEN,
            "play 2S foundation[6]",
            "return AS tableau[0]",
            "return AS tableau[2]",
            TURN,
        ]

    def test_eight_foundations_from_ace_to_king(self) -> None:
        deck = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS" for _ in range(2)]
        position = sim.game("napoleons_square_second_form").deal(deck=deck)
        while not position.won:
            plays = [move for move in position.moves() if move.kind == "play"]
            position.play(plays[0] if plays else next(move for move in position.moves() if move.kind == "turn"))
        assert [(pile[0][0], pile[-1][0], len(pile)) for pile in position.zones["foundation"]] == [("A", "K", 13)] * 8

    def test_no_redeal(self) -> None:
        position = play_texts(self.deal(), *[TURN] * 92)
        assert listed(position, "turn", "redeal") == []
        assert "redeals" not in position.game.values

    def test_pysolfc_turns_a_card_and_fills_with_seen_cards_only(self) -> None:
        position = self.deal(f"AS 5H 2C 2D {QUEENS} 7D", "pysolfc")
        assert position.zones["waste"] == [["7D"]]
        assert listed(play_texts(position, "play AS foundation[6]"), "fill") == ["fill 7D tableau[0]"]
