"""The Mill, dossier 10: its test facts through the Python door. The centre ace leads most arranged decks; then come the
eight wings, what replaces the kings among them, and the stock."""

import pytest

import sim
from sim.errors import IllegalMove
from sim.position import Position
from tests.engine import deck_with, flat, listed, play_texts

TURN, CENTRE = "turn waste[0]", "foundation[0]"
KINGS = "KC KD KH KS"
IDLE = "8C 8D 8H 8S TC TD TH TS"


def deal(cards: str, options: str = "") -> Position:
    """A deal of these cards: the centre ace, the wings, then the stock."""
    return sim.game(f"the_mill({options})").deal(deck=deck_with(cards, 2))


def turned(position: Position, cards: str, place: str = CENTRE) -> Position:
    """Turn these cards and play each from the waste to a foundation."""
    for card in cards.split():
        play_texts(position, TURN)
        position.play({str(move): move for move in position.moves()}[f"play {card} waste[0] -> {place}"])
    return position


def wings(position: Position) -> list[str]:
    return flat(position.zones["reserve"])


def heights(position: Position) -> list[int]:
    return [len(pile) for pile in position.zones["foundation"] + position.zones["angles"]]


def test_an_ace_eight_wings_and_a_stock() -> None:
    zones = deal(f"AC {IDLE} 7D 9D").zones
    assert (zones["foundation"], zones["angles"], zones["waste"]) == ([["AC"]], [[]] * 4, [[]])
    assert flat(zones["reserve"]) == IDLE.split()
    assert (len(zones["stock"][0]), zones["stock"][0][-2:]) == (95, ["9D", "7D"])
    assert 1 + 8 + 95 == 104


def test_the_first_ace_of_the_pack_lies_in_the_centre_before_the_deal() -> None:
    zones = deal("8C 8D 8H 8S TC TD AH TH TS AC 7D").zones
    assert (zones["foundation"], flat(zones["reserve"])) == ([["AH"]], IDLE.split())
    assert zones["stock"][0][-2:] == ["7D", "AC"]


def test_the_centre_goes_up_and_the_angles_down_whatever_the_suit() -> None:
    position = deal("AC 2H 3H KS QD JD 7C 7D 7H 7S")
    assert listed(position) == [f"play 2H {CENTRE}", "play QD angles[0]", TURN]
    assert wings(position) == ["2H", "3H", "7S", "QD", "JD", "7C", "7D", "7H"]
    position = play_texts(position, f"play 2H {CENTRE}")
    assert listed(position) == [f"play 3H {CENTRE}", "play QD angles[0]", TURN]


def test_after_a_king_any_ace_and_any_two() -> None:
    position = turned(
        deal(f"AC {KINGS} {IDLE} 2C 3D 4H 5S 6C 7D 8H 9S TC JD QH KS AD 2H"), "2C 3D 4H 5S 6C 7D 8H 9S TC"
    )
    turned(position, "JD QH KS AD 2H")
    assert position.zones["foundation"][0][-4:] == ["QH", "KS", "AD", "2H"]


def test_the_first_four_kings_go_to_the_angles_at_once_and_are_replaced() -> None:
    position = deal("AC KC 8C KD 8D 8H 8S TC TD KH 7D KS 7H 7S")
    assert position.zones["angles"] == [["KC"], ["KD"], ["KH"], ["KS"]]
    assert (wings(position), position.zones["waste"]) == (["7D", "8C", "7H", "8D", "8H", "8S", "TC", "TD"], [[]])


def test_a_turned_king_goes_to_an_angle_within_the_step() -> None:
    position = play_texts(deal(f"AC {IDLE} 7D KS"), TURN, TURN)
    assert (position.zones["angles"][0], position.zones["waste"]) == (["KS"], [["7D"]])


def test_the_fifth_king_waits_for_a_queen_in_the_centre() -> None:
    position = deal(f"AC {KINGS} KC {IDLE[:-3]} 2C 3D 4H 5S 6C 7D 8H 9S TC JD QH")
    assert position.zones["angles"] == [["KC"], ["KD"], ["KH"], ["KS"]]
    assert wings(position)[4] == "KC"
    assert listed(position) == [TURN]
    turned(position, "2C 3D 4H 5S 6C 7D 8H 9S TC JD QH")
    assert [text for text in listed(position) if " KC " in text] == [f"play KC {CENTRE}"]


def test_an_empty_wing_is_filled_before_anything_else() -> None:
    cards = "AC 2C 8C 8D 8H 8S TC TD TH 7D 3C 9S"
    position = play_texts(deal(cards), TURN, f"play 2C {CENTRE}")
    assert listed(position) == ["refill 7D reserve[0]", "refill reserve[0]"]
    assert wings(play_texts(position.copy(), "refill 7D reserve[0]"))[0] == "7D"
    other = play_texts(position, "refill reserve[0]")
    assert (wings(other)[0], other.zones["waste"]) == ("3C", [["7D"]])
    assert listed(other) == [f"play 3C {CENTRE}", TURN]


