"""The Sultan, dossier 16: its test facts through the Python door. The withdrawn kings and the ace of hearts lead every
arranged deck; then come the eight cards of the Divan and the stock."""

import pytest

import sim
from sim.errors import IllegalMove
from sim.position import Move, Position
from tests.engine import deck_with, flat, listed, play_texts

WITHDRAWN = "KC KC KD KD KH KH KS KS AH"
IDLE = "9C 9C 9D 9D 9H 9H 9S 9S"  # a Divan that nothing can be done with
TURN, REDEAL = "turn waste[0]", "redeal stock[0]"
KC, KH, AH, KS = "foundation[0]", "foundation[4]", "foundation[5]", "foundation[6]"


def deal(cards: str, options: str = "", seed: int = 0) -> Position:
    """A deal of these cards: the Divan, then the stock."""
    deck = deck_with(f"{WITHDRAWN} {cards}", 2)
    return sim.game(f"the_sultan({options})").deal(seed=seed, deck=deck)


def divan(position: Position) -> list[str]:
    return flat(position.zones["reserve"])


def turned_out(position: Position) -> Position:
    """The stock is turned, card by card, and nothing is played."""
    return play_texts(position, *[TURN] * len(position.zones["stock"][0]))


def sorted_out() -> Position:
    """A deal in which every card can be played as it comes."""
    order = [f"{rank}{suit}" for rank in "A23456789TJQ" for suit in "CDHS" for _ in range(2)]
    order.remove("AH")
    return sim.game("the_sultan").deal(deck=WITHDRAWN.split() + order)


def homewards(position: Position) -> Move:
    """A play if there is one."""
    return max(position.moves(), key=lambda move: move.kind == "play")


def test_eight_foundations_the_sultan_the_divan_and_a_stock() -> None:
    zones = deal(f"{IDLE} 7D 8D").zones
    assert zones["foundation"] == [["KC"], ["KC"], ["KD"], ["KD"], ["KH"], ["AH"], ["KS"], ["KS"]]
    assert (zones["discard"], zones["waste"], flat(zones["reserve"])) == ([["KH"]], [[]], IDLE.split())
    assert (len(zones["stock"][0]), zones["stock"][0][-2:]) == (87, ["8D", "7D"])
    assert 1 + 8 + 8 + 87 == 104


def test_withdrawn_cards_leave_the_others_in_order_and_the_first_ace_of_hearts_goes() -> None:
    deck = deck_with("", 2)
    zones = sim.game("the_sultan").deal(deck=deck).zones
    first = deck.index("AH")
    rest = [card for at, card in enumerate(deck) if card[0] != "K" and at != first]
    assert flat(zones["reserve"]) + zones["stock"][0][::-1] == rest


def test_foundations_begin_with_the_ace_on_the_king_in_suit() -> None:
    assert listed(deal("AC 2C 9C 9C 9D 9D 9H 9H"), "play") == [f"play AC {KC}"]
    position = play_texts(deal("AC 2C 9C 9C 9D 9D 9H 9H"), f"play AC {KC}", f"play 2C {KC}")
    assert position.zones["foundation"][0] == ["KC", "AC", "2C"]
    assert listed(deal("AS 9C 9C 9D 9D 9H 9H 9S"), "play") == [f"play AS {KS}"]


def test_the_ace_of_hearts_goes_on_the_king_of_hearts_and_not_on_its_twin() -> None:
    assert listed(deal("AH 2H 9C 9C 9D 9D 9H 9H"), "play") == [f"play 2H {AH}", f"play AH {KH}"]


def test_nothing_is_played_on_the_sultan() -> None:
    position = play_texts(deal("AH 2H 2H 9C 9C 9D 9D 9H"), f"play AH {KH}")
    assert position.zones["discard"] == [["KH"]]
    assert not any("discard" in text for text in listed(position))


