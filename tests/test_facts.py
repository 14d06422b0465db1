"""The dossiers' test facts, each through the Python door on an arranged deck: what is legal, and what is not."""

import random

import pytest

import sim
from sim.errors import IllegalMove
from sim.position import Position
from tests.engine import deck_with, flat, listed, play_texts, walk

TURN = "turn waste[0]"
KINGS = "KD KD KH KH KC KC KS KS"  # nothing can be built on aces, and these stay where they are


def heights(piles: list[list[str]]) -> list[int]:
    return [len(pile) for pile in piles]


class TestNapoleon:
    """Napoleon at St Helena, dossier 06. The first 40 cards are four rows of ten; the last row lies on top."""

    ONE_COLUMN_OF_SPADES = f"4S ..*9 3S ..*9 2S ..*9 AS 5H {KINGS} 7D"
    EMPTIED = tuple(f"play {card} foundation[6]" for card in ("AS", "2S", "3S", "4S"))

    def deal(self, first: str = "", options: str = "") -> Position:
        return sim.game(f"napoleon_at_st_helena({options})").deal(deck=deck_with(first, 2))

    def test_ten_columns_of_four_and_a_stock(self) -> None:
        zones = self.deal("2C 3C ..*8 4C ..*29 QS JS").zones
        assert heights(zones["tableau"]) == [4] * 10
        assert (zones["tableau"][0][:2], zones["tableau"][1][0]) == (["2C", "4C"], "3C")
        assert (zones["waste"], len(zones["stock"][0]), zones["stock"][0][-2:]) == ([[]], 64, ["JS", "QS"])
        assert zones["foundation"] == [[]] * 8

    def test_marriages_descend_in_suit(self) -> None:
        builds = listed(self.deal("..*30 9S TS TC KD KD KH KH KC KC KS"), "build")
        assert builds == ["build 9S tableau[1]"]

    def test_a_covered_card_cannot_move(self) -> None:
        position = self.deal(f"..*20 AS ..*9 9D TD {KINGS}")
        assert listed(position) == ["build 9D tableau[1]", TURN]
        assert "play AS foundation[6]" in listed(play_texts(position, "build 9D tableau[1]"))

    def test_an_empty_column_takes_any_available_card_or_stays_empty(self) -> None:
        position = play_texts(self.deal(self.ONE_COLUMN_OF_SPADES), *self.EMPTIED)
        assert position.zones["tableau"][0] == []
        assert "fill 5H tableau[0]" in listed(position)
        play_texts(position, TURN)
        assert {"fill 5H tableau[0]", "fill 7D tableau[0]", TURN} < set(listed(position))
        assert play_texts(position, "fill 5H tableau[0]").zones["tableau"][0] == ["5H"]

    def test_with_waste_only_a_column_card_may_not_fill(self) -> None:
        position = self.deal(self.ONE_COLUMN_OF_SPADES, "vacancy_source=waste_only")
        assert listed(play_texts(position, *self.EMPTIED), "fill") == []
        assert listed(play_texts(position, TURN), "fill") == ["fill 7D tableau[0]"]

    def test_two_cards_move_together_only_with_sequence(self) -> None:
        first = f"..*20 9S ..*9 8S TS {KINGS}"
        assert listed(self.deal(first), "build") == []
        position = self.deal(first, "move_unit=sequence")
        assert listed(position, "build") == ["build 9S 8S tableau[1]"]
        assert play_texts(position, "build 9S 8S tableau[1]").zones["tableau"][1][-3:] == ["TS", "9S", "8S"]

    def test_64_turns_empty_the_stock_and_the_65th_is_refused(self) -> None:
        position = self.deal()
        turn = next(move for move in position.moves() if move.kind == "turn")
        play_texts(position, *[TURN] * 63)
        assert listed(position, "turn") == [TURN]
        position.play(turn)
        assert (len(position.zones["waste"][0]), listed(position, "turn", "redeal")) == (64, [])
        with pytest.raises(IllegalMove, match=r"turn - stock\[0\] -> waste\[0\] is not a legal move"):
            position.play(turn)

    def test_the_waste_top_stays_available(self) -> None:
        position = play_texts(self.deal(f"..*30 9D 5H {KINGS} 2S AS"), TURN, TURN)
        assert "play 2S foundation[6]" not in listed(position)
        play_texts(position, "play AS foundation[6]")
        assert position.zones["waste"] == [["2S"]]
        assert "play 2S foundation[6]" in listed(position)

    def test_both_aces_found_foundations_and_a_two_wants_its_ace(self) -> None:
        position = self.deal("..*30 AS AS 2S KD KD KH KH KC KC KS")
        assert listed(position, "play") == ["play AS foundation[6]"] * 2
        play_texts(position, "play AS foundation[6]")
        assert listed(position, "play") == ["play 2S foundation[6]", "play AS foundation[7]"]
        play_texts(position, "play AS foundation[7]")
        assert position.zones["foundation"][6:] == [["AS"], ["AS"]]

    def test_a_foundation_card_may_not_come_back(self) -> None:
        first = "..*30 AS 2S KD KD KH KH KC KC KS KS"
        assert listed(play_texts(self.deal(first), "play AS foundation[6]"), "return") == []
        back = play_texts(self.deal(first, "foundation_return=true"), "play AS foundation[6]")
        assert listed(back, "return") == ["return AS tableau[1]"]