@pytest.mark.parametrize(("sources", "filled"), [("waste_first", "7D"), ("stock_first", "3C")])
def test_the_source_of_a_wing_may_be_fixed(sources: str, filled: str) -> None:
    position = deal("AC 2C 8C 8D 8H 8S TC TD TH 7D 3C 9S", f"wing_fill={sources}")
    play_texts(position, TURN, f"play 2C {CENTRE}")
    assert wings(position)[0] == filled
    assert TURN in listed(position)


def test_with_one_source_a_wing_is_filled_within_the_step() -> None:
    position = play_texts(deal("AC 2C 8C 8D 8H 8S TC TD TH 7D"), f"play 2C {CENTRE}")
    assert (wings(position)[0], position.zones["waste"]) == ("7D", [[]])


def test_a_king_that_fills_a_wing_goes_on_and_the_wing_is_filled_again() -> None:
    position = play_texts(deal("AC 2C 8C 8D 8H 8S TC TD TH 7D KS 9S"), TURN, f"play 2C {CENTRE}", "refill reserve[0]")
    assert position.zones["angles"][0] == ["KS"]
    assert listed(position) == ["refill 7D reserve[0]", "refill reserve[0]"]


def test_wings_are_not_built_upon() -> None:
    assert listed(deal("AC 6D 7D 8D 9D 6S 7S 8S 9S 5D")) == [TURN]


def test_a_waste_card_under_the_top_waits() -> None:
    position = play_texts(deal(f"AC {IDLE} 2D 7D"), TURN)
    play = next(move for move in position.moves() if move.kind == "play")
    assert listed(play_texts(position, TURN)) == [TURN]
    with pytest.raises(IllegalMove):
        position.play(play)


def test_there_is_no_redeal() -> None:
    position = deal("AC 8C 8D 8H 8S 8C 8D 8H 8S 7D")
    while position.zones["stock"][0]:
        position.play(next(move for move in position.moves() if move.kind == "turn"))
    assert listed(position, "turn", "redeal", "refill") == []


def transferable(options: str = "", wing: str = "6S 7S", following: str = "9C QS") -> Position:
    """The centre shows a four, the first king packet a five on a six; these cards are among the wings."""
    idle = " ".join(IDLE.split()[len(wing.split()) :])
    cards = f"AC {KINGS} {wing} {idle} QD JD TD 9D 8D 7D 6D 5H 2C 3C 4C {following}"
    return turned(turned(deal(cards, options), "QD JD TD 9D 8D 7D 6D 5H", "angles[0]"), "2C 3C 4C")


def transfers(position: Position) -> list[str]:
    return listed(position, "transfer")


def test_a_transfer_brings_another_card_into_use() -> None:
    position = transferable()
    assert transfers(position) == [f"transfer 5H {CENTRE}"]
    assert f"play 6S {CENTRE}" not in listed(position)
    play_texts(position, f"transfer 5H {CENTRE}")
    assert f"play 6S {CENTRE}" in listed(position)
    assert (position.zones["foundation"][0][-2:], position.zones["angles"][0][-1]) == (["4C", "5H"], "6D")


def test_no_transfer_that_brings_nothing_into_use() -> None:
    assert transfers(transferable(wing="7S 7S")) == []
    assert transfers(transferable("transfer=free", wing="7S 7S")) == [f"transfer 5H {CENTRE}"]
    assert transfers(transferable("transfer=never")) == []


def test_a_card_of_the_waste_may_be_what_comes_into_use() -> None:
    position = transferable(wing="7S 7S", following="6S 9C")
    assert transfers(play_texts(position, TURN)) == [f"transfer 5H {CENTRE}"]
    assert transfers(play_texts(position, TURN)) == []


def test_no_second_transfer_from_a_packet_without_another_play_between() -> None:
    position = play_texts(transferable(), f"transfer 5H {CENTRE}")
    assert transfers(position) == []
    assert transfers(play_texts(position, TURN)) == []
    assert transfers(play_texts(position, TURN)) == []
    assert transfers(play_texts(position, "play QS angles[1]")) == [f"transfer 6D {CENTRE}"]
    free = play_texts(transferable("transfer_limit=none"), f"transfer 5H {CENTRE}")
    assert transfers(free) == [f"transfer 6D {CENTRE}"]


def test_a_filling_is_no_play_and_a_king_that_has_to_go_is_one() -> None:
    three = "AC KC KD KH 6S 7S 8C 8D 8H 8S TC TD QD JD TD 9D 8D 7D 6D 5H 2C 3C 4C 9C KS"
    position = turned(turned(deal(three), "QD JD TD 9D 8D 7D 6D 5H", "angles[0]"), "2C 3C 4C")
    play_texts(position, f"transfer 5H {CENTRE}", TURN)
    assert transfers(position) == []
    assert transfers(play_texts(position, TURN)) == [f"transfer 6D {CENTRE}"]
    assert position.zones["angles"][3] == ["KS"]