def test_a_card_that_king_and_ace_of_hearts_wait_for_is_one_move() -> None:
    position = play_texts(deal("AH 2H 2H 9C 9C 9D 9D 9H"), f"play AH {KH}")
    assert listed(position, "play") == [f"play 2H {KH}"] * 2
    assert listed(play_texts(position, f"play 2H {KH}"), "play") == [f"play 2H {AH}"]


def test_twin_kings_that_wait_for_the_same_card_are_one_move() -> None:
    position = deal("AC AC 9C 9C 9D 9D 9H 9H")
    assert listed(position, "play") == [f"play AC {KC}"] * 2


def spades_home() -> Position:
    """A foundation of spades is complete, and the top of the waste is a queen of diamonds."""
    spades = [f"{rank}S" for rank in "A23456789TJQ"]
    position = deal(f"9C 9C 9D 9D 9H 9H TC TC {' '.join(spades)} QD")
    return play_texts(position, *[text for card in spades for text in (TURN, f"play {card} {KS}")], TURN)


def test_the_queen_is_the_last_card() -> None:
    position = spades_home()
    assert position.zones["foundation"][6] == [f"{rank}S" for rank in "KA23456789TJQ"]
    assert not any(text.endswith(KS) for text in listed(position))
    kings = [card for zone in ("stock", "waste", "reserve") for card in flat(position.zones[zone]) if card[0] == "K"]
    assert kings == []


def test_a_place_of_the_divan_is_filled_at_once_from_the_waste() -> None:
    position = play_texts(deal("AC 9C 9C 9D 9D 9H 9H 9S 7D 8D"), TURN, TURN, f"play AC {KC}")
    assert (divan(position)[0], position.zones["waste"]) == ("8D", [["7D"]])
    assert "refill" not in {move.kind for move in position.moves()}


def test_without_a_waste_it_is_filled_from_the_stock() -> None:
    position = play_texts(deal("AC 9C 9C 9D 9D 9H 9H 9S 7D 8D"), f"play AC {KC}")
    assert (divan(position)[0], position.zones["waste"], position.zones["stock"][0][-1]) == ("7D", [[]], "8D")


def test_when_waste_and_stock_are_out_a_place_stays_empty() -> None:
    position = sorted_out()
    while position.zones["stock"][0] or position.zones["waste"][0]:
        assert len(divan(position)) == 8
        position.play(homewards(position))
    for left in range(7, 0, -1):
        position.play(homewards(position))
        assert (len(divan(position)), {move.kind for move in position.moves()}) == (left, {"play"})


def test_a_divan_card_goes_on_no_other_divan_card() -> None:
    position = deal("7D 8D 9D 9C 9C 9H 9H 9S 6D")
    assert listed(position) == [TURN]
    assert listed(play_texts(position, TURN)) == [TURN]


def test_a_waste_card_under_the_top_waits() -> None:
    position = play_texts(deal(f"{IDLE} AC 7D"), TURN)
    play = next(move for move in position.moves() if move.kind == "play")
    assert listed(play_texts(position, TURN)) == [TURN]
    with pytest.raises(IllegalMove):
        position.play(play)


def test_the_waste_may_be_dealt_again_twice_and_no_more() -> None:
    position = deal(IDLE)
    for left in (1, 0):
        assert REDEAL not in listed(position)
        assert listed(turned_out(position), "redeal", "turn") == [REDEAL]
        assert play_texts(position, REDEAL).redeals_left == left
    assert listed(turned_out(position), "redeal", "turn") == []


@pytest.mark.parametrize("redeals", [0, 1, 3])
def test_other_numbers_of_redeals(redeals: int) -> None:
    position = deal(IDLE, f"redeals={redeals}")
    for _ in range(redeals):
        play_texts(turned_out(position), REDEAL)
    assert listed(turned_out(position), "redeal") == []