class TestBelleLucie:
    """La Belle Lucie, dossier 03. Every third card of the deck is the upper card of a packet."""

    REDEAL = "redeal tableau[0]"

    def deal(self, first: str = "", options: str = "", seed: int = 0) -> Position:
        return sim.game(f"la_belle_lucie({options})").deal(seed=seed, deck=deck_with(first))

    def test_seventeen_packets_of_three_and_one_of_one(self) -> None:
        zones = self.deal("2C 3C 4C ..*48 9D").zones
        assert heights(zones["tableau"]) == [3] * 17 + [1]
        assert (zones["tableau"][0], zones["tableau"][17]) == (["2C", "3C", "4C"], ["9D"])

    def test_marriages_descend_in_suit(self) -> None:
        builds = listed(self.deal("..*2 QH ..*2 KH ..*2 KD ..*2 AH"), "build")
        assert "build QH tableau[1]" in builds
        assert [text for text in builds if text.startswith(("build QH", "build KH"))] == ["build QH tableau[1]"]

    def test_the_second_card_waits_for_the_first(self) -> None:
        position = self.deal(".. 2C AC")
        assert not any(" 2C " in text for text in listed(position))
        assert "play 2C foundation[0]" in listed(play_texts(position, "play AC foundation[0]"))

    def test_an_emptied_packet_takes_nothing(self) -> None:
        position = play_texts(self.deal("..*2 KD ..*48 AS"), "play AS foundation[3]")
        assert position.zones["tableau"][17] == []
        assert listed(position, "fill") == []

    @pytest.mark.parametrize(("vacancy", "cards"), [("king", {"KD"}), ("any", {"KD", "5C"})])
    def test_an_emptied_packet_by_option(self, vacancy: str, cards: set[str]) -> None:
        position = self.deal("..*2 KD ..*2 5C ..*45 AS", f"vacancy={vacancy}")
        fills = set(listed(play_texts(position, "play AS foundation[3]"), "fill"))
        assert {f"fill {card} tableau[17]" for card in ("KD", "5C")} & fills == {f"fill {c} tableau[17]" for c in cards}

    def test_an_ace_is_playable_at_once_and_the_two_after_it(self) -> None:
        position = self.deal("..*2 AS ..*2 2S")
        plays = listed(position, "play")
        assert "play AS foundation[3]" in plays
        assert "play 2S foundation[3]" not in plays
        assert "play 2S foundation[3]" in listed(play_texts(position, "play AS foundation[3]"))

    @pytest.mark.parametrize(("home", "packets"), [(0, [3] * 17 + [1]), (1, [3] * 17), (2, [3] * 16 + [2])])
    def test_a_redeal_makes_packets_of_three_and_a_remainder(self, home: int, packets: list[int]) -> None:
        plays = ["play AS foundation[3]", "play 2S foundation[3]"][:home]
        position = play_texts(self.deal("..*2 AS ..*2 2S"), *plays, self.REDEAL)
        assert heights(position.zones["tableau"]) == packets
        assert position.zones["foundation"] == [[], [], [], ["AS", "2S"][:home]]

    def test_places_gone_after_a_redeal_are_no_vacancies(self) -> None:
        position = play_texts(self.deal("..*2 AS", "vacancy=any"), "play AS foundation[3]", self.REDEAL)
        assert listed(position, "fill") == []

    def test_a_third_redeal_is_refused(self) -> None:
        position = self.deal()
        redeal = next(move for move in position.moves() if move.kind == "redeal")
        play_texts(position, self.REDEAL, self.REDEAL)
        assert listed(position, "redeal") == []
        with pytest.raises(IllegalMove):
            position.play(redeal)

    def test_two_cards_move_together_only_with_sequence(self) -> None:
        first = ".. 9S 8S ..*2 TS ..*2 KD"
        assert not any(" 8S " in text for text in listed(self.deal(first), "build"))
        assert "build 9S 8S tableau[1]" in listed(self.deal(first, "move_unit=sequence"))

    def test_a_redeal_is_shuffled_and_fixed_by_the_seed(self) -> None:
        before = self.deal().zones["tableau"]
        once, again, other = (play_texts(self.deal(seed=seed), self.REDEAL).zones["tableau"] for seed in (7, 7, 8))
        assert once == again
        assert len({str(tableau) for tableau in (before, once, other)}) == 3
        assert sorted(flat(before)) == sorted(flat(once))