def test_what_a_transfer_unlocked_may_have_to_be_played() -> None:
    position = play_texts(transferable("transfer=unlocks_and_must_play_it"), TURN, TURN, f"transfer 5H {CENTRE}")
    assert listed(position) == [f"play 6S {CENTRE}"]
    play_texts(position, f"play 6S {CENTRE}", "refill QS reserve[4]")
    assert TURN in listed(position)


def queen_up(options: str = "") -> Position:
    """The centre shows a queen, the angles four kings, the wings an ace; a king and a ten are next in the stock."""
    cards = f"AC {KINGS} AS 8C 8D 8H 8S 8S TC TD 2C 3D 4H 5S 6C 7D 8H 9S TC JD QH KC TS"
    return turned(deal(cards, options), "2C 3D 4H 5S 6C 7D 8H 9S TC JD QH")


def test_the_king_itself_is_transferred_only_by_option() -> None:
    assert transfers(queen_up()) == []
    position = queen_up("transfer_base_king=true")
    assert transfers(position) == [f"transfer KC {CENTRE}"]
    play_texts(position, f"transfer KC {CENTRE}")
    assert (position.zones["angles"][0], f"play AS {CENTRE}" in listed(position)) == ([], True)
    play_texts(position, TURN)
    assert {"play KC angles[0]", TURN} <= set(listed(position))
    assert play_texts(position, TURN).zones["waste"] == [["KC", "TS"]]


def test_kings_may_stay_where_they_are() -> None:
    position = deal("AC KC KD 8C 8D 8H 8S TC TD KS", "kings_to_angles=optional")
    assert (wings(position)[:2], position.zones["angles"]) == (["KC", "KD"], [[]] * 4)
    assert listed(position) == ["play KC angles[0]", "play KD angles[0]", TURN]
    assert "play KS angles[0]" in listed(play_texts(position, TURN))


@pytest.mark.parametrize(("rule", "homes"), [("after_angles", ["angles[0]"]), ("any_time", ["angles[0]", CENTRE])])
def test_while_an_angle_is_free_a_king_goes_there(rule: str, homes: list[str]) -> None:
    cards = "AC KC 8C 8D 8H 8S TC TD TH 2C 3D 4H 5S 6C 7D 8H 9S TC JD QH"
    position = turned(
        deal(cards, f"kings_to_angles=optional,king_to_centre={rule}"), "2C 3D 4H 5S 6C 7D 8H 9S TC JD QH"
    )
    assert [text for text in listed(position, "play") if " KC " in text] == [f"play KC {home}" for home in homes]


def test_a_card_of_the_centre_goes_back_only_by_option() -> None:
    assert transfers(queen_up()) == []
    position = queen_up("foundation_return=true,transfer=never")
    assert transfers(position) == ["transfer QH angles[0]"]
    play_texts(position, "transfer QH angles[0]")
    assert (position.zones["angles"][0], transfers(position)) == (["KC", "QH"], ["transfer JD angles[0]"])


def test_going_back_is_no_play_and_a_packet_that_gave_a_card_is_another_target() -> None:
    position = play_texts(transferable("foundation_return=true"), f"transfer 5H {CENTRE}", "transfer 5H angles[0]")
    assert transfers(position) == ["transfer 4C angles[0]"]
    kings = play_texts(queen_up("foundation_return=true,transfer=free"), "transfer QH angles[0]")
    play_texts(kings, f"transfer QH {CENTRE}")
    assert transfers(kings) == ["transfer QH angles[0]", "transfer QH angles[1]"]


def test_the_first_ace_of_the_centre_stays() -> None:
    cards = f"AC {KINGS} {IDLE} QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D"
    position = turned(deal(cards, "foundation_return=true"), "QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D", "angles[0]")
    assert transfers(position) == []


def test_the_next_card_may_be_turned_when_the_waste_is_empty() -> None:
    position = deal(f"AC {IDLE} 2C 3C 7D", "turn_on_empty_waste=true")
    assert position.zones["waste"] == [["2C"]]
    assert play_texts(position, f"play 2C {CENTRE}").zones["waste"] == [["3C"]]


def test_won_with_four_families_and_four_packets() -> None:
    families, packets = "A23456789TJQK" * 4, [rank for rank in "KQJT98765432A" for _ in range(4)]
    cards = {rank: [rank + suit for suit in "CDHS"] * 2 for rank in "A23456789TJQK"}
    deck = [cards[rank].pop() for pair in zip(families, packets, strict=True) for rank in pair]
    position = sim.game("the_mill").deal(deck=deck)
    while not position.over:
        position.play(max(position.moves(), key=lambda move: ("turn", "transfer", "refill", "play").index(move.kind)))
    assert (position.won, position.cards_home, position.moves()) == (True, 104, [])
    assert heights(position) == [52, 13, 13, 13, 13]