def test_a_redeal_keeps_divan_and_foundations_and_shuffles_by_the_seed() -> None:
    before = turned_out(deal(IDLE, seed=5))
    after = play_texts(before.copy(), REDEAL)
    assert (after.zones["foundation"], divan(after)) == (before.zones["foundation"], divan(before))
    order, again = before.zones["waste"][0], after.zones["stock"][0]
    assert (sorted(again), after.zones["waste"]) == (sorted(order), [[]])
    assert again not in (order, order[::-1])
    assert again == play_texts(before.copy(), REDEAL).zones["stock"][0]
    assert again != play_texts(turned_out(deal(IDLE, seed=6)), REDEAL).zones["stock"][0]
    assert again != play_texts(turned_out(after.copy()), REDEAL).zones["stock"][0]


def test_the_same_redeal_under_another_number_of_redeals() -> None:
    stocks = [play_texts(turned_out(deal(IDLE, f"redeals={n}", seed=5)), REDEAL).zones["stock"] for n in (1, 2, 3)]
    assert stocks[0] == stocks[1] == stocks[2]


def test_a_redeal_may_turn_the_waste_over() -> None:
    position = turned_out(deal(IDLE, "redeal_shuffle=false"))
    order = position.zones["waste"][0]
    assert play_texts(position, REDEAL).zones["stock"][0] == order[::-1]


def test_the_divan_may_have_six_places() -> None:
    zones = deal(IDLE, "divan=6").zones
    assert (flat(zones["reserve"]), len(zones["stock"][0])) == (IDLE.split()[:6], 89)


def test_the_divan_may_be_filled_when_wanted() -> None:
    position = play_texts(deal("AC 9C 9C 9D 9D 9H 9H 9S 7D 8D", "divan_fill=optional"), f"play AC {KC}")
    assert listed(position) == ["fill reserve[0]", TURN]
    play_texts(position, TURN)
    assert listed(position) == ["fill 7D reserve[0]", TURN]
    assert divan(play_texts(position, "fill 7D reserve[0]"))[0] == "7D"
    assert listed(position, "fill") == []


def test_the_divan_may_be_filled_from_the_waste_alone() -> None:
    cards = "AC 9C 9C 9D 9D 9H 9H 9S 7D 8D"
    position = play_texts(deal(cards, "fill_from_stock=false"), f"play AC {KC}")
    assert (len(divan(position)), listed(position)) == (7, [TURN])
    assert (divan(play_texts(position, TURN))[0], position.zones["waste"]) == ("7D", [[]])
    wanted = play_texts(deal(cards, "fill_from_stock=false,divan_fill=optional"), f"play AC {KC}")
    assert listed(wanted) == [TURN]
    assert listed(play_texts(wanted, TURN)) == ["fill 7D reserve[0]", TURN]


def test_what_can_be_played_may_have_to_be_played() -> None:
    cards = "AC AS 9C 9C 9D 9D 9H 9H 7D"
    assert listed(deal(cards)) == [f"play AC {KC}", f"play AS {KS}", TURN]
    position = deal(cards, "foundation_play=forced,divan_fill=optional")
    assert listed(position) == [f"play AC {KC}", f"play AS {KS}"]
    assert listed(play_texts(position, f"play AC {KC}")) == [f"play AS {KS}"]


def test_the_deal_may_turn_the_first_card() -> None:
    zones = deal(f"{IDLE} 7D 8D", "turn_at_deal=true").zones
    assert (zones["waste"], len(zones["stock"][0])) == ([["7D"]], 86)


def test_won_with_eight_queens_round_the_sultan() -> None:
    position = sorted_out()
    while not position.over:
        position.play(homewards(position))
    assert (position.won, position.cards_home, position.moves()) == (True, 103, [])
    assert [pile[-1] for pile in position.zones["foundation"]] == [f"Q{suit}" for suit in "CCDDHHSS"]
    assert (position.zones["discard"], divan(position)) == ([["KH"]], [])