class TestCroix:
    """La Croix d'Honneur, dossier 01. Eight inner cards, eight outer cards on the same rays, the stock."""

    INNER = "AC 2C 3C 4C 5C 6C 8C 9C"
    OUTER = "TC JC QC KC TD JD QD KD"
    # Rays 2 to 7 are emptied by the first twelve stock cards; the others go out two by two through place 2, and at
    # last the sevens and nines of rays 0 and 1.
    CIRCLES = "7C 7D 2C 3C 4C 5C 6C 8C 9S 9D 2S 3S 4S 5S 6S 8S"
    FIRST_STOCK = "2H 3H 4H 5H 6H 8H 2D 3D 4D 5D 6D 8D"
    LAST_STOCK = "AC AS AH AD TC TS TH TD JC JS JH JD QC QS QH QD KC KS KH KD 7H 7S 9C 9H"

    def deal(self, first: str = "", options: str = "") -> Position:
        return sim.game(f"la_croix_dhonneur({options})").deal(deck=deck_with(first))

    def arranged(self) -> Position:
        return self.deal(f"{self.CIRCLES} {self.FIRST_STOCK} {self.LAST_STOCK}")

    def rays_emptied(self) -> Position:
        """The arranged deal when the first twelve stock cards have gone out."""
        position = self.arranged()
        circles = self.CIRCLES.split()
        mates = [*circles[2:8], *circles[10:]]
        for i, (card, mate) in enumerate(zip(self.FIRST_STOCK.split(), mates, strict=True)):
            play_texts(position, TURN, f"pair {card} {mate} inner[{2 + i % 6}]")
        return position

    def stage_three(self) -> Position:
        """The arranged deal when stock and waste have gone out."""
        position = play_texts(self.rays_emptied(), *[TURN] * 24)
        waste = self.LAST_STOCK.split()[::-1]
        for card, mate in zip(waste[::2], waste[1::2], strict=True):
            play_texts(position, f"fill {card} inner[2]", f"pair {mate} {card} inner[2]")
        return position

    def test_two_circles_of_eight_and_a_stock(self) -> None:
        zones = self.deal(f"{self.INNER} {self.OUTER} QS JS").zones
        assert (zones["inner"], zones["outer"]) == (
            [[card] for card in self.INNER.split()],
            [[card] for card in self.OUTER.split()],
        )
        assert (len(zones["stock"][0]), zones["stock"][0][-2:]) == (36, ["JS", "QS"])
        assert len({card for piles in zones.values() for pile in piles for card in pile}) == 52

    def test_the_waste_pairs_with_the_inner_circle_and_the_outer_card_moves_in(self) -> None:
        position = play_texts(self.deal(f"7D {self.INNER[3:]} KS {self.OUTER[3:]} 7C"), TURN)
        assert listed(position, "pair") == ["pair 7C 7D inner[0]"]
        zones = play_texts(position, "pair 7C 7D inner[0]").zones
        assert (zones["inner"][0], zones["outer"][0], sorted(zones["discard"][0])) == (["KS"], [], ["7C", "7D"])

    def test_an_outer_card_cannot_be_paired(self) -> None:
        position = play_texts(self.deal(f"{self.INNER} 7D {self.OUTER[3:]} 7C"), TURN)
        assert listed(position) == [TURN]

    def test_rank_only_counts(self) -> None:
        position = play_texts(self.deal(f"7S {self.INNER[3:]} {self.OUTER} 7C"), TURN)
        assert "8C" in flat(position.zones["inner"])
        assert listed(position, "pair") == ["pair 7C 7S inner[0]"]

    def test_inner_cards_do_not_pair_in_stage_one(self) -> None:
        assert listed(self.arranged()) == [TURN]
        early = self.deal(self.CIRCLES, "stage1_pairs=also_inner_inner")
        assert listed(early) == ["pair 7C 7D inner[1]", TURN]

    def test_an_open_place_stays_open_in_stage_one(self) -> None:
        position = play_texts(self.rays_emptied(), TURN)
        assert heights(position.zones["inner"]) == [1, 1] + [0] * 6
        assert heights(position.zones["outer"]) == [1, 1] + [0] * 6
        assert listed(position) == [TURN]

    def test_stage_two_begins_with_the_36th_turn(self) -> None:
        position = play_texts(self.rays_emptied(), *[TURN] * 23)
        assert listed(position, "turn", "fill") == [TURN]
        assert listed(play_texts(position, TURN), "turn", "fill") == ["fill 9H inner[2]"]

    def test_stage_two_fills_open_places_from_the_waste(self) -> None:
        position = play_texts(self.rays_emptied(), *[TURN] * 24, "fill 9H inner[2]")
        assert (position.zones["inner"][2], position.zones["waste"][0][-1]) == (["9H"], "9C")
        assert listed(position) == ["fill 9C inner[3]", "pair 9C 9H inner[2]"]

    def test_stage_three_pairs_inner_cards_and_refills_both_rays(self) -> None:
        position = self.stage_three()
        assert (position.zones["stock"], position.zones["waste"]) == ([[]], [[]])
        assert listed(position) == ["pair 7C 7D inner[1]"]
        zones = play_texts(position, "pair 7C 7D inner[1]").zones
        assert (zones["inner"][:2], zones["outer"][:2]) == ([["9S"], ["9D"]], [[], []])

    def test_won_at_26_pairs(self) -> None:
        position = play_texts(self.stage_three(), "pair 7C 7D inner[1]")
        assert (position.cards_home, position.won, position.over) == (50, False, False)
        play_texts(position, "pair 9S 9D inner[1]")
        assert (position.cards_home, position.won, position.over, position.moves()) == (52, True, True, [])

    def test_the_stock_cannot_be_turned_again(self) -> None:
        position = self.deal(f"{self.INNER} {self.OUTER}")
        play_texts(position, *[TURN] * 36)
        assert listed(position, "turn", "redeal") == []

    @pytest.mark.parametrize(
        "options", ["", "outer_refill=optional", "stage2_fill=forced", "stage2_fill_from=waste_bottom"]
    )
    def test_never_more_than_eight_inner_cards_and_an_even_discard(self, options: str) -> None:
        dice = random.Random(options)
        for seed in range(5):
            for position in walk(sim.game(f"la_croix_dhonneur({options})").deal(seed=seed), dice, 100):
                assert max(heights(position.zones["inner"])) <= 1
                assert position.cards_home == len(position.zones["discard"][0])
                assert position.cards_home % 2 == 0
