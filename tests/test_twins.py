"""The dossiers' test facts, checked on the naive twins: what is legal, and what is not."""

import random
from collections import Counter
from itertools import pairwise

import pytest

import sim
from tests.twins import TWINS, Move, Twin, pack, rank

NAPOLEON, LUCIE, CROIX = "napoleon_at_st_helena", "la_belle_lucie", "la_croix_dhonneur"
EMPRESS, CITY = "the_empress_of_india", "the_besieged_city"
LISTED = 20_000  # moves of a deal: positions of some games have very many
PACKS = {game: sim.game(game).packs for game in TWINS}  # by default; `decks` of some game's options says otherwise


def deck_with(first: str, packs: int = 1) -> list[str]:
    """A deck that is dealt beginning with these cards, `..` being any other card; then the rest."""
    named = first.split()
    rest = list((Counter(pack() * packs) - Counter(card for card in named if card != "..")).elements())
    return [rest.pop(0) if card == ".." else card for card in named] + rest


def turn_round(cards: list[str], redeal: int) -> list[str]:
    """A reshuffle that can be checked by eye: the gathered cards, cut after `redeal` of them."""
    return cards[redeal:] + cards[:redeal]


def deal(game: str, first: str = "", **options: object) -> Twin:
    """A game from a deck that begins with these cards."""
    return TWINS[game](options, deck_with(first, PACKS[game]), turn_round)


def stand(game: str, options: dict[str, object] | None = None, **zones: list[str]) -> Twin:
    """A position with these piles (each a string of cards, bottom first) and all other piles empty."""
    twin = TWINS[game](options or {}, deck_with("", PACKS[game]), turn_round)
    for zone, piles in twin.piles.items():
        laid = [pile.split() for pile in zones.get(zone, [])]
        twin.piles[zone] = laid + [[] for _ in piles[len(laid) :]]
    return twin


def short(move: Move) -> str:
    """A move in one line: `build AS tableau 3`."""
    return " ".join([move.kind, *move.cards, move.target[0], str(move.target[1])])


def listed(twin: Twin, *kinds: str) -> list[str]:
    """The legal moves of these kinds (of all, if none is named) in one line each, sorted."""
    return sorted(short(move) for move in twin.moves() if not kinds or move.kind in kinds)


def play(twin: Twin, *lines: str) -> Twin:
    """Make the moves that read like this, one after the other."""
    for line in lines:
        twin.play(next(move for move in twin.moves() if short(move) == line))
    return twin


def home_up_to(height: int, suits: str = "CDHS") -> list[str]:
    """Single-pack foundations of this height in these suits, the other suits empty."""
    ranks = "A23456789TJQK"[:height]
    return [" ".join(r + s for r in ranks) if s in suits else "" for s in "CDHS"]


TURN, REDEAL = "turn waste 0", "redeal stock 0"
ROWS_ABOVE = ".. " * 30


class TestNapoleon:
    """Napoleon at St Helena, dossier 06."""

    def test_deal_is_four_rows_of_ten(self) -> None:
        zones = deal(NAPOLEON, "2C 3C .. .. .. .. .. .. .. KD 4C").zones()
        assert [len(column) for column in zones["tableau"]] == [4] * 10
        assert (zones["tableau"][0][:2], zones["tableau"][1][0], zones["tableau"][9][0]) == (["2C", "4C"], "3C", "KD")
        assert (len(zones["stock"][0]), zones["waste"], zones["foundation"]) == (64, [[]], [[]] * 8)

    def test_first_card_after_the_tableau_is_next_of_the_stock(self) -> None:
        twin = deal(NAPOLEON, ".. " * 40 + "QS KS")
        assert twin.zones()["stock"][0][-1:-3:-1] == ["QS", "KS"]
        assert play(twin, TURN).zones()["waste"] == [["QS"]]

    def test_turn_at_deal(self) -> None:
        zones = deal(NAPOLEON, ".. " * 40 + "QS", turn_at_deal=True).zones()
        assert (len(zones["stock"][0]), zones["waste"]) == (63, [["QS"]])

    def test_marriages_descend_in_suit(self) -> None:
        twin = deal(NAPOLEON, ROWS_ABOVE + "9S TS TC KD KD KH KH KC JC JD")
        assert listed(twin, "build") == ["build 9S tableau 1", "build TC tableau 8"]

    def test_equal_targets_of_the_tableau_are_two_moves_and_an_ace_may_marry(self) -> None:
        twin = deal(NAPOLEON, ROWS_ABOVE + "AS 2S 2S KD KD KH KH KC KC 9D")
        assert listed(twin) == ["build AS tableau 1", "build AS tableau 2", "play AS foundation 6", TURN]

    def test_a_covered_card_cannot_move(self) -> None:
        twin = stand(NAPOLEON, tableau=["9S 2D", "TS", *["KC"] * 8])
        assert listed(twin) == []
        assert twin.over
        assert not twin.won

    def test_vacancy_takes_any_available_card_or_stays(self) -> None:
        twin = stand(NAPOLEON, tableau=["KD 5H", *["KC"] * 7], waste=["7D 8S"], stock=["4H"])
        assert listed(twin) == ["fill 5H tableau 8", "fill 8S tableau 8", TURN]
        assert play(twin, TURN, "fill 5H tableau 8").zones()["tableau"][8:] == [["5H"], []]

    def test_waste_only(self) -> None:
        twin = stand(NAPOLEON, {"vacancy_source": "waste_only"}, tableau=["KD 5H", *["KC"] * 7], waste=["7D 8S"])
        assert listed(twin) == ["fill 8S tableau 8"]

    def test_whole_column_to_a_vacancy_is_no_move(self) -> None:
        twin = stand(NAPOLEON, {"move_unit": "sequence"}, tableau=["KD", "9S 8S"])
        assert listed(twin) == ["fill 8S tableau 2"]

    @pytest.mark.parametrize("source", ["tableau_or_waste", "waste_only"])
    def test_fill_from_unturned_stock(self, source: str) -> None:
        options = {"fill_from_unturned_stock": True, "vacancy_source": source}
        twin = stand(NAPOLEON, options, tableau=["KD"], stock=["4H 5H"])
        assert listed(twin) == ["fill tableau 1", TURN]
        assert play(twin, "fill tableau 1").zones()["tableau"][1] == ["5H"]

    def test_two_cards_move_together_only_with_sequence(self) -> None:
        columns = ["KD 9S 8S", "TS", *["KC"] * 8]
        assert listed(stand(NAPOLEON, tableau=columns)) == []
        together = stand(NAPOLEON, {"move_unit": "sequence"}, tableau=columns)
        assert listed(together) == ["build 9S 8S tableau 1"]
        assert play(together, "build 9S 8S tableau 1").zones()["tableau"][:2] == [["KD"], ["TS", "9S", "8S"]]

    def test_sequence_to_a_vacancy_takes_every_length_but_the_whole(self) -> None:
        twin = stand(NAPOLEON, {"move_unit": "sequence"}, tableau=["KD 9S 8S 7S", *["KC"] * 8])
        assert listed(twin) == ["fill 7S tableau 9", "fill 8S 7S tableau 9", "fill 9S 8S 7S tableau 9"]

    def test_sixty_four_turns_and_no_more(self) -> None:
        twin = play(deal(NAPOLEON), *[TURN] * 64)
        assert (twin.zones()["stock"], len(twin.zones()["waste"][0])) == ([[]], 64)
        assert listed(twin, "turn", "redeal") == []

    def test_redeal_turns_the_waste_over_unshuffled(self) -> None:
        twin = stand(NAPOLEON, {"redeals": 1}, tableau=["KC"] * 10, stock=["3H 2H"])
        assert listed(twin) == [TURN]
        play(twin, TURN, TURN)
        assert listed(twin) == [REDEAL]
        assert play(twin, REDEAL).zones()["stock"] == [["3H", "2H"]]
        assert play(twin, TURN, TURN).over

    def test_only_when_stuck_binds_turn_and_redeal(self) -> None:
        options = {"redeals": 1, "stock_turn": "only_when_stuck"}
        assert listed(stand(NAPOLEON, options, tableau=["9S", "TS", *["KC"] * 8], stock=["2H"])) == [
            "build 9S tableau 1"
        ]
        twin = stand(NAPOLEON, options, tableau=["TS", *["KC"] * 9], stock=["9S"])
        assert listed(play(twin, TURN)) == ["build 9S tableau 0"]
        assert listed(stand(NAPOLEON, options, tableau=["KC"] * 10, waste=["9S"])) == [REDEAL]

    def test_waste_top_stays_available(self) -> None:
        twin = stand(NAPOLEON, tableau=["3S", *["KC"] * 9], waste=["2S AS"])
        assert listed(twin) == ["play AS foundation 6"]
        play(twin, "play AS foundation 6")
        assert listed(twin) == ["build 2S tableau 0", "play 2S foundation 6"]

    def test_both_aces_found_foundations(self) -> None:
        twin = stand(NAPOLEON, tableau=["AS", "AS", "2S"])
        assert listed(twin, "play") == ["play AS foundation 6", "play AS foundation 6"]
        play(twin, "play AS foundation 6", "play AS foundation 7")
        assert listed(twin, "play") == ["play 2S foundation 6"]

    def test_twin_foundations_of_different_height_want_different_cards(self) -> None:
        twin = stand(NAPOLEON, tableau=["AC", "4C", "2C"], foundation=["", "AC 2C 3C"])
        assert listed(twin, "play") == ["play 4C foundation 1", "play AC foundation 0"]

    def test_no_foundation_without_its_ace(self) -> None:
        assert listed(stand(NAPOLEON, tableau=["2S"], foundation=["AC"]), "play") == []

    def test_foundation_cards_come_back_only_by_option(self) -> None:
        columns, homes = ["3S", *["KC"] * 8], [""] * 6 + ["AS 2S", "AS 2S"]
        assert listed(stand(NAPOLEON, tableau=columns, foundation=homes), "return") == []
        back = stand(NAPOLEON, {"foundation_return": True}, tableau=columns, foundation=homes)
        assert listed(back, "return") == ["return 2S tableau 0", "return 2S tableau 9"]
        options: dict[str, object] = {"foundation_return": True, "vacancy_source": "waste_only"}
        only_waste = stand(NAPOLEON, options, tableau=columns, foundation=homes)
        assert listed(only_waste, "return") == ["return 2S tableau 0"]

    def test_won_at_104(self) -> None:
        suits = [" ".join(pile) for pile in (pack()[13 * (slot // 2) :][:13] for slot in range(8))]
        twin = stand(NAPOLEON, foundation=[*suits[:7], suits[7][:-3]], waste=["KS"])
        assert not twin.won
        assert play(twin, "play KS foundation 7").won
        assert twin.moves() == []


class TestLaBelleLucie:
    """La Belle Lucie, dossier 03."""

    def test_deal_is_seventeen_threes_and_one(self) -> None:
        zones = deal(LUCIE, "KC 2D 7S 9H").zones()
        assert [len(packet) for packet in zones["tableau"]] == [3] * 17 + [1]
        assert (zones["tableau"][0], zones["tableau"][1][0]) == (["KC", "2D", "7S"], "9H")

    def test_round_robin_deal(self) -> None:
        deck = pack()
        packets = deal(LUCIE, dealing="round_robin").zones()["tableau"]
        assert [packet[0] for packet in packets[:17]] == deck[:17]
        assert [packet[2] for packet in packets[:17]] == deck[34:51]
        assert packets[17] == [deck[51]]

    def test_marriages_descend_in_suit(self) -> None:
        assert listed(stand(LUCIE, tableau=["2C QH", "3C KH", "4C KD"]), "build") == ["build QH tableau 1"]
        assert listed(stand(LUCIE, tableau=["2C KH", "3C AH"]), "build") == []

    def test_second_card_waits_for_the_first(self) -> None:
        twin = stand(LUCIE, {"redeals": 0}, tableau=["QH 5S", "KH", "6S"])
        assert listed(twin) == ["build 5S tableau 2"]
        assert listed(play(twin, "build 5S tableau 2")) == ["build QH tableau 1"]

    def test_vacancies(self) -> None:
        packets = ["", "2C KH", "KD", "3C 9D", ""]
        assert listed(stand(LUCIE, tableau=packets), "fill") == []
        assert listed(stand(LUCIE, {"vacancy": "king"}, tableau=packets), "fill") == ["fill KH tableau 0"]
        anything = listed(stand(LUCIE, {"vacancy": "any"}, tableau=packets), "fill")
        assert anything == ["fill 9D tableau 0", "fill KH tableau 0"]

    def test_sequence_to_a_vacancy_if_its_deepest_card_may(self) -> None:
        twin = stand(LUCIE, {"vacancy": "king", "move_unit": "sequence"}, tableau=["2C KH QH", "KD QD", ""])
        assert listed(twin, "fill") == ["fill KH QH tableau 2"]

    def test_emptied_packet_stays_in_the_list(self) -> None:
        twin = play(stand(LUCIE, tableau=["QH", "KH"]), "build QH tableau 1")
        assert twin.zones()["tableau"][:2] == [[], ["KH", "QH"]]

    def test_foundations_begin_with_aces(self) -> None:
        twin = stand(LUCIE, tableau=["AS", "2S"])
        assert listed(twin, "play") == ["play AS foundation 3"]
        assert listed(play(twin, "play AS foundation 3"), "play") == ["play 2S foundation 3"]

    def test_two_cards_move_together_only_with_sequence(self) -> None:
        assert listed(stand(LUCIE, tableau=["2C QH JH", "KH"]), "build") == []
        together = stand(LUCIE, {"move_unit": "sequence"}, tableau=["2C QH JH", "KH"])
        assert listed(together, "build") == ["build QH JH tableau 1"]

    def test_redeal_gathers_shuffles_and_deals_in_threes(self) -> None:
        twin = stand(LUCIE, foundation=home_up_to(2, "C"), tableau=["KC QC JC TC", "", "9D", "2H 3H"])
        play(twin, "redeal tableau 0")
        assert twin.zones()["tableau"] == [["QC", "JC", "TC"], ["9D", "2H", "3H"], ["KC"]]
        assert twin.zones()["foundation"][0] == ["AC", "2C"]

    def test_second_redeal_is_told_its_number(self) -> None:
        twin = play(stand(LUCIE, tableau=["KC QC JC", "9D"]), "redeal tableau 0", "redeal tableau 0")
        assert twin.zones()["tableau"] == [["9D", "KC", "QC"], ["JC"]]

    @pytest.mark.parametrize(("cards", "sizes"), [(6, [3, 3]), (7, [3, 3, 1]), (8, [3, 3, 2]), (2, [2]), (1, [1])])
    @pytest.mark.parametrize("dealing", ["together", "round_robin"])
    def test_redeal_makes_a_third_as_many_packets(self, cards: int, sizes: list[int], dealing: str) -> None:
        twin = stand(LUCIE, {"dealing": dealing}, tableau=list(pack()[1 : 2 * cards : 2]))
        packets = play(twin, "redeal tableau 0").zones()["tableau"]
        assert [len(packet) for packet in packets] == sizes

    def test_round_robin_redeal(self) -> None:
        twin = stand(LUCIE, {"dealing": "round_robin"}, tableau=["8D 2C 3C", "4C 5C 6C", "7C 9D"])
        play(twin, "redeal tableau 0")  # cut after the first card: 2C 3C 4C 5C 6C 7C 9D 8D
        assert twin.zones()["tableau"] == [["2C", "4C", "6C"], ["3C", "5C", "7C"], ["9D", "8D"]]

    @pytest.mark.parametrize("redeals", [0, 1, 2, 3])
    def test_no_more_redeals_than_allowed(self, redeals: int) -> None:
        twin = play(deal(LUCIE, redeals=redeals), *["redeal tableau 0"] * redeals)
        assert listed(twin, "redeal") == []

    def test_redeal_only_when_stuck(self) -> None:
        options: dict[str, object] = {"redeal_when": "only_when_stuck"}
        assert listed(stand(LUCIE, options, tableau=["QH", "KH"])) == ["build QH tableau 1"]
        assert listed(stand(LUCIE, options, tableau=["QH", "KD"])) == ["redeal tableau 0"]

    def test_merci_draws_the_card_under_an_upper_card_once(self) -> None:
        packets = ["3C QH 5S", "2D KH", "7C AD 9C", "TH"]
        assert listed(stand(LUCIE, {"redeals": 0}, tableau=packets)) == []
        assert listed(stand(LUCIE, {"merci": 1}, tableau=packets)) == ["redeal tableau 0"]
        twin = stand(LUCIE, {"merci": 1, "redeals": 0}, tableau=packets)
        assert listed(twin) == ["draw AD foundation 1", "draw QH tableau 1"]
        play(twin, "draw QH tableau 1")
        assert twin.zones()["tableau"][:2] == [["3C", "5S"], ["2D", "KH", "QH"]]
        assert twin.over

    def test_merci_from_anywhere_reaches_the_lowest_card(self) -> None:
        twin = stand(LUCIE, {"merci": 1, "merci_from": "anywhere", "redeals": 0}, tableau=["QH 3C 5S", "2D KH", "TH"])
        assert listed(twin) == ["draw QH tableau 1"]
        play(twin, "draw QH tableau 1")
        assert twin.zones()["tableau"][:2] == [["3C", "5S"], ["2D", "KH", "QH"]]

    def test_merci_not_on_its_own_packet(self) -> None:
        assert listed(stand(LUCIE, {"merci": 1, "redeals": 0}, tableau=["QH KH"])) == []

    def test_merci_to_a_vacancy_that_allows_it(self) -> None:
        options: dict[str, object] = {"merci": 1, "redeals": 0, "vacancy": "king"}
        twin = stand(LUCIE, options, tableau=["KH 2S", "9D 3S", ""])
        assert listed(twin) == ["build 2S tableau 1", "draw KH tableau 2"]

    def test_foundation_cards_come_back_only_by_option(self) -> None:
        packets, homes = ["3C", "", "9D"], home_up_to(2, "C")
        assert listed(stand(LUCIE, tableau=packets, foundation=homes), "return") == []
        back = stand(LUCIE, {"foundation_return": True}, tableau=packets, foundation=homes)
        assert listed(back, "return") == ["return 2C tableau 0"]
        options: dict[str, object] = {"foundation_return": True, "vacancy": "any"}
        anywhere = stand(LUCIE, options, tableau=packets, foundation=homes)
        assert listed(anywhere, "return") == ["return 2C tableau 0", "return 2C tableau 1"]

    def test_won_at_52(self) -> None:
        twin = stand(LUCIE, foundation=[*home_up_to(13, "CDH")[:3], home_up_to(12)[3]], tableau=["KS"])
        assert not twin.won
        assert play(twin, "play KS foundation 3").won
        assert twin.moves() == []


CIRCLE = ["2C", "3C", "4C", "5C", "6C", "8C", "9C", "TC"]
BEHIND = ["2D", "3D", "4D", "5D", "6D", "8D", "9D", "TD"]


class TestLaCroixDHonneur:
    """La Croix d'Honneur, dossier 01."""

    def test_deal(self) -> None:
        zones = deal(CROIX, "7C .. .. .. .. .. .. 8C 7D .. .. .. .. .. .. 8D KS").zones()
        assert (zones["inner"][0], zones["inner"][7]) == (["7C"], ["8C"])
        assert (zones["outer"][0], zones["outer"][7]) == (["7D"], ["8D"])
        assert (len(zones["stock"][0]), zones["stock"][0][-1]) == (36, "KS")
        assert (zones["waste"], zones["discard"]) == ([[]], [[]])
        assert sorted(card for piles in zones.values() for pile in piles for card in pile) == sorted(pack())

    def test_waste_pairs_with_inner_and_the_outer_card_moves_in(self) -> None:
        twin = stand(CROIX, inner=["7D", *CIRCLE[1:]], outer=BEHIND, waste=["7C"], stock=["KS"])
        play(twin, "pair 7C 7D inner 0")
        zones = twin.zones()
        assert (zones["inner"][0], zones["outer"][0], zones["discard"]) == (["2D"], [], [["7C", "7D"]])

    def test_no_pair_with_outer_cards_nor_with_another_rank(self) -> None:
        twin = stand(CROIX, inner=CIRCLE, outer=["7D", *BEHIND[1:]], waste=["7C"], stock=["KS"])
        assert listed(twin) == [TURN]

    def test_rank_only_counts(self) -> None:
        twin = stand(CROIX, inner=["7S", "8C", "7H"], waste=["KD 7C"], stock=["KS"])
        assert listed(twin, "pair") == ["pair 7C 7H inner 2", "pair 7C 7S inner 0"]

    def test_inner_pairs_by_stage(self) -> None:
        inner, outer = ["2C", "7C", "3C", "7D"], ["", "9S", "", "TS"]
        assert listed(stand(CROIX, inner=inner, outer=outer, stock=["KS"]), "pair") == []
        third = stand(CROIX, inner=inner, outer=outer)
        assert listed(third) == ["pair 7C 7D inner 3"]
        assert third.moves()[0].source == ("inner", 1)
        play(third, "pair 7C 7D inner 3")
        assert third.zones()["inner"][:4] == [["2C"], ["9S"], ["3C"], ["TS"]]
        assert third.over
        assert not third.won

    def test_also_inner_inner_applies_in_stages_one_and_three(self) -> None:
        options: dict[str, object] = {"stage1_pairs": "also_inner_inner"}
        inner = ["7C", "7D", *CIRCLE[2:]]
        assert listed(stand(CROIX, options, inner=inner, stock=["KS"])) == ["pair 7C 7D inner 1", TURN]
        assert listed(stand(CROIX, options, inner=inner, waste=["KS"])) == []
        assert listed(stand(CROIX, options, inner=inner)) == ["pair 7C 7D inner 1"]

    def test_open_place_waits_for_stage_two(self) -> None:
        twin = stand(CROIX, inner=["", *CIRCLE[1:]], waste=["KD KS"], stock=["KC"])
        assert listed(twin) == [TURN]
        play(twin, TURN)
        assert listed(twin) == ["fill KC inner 0"]
        play(twin, "fill KC inner 0")
        assert twin.zones()["waste"] == [["KD", "KS"]]
        assert listed(twin) == ["pair KS KC inner 0"]

    def test_open_places_are_alike(self) -> None:
        twin = stand(CROIX, inner=["2C", "", "", "5C"], waste=["KD"])
        assert listed(twin) == ["fill KD inner 1"]

    def test_fill_from_the_bottom_of_the_waste(self) -> None:
        options: dict[str, object] = {"stage2_fill_from": "waste_bottom"}
        twin = stand(CROIX, options, inner=["", *CIRCLE[1:]], waste=["KD QS"])
        assert listed(twin) == ["fill KD inner 0"]
        play(twin, "fill KD inner 0")
        assert (twin.zones()["inner"][0], twin.zones()["waste"]) == (["KD"], [["QS"]])

    def test_stage_two_begins_when_the_last_stock_card_is_turned(self) -> None:
        twin = play(deal(CROIX), *[TURN] * 35)
        twin.piles["inner"][3] = []
        twin.piles["outer"][3] = []
        assert listed(twin, "turn", "fill") == [TURN]
        assert [move.kind for move in play(twin, TURN).moves() if move.kind in ("turn", "fill")] == ["fill"]

    @pytest.mark.parametrize(("end", "filled", "left"), [("waste_top", "KH QS", "KD"), ("waste_bottom", "KD QS", "KH")])
    def test_forced_filling_runs_at_once(self, end: str, filled: str, left: str) -> None:
        options: dict[str, object] = {"stage2_fill": "forced", "stage2_fill_from": end}
        twin = stand(CROIX, options, inner=["", "3C", "", *CIRCLE[3:]], waste=["KD QS"], stock=["KH"])
        play(twin, TURN)
        zones = twin.zones()
        assert ([zones["inner"][0][0], zones["inner"][2][0]], zones["waste"]) == (filled.split(), [[left]])

    def test_forced_filling_after_a_pair_of_stage_two(self) -> None:
        options: dict[str, object] = {"stage2_fill": "forced"}
        twin = stand(CROIX, options, inner=CIRCLE, waste=["KD QS 3D"])
        play(twin, "pair 3D 3C inner 1")
        assert (twin.zones()["inner"][1], twin.zones()["waste"]) == (["QS"], [["KD"]])

    def test_turn_only_when_no_pair(self) -> None:
        options: dict[str, object] = {"stage_1_turn": "only_when_no_pair"}
        assert listed(stand(CROIX, options, inner=CIRCLE, waste=["2S"], stock=["KS"])) == ["pair 2S 2C inner 0"]
        assert listed(stand(CROIX, options, inner=CIRCLE, waste=["QS"], stock=["KS"])) == [TURN]

    def test_optional_refill_and_never_open_before_the_outer_card_is_gone(self) -> None:
        options: dict[str, object] = {"outer_refill": "optional"}
        twin = stand(CROIX, options, inner=CIRCLE, outer=["KS"], waste=["QD 2S"])
        play(twin, "pair 2S 2C inner 0")
        assert twin.zones()["inner"][0] == []
        assert listed(twin) == ["refill KS inner 0"]
        assert play(twin, "refill KS inner 0").zones()["inner"][0] == ["KS"]

    def test_won_at_26_pairs(self) -> None:
        rest = [card for card in pack() if card[0] != "K"]
        twin = stand(CROIX, inner=["KC", "KD"], outer=["KH", "KS"], discard=[" ".join(rest)])
        play(twin, "pair KC KD inner 1")
        assert not twin.won
        assert play(twin, "pair KH KS inner 1").won
        assert twin.moves() == []


def random_options(game: str, dice: random.Random) -> dict[str, object]:
    """One value for every option."""
    return {name: dice.choice(values) for name, values in TWINS[game].OPTIONS.items()}


def shuffled(game: str, dice: random.Random, options: dict[str, object]) -> Twin:
    """A shuffled deal."""
    deck = pack() * options.get("decks", PACKS[game])
    dice.shuffle(deck)
    return TWINS[game](options, deck, lambda cards, _: dice.sample(cards, len(cards)))


def check_table(twin: Twin, game: str) -> list[Move]:
    """What holds in every position: no card lost, foundations in order, each move listed once. The moves."""
    zones = twin.zones()
    cards = [card for piles in zones.values() for pile in piles for card in pile]
    assert Counter(cards) == Counter(pack() * twin.options.get("decks", PACKS[game]))
    for pile in zones.get("foundation", []):
        steps = {(rank(high) - rank(low)) % 13 for low, high in pairwise(pile)}
        one_way = ({1, 2}, {11, 12}) if game == EMPRESS else ({1}, {12})  # there a value is omitted
        assert game == CITY or any(steps <= way for way in one_way)
        sums = [rank(low) + rank(high) for low, high in pairwise(pile)]
        assert game != CITY or sums == ([14, 15] * 13)[: len(sums)]
    assert game != CROIX or len(zones["discard"][0]) % 2 == 0
    assert game != CROIX or all(len(place) <= 1 for place in zones["inner"])
    moves = twin.moves()
    assert len(set(moves)) == len(moves)
    return moves


@pytest.mark.parametrize("game", TWINS)
def test_random_play_under_every_option_keeps_the_cards(game: str) -> None:
    dice = random.Random(game)
    for _ in range(12):
        twin, listed = shuffled(game, dice, random_options(game, dice)), 0
        for _ in range(80):
            moves = check_table(twin, game)
            listed += len(moves)
            if not moves or listed > LISTED:
                break
            before = (twin.zones(), twin.redeals_left)
            other = twin.clone()
            other.perform(dice.choice(moves))
            assert before == (twin.zones(), twin.redeals_left) != (other.zones(), other.redeals_left)
            twin = other


def may_be_repeated(move: Move) -> bool:
    """Whether the move can be undone: a card may wander for ever between twin targets, or neighbours up and down."""
    return move.kind in ("build", "fill", "exchange") and move.source[0] == move.target[0]


@pytest.mark.parametrize("game", TWINS)
def test_play_that_cannot_be_undone_ends(game: str) -> None:
    dice = random.Random(game)
    for _ in range(6):
        quiet = {"vacancy": "king", "foundation_return": False, "foundation_exchange": False, "grace_count": 1}
        known = TWINS[game].OPTIONS
        fixed = {name: value for name, value in quiet.items() if value in known.get(name, ())}
        twin = shuffled(game, dice, random_options(game, dice) | fixed)
        steps = 0
        while onward := [move for move in twin.moves() if not may_be_repeated(move)]:
            twin.perform(dice.choice(onward))
            steps += 1
            assert steps < 2000
        check_table(twin, game)


def test_illegal_moves_are_refused() -> None:
    twin = deal(NAPOLEON)
    with pytest.raises(ValueError, match="not legal"):
        twin.play(Move("redeal", ("waste", 0), ("stock", 0), 0, ()))


def test_unknown_options_are_refused() -> None:
    with pytest.raises(ValueError, match="no option"):
        deal(LUCIE, vacancy="queen")
