"""The Salic Law, dossier 08: its test facts through the Python door, on arranged decks. A king leads every deck."""

import random
from collections import Counter

import pytest

import sim
from sim.position import Position
from tests.engine import deck_with, flat, listed, play_texts, walk


def deal(first: str, options: str = "", cards: int = 0) -> Position:
    """The deck that begins so, with so many cards dealt one after the other."""
    position = sim.game(f"the_salic_law({options})").deal(deck=deck_with(first, 2))
    for _ in range(cards):
        position.play(next(move for move in position.moves() if move.kind == "deal"))
    return position


def packets(position: Position) -> list[str]:
    """The packets as text, those that are not begun left out."""
    return [" ".join(packet) for packet in position.zones["tableau"] if packet]


def all_dealt(last: str, options: str = "") -> Position:
    """The deal is over, and these cards were the last; all others were dealt before, on the kings that they hold."""
    left = Counter(deck_with("", 2)) - Counter(last.split())
    first = sorted(left.elements(), key=lambda card: card[0] != "K")
    return deal(" ".join([*first, last]), options, 103)


def test_one_king_is_laid_and_the_others_are_dealt_on_it() -> None:
    position = deal("KH 5H KS 6H")
    assert (packets(position), len(position.zones["stock"][0])) == (["KH"], 103)
    assert listed(position) == ["deal tableau[0]"]
    assert packets(play_texts(position, "deal tableau[0]")) == ["KH 5H"]


def test_a_king_begins_the_next_packet() -> None:
    position = deal("KH 5H KS 6H 7C", cards=4)
    assert (packets(position), listed(position)) == (["KH 5H", "KS 6H 7C"], ["deal tableau[1]"])


def test_after_the_deal_there_are_eight_packets_and_eight_queens() -> None:
    position = deal("", cards=103)
    zones = position.zones
    assert (len(packets(position)), zones["stock"]) == (8, [[]])
    assert sorted(flat(zones["queens"])) == sorted(f"Q{suit}" for suit in "CDHS" for _ in range(2))
    assert [pile[0][0] for pile in zones["foundation"]] == ["A"] * 8


def test_aces_and_queens_never_rest_on_a_packet() -> None:
    position = deal("KC AS QH 5C", cards=2)
    assert (packets(position), position.zones["foundation"][0], position.zones["queens"][0]) == (["KC"], ["AS"], ["QH"])
    for position in walk(sim.game("the_salic_law").deal(seed=4), random.Random(4), 150):
        assert not {"A", "Q"} & {card[0] for card in flat(position.zones["tableau"])}


def test_queens_may_be_set_aside_before_the_deal() -> None:
    position = deal("KC AS QH 5C", "queens=removed_first")
    assert (position.zones["queens"][0], len(flat(position.zones["queens"]))) == (["QH"], 8)
    assert len(position.zones["stock"][0]) == 95


@pytest.mark.parametrize(("options", "king"), [("", "KS"), ("first_king=nearest_bottom", "KD")])
def test_the_king_nearest_an_end_of_the_pack_is_withdrawn(options: str, king: str) -> None:
    kings = "5C KS KC*2 KH*2 KS KD*2"
    position = deal(kings, options)
    assert packets(position) == [king]
    assert position.zones["stock"][0][::-1][:2] == (["5C", "KC"] if king == "KS" else ["5C", "KS"])


def test_a_king_may_be_drawn() -> None:
    game, deck = sim.game("the_salic_law(first_king=random)"), deck_with("", 2)
    assert {game.deal(seed=seed, deck=deck).zones["tableau"][0][0] for seed in range(40)} == {"KC", "KD", "KH", "KS"}
    assert game.deal(seed=3).zones == game.deal(seed=3).zones


def test_foundations_do_not_follow_suit() -> None:
    position = deal("KC AS 3H 2H", cards=2)
    assert listed(position) == ["deal tableau[0]"]
    position = play_texts(position, "deal tableau[0]")
    assert listed(position) == ["deal tableau[0]", "play 2H foundation[0]"]
    assert "play 3H foundation[0]" in listed(play_texts(position, "play 2H foundation[0]"))


@pytest.mark.parametrize("direct", ["true", "false"])
def test_a_dealt_card_is_the_surface_of_its_packet(direct: str) -> None:
    assert "play 2H foundation[0]" in listed(deal("KC AS 2H", f"turned_card_direct={direct}", cards=2))


def test_foundations_of_one_height_are_one_target() -> None:
    assert listed(deal("KC AS AH 2H", cards=3), "play") == ["play 2H foundation[0]"]


def test_the_surface_of_any_packet_is_playable_during_the_deal() -> None:
    position = deal("KC 2S KD 2H KH AC AD 5H", cards=6)
    assert listed(position, "play") == ["play 2H foundation[0]", "play 2S foundation[0]"]
    play_texts(position, "play 2S foundation[0]", "play 2H foundation[1]", "deal tableau[2]")
    assert packets(position) == ["KC", "KD", "KH 5H"]


def test_no_card_goes_to_a_bare_king_during_the_deal_but_by_option() -> None:
    cards = "KC KD 5H KH"
    assert listed(deal(cards, cards=3)) == ["deal tableau[2]"]
    position = deal(cards, "king_space_during_deal=true", cards=3)
    assert listed(position) == ["deal tableau[2]", "fill 5H tableau[0]", "fill 5H tableau[2]"]
    play_texts(position, "fill 5H tableau[2]", "deal tableau[2]")
    assert [packet.split()[:2] for packet in packets(position)[:3]] == [["KC"], ["KD"], ["KH", "5H"]]


def test_after_the_deal_one_card_at_a_time_may_lie_on_a_bare_king() -> None:
    position = all_dealt("6S 5S KC KD 8H KH 9H KS")
    assert packets(position)[4:] == ["KC", "KD 8H", "KH 9H", "KS"]
    play_texts(position, "fill 5S tableau[4]")
    assert packets(position)[4] == "KC 5S"
    fills = ["6S tableau[7]", "8H tableau[7]", "9H tableau[7]"]  # the other kings lie beneath the five of spades
    assert {f"fill {fill}" for fill in fills} <= set(listed(position, "fill"))
    assert not [text for text in listed(position, "fill") if text.endswith("tableau[4]")]


def test_a_king_is_a_space_again_when_its_card_is_gone() -> None:
    cards = "2H 6S 3S KC KD 8H KH 9H KS"
    for options, again in (("", True), ("king_space=once_per_king", False)):
        position = play_texts(all_dealt(cards, options), "fill 3S tableau[4]", "fill 6S tableau[7]")
        play_texts(position, "play 2H foundation[0]", "play 3S foundation[0]")
        assert packets(position)[4] == "KC"
        assert ("fill 8H tableau[4]" in listed(position)) == again


def test_only_cards_that_the_player_lays_use_a_king_up() -> None:
    position = all_dealt("KC 2H KD 9H", "king_space=once_per_king")
    assert "fill 9H tableau[6]" in listed(play_texts(position, "play 2H foundation[0]"))


def test_a_lone_card_does_not_pass_to_a_twin_king() -> None:
    assert "fill 8H tableau[7]" not in listed(all_dealt("KD KC 8H KC"))
    assert "fill 8H tableau[5]" in listed(all_dealt("KD KC 8H KC"))
    assert "fill 8H tableau[7]" in listed(all_dealt("KD KC 8H KC", "king_space=once_per_king"))
    dealt_on = deal("KC 8H KC", "king_space_during_deal=true", 2)
    assert listed(dealt_on, "fill") == ["fill 8H tableau[1]"]
    assert listed(play_texts(dealt_on, "fill 8H tableau[1]"), "fill") == ["fill 8H tableau[0]"]


def test_no_marriages() -> None:
    position = all_dealt("6H KC 5H KD 9C")
    assert [packet[-2:] for packet in packets(position)[5:]] == ["6H", "5H", "9C"]
    assert {text.split()[0] for text in listed(position)} <= {"play", "fill"}
    assert "fill 5H tableau[4]" in listed(position)
    assert not {"fill 5H tableau[5]", "fill 5H tableau[7]"} & set(listed(position))


def test_kings_and_queens_never_move() -> None:
    for position in walk(sim.game("the_salic_law").deal(seed=2), random.Random(2), 200):
        assert not {"K", "Q"} & {card[0] for move in position.moves() for card in move.cards}
        assert all(packet[0][0] == "K" for packet in position.zones["tableau"] if packet)


def test_with_its_king_a_foundation_waits() -> None:
    cards = "KC AC AD 2H 2S KD 2D"
    assert listed(deal(cards, "foundation_opens=with_its_king", 4), "play") == ["play 2S foundation[0]"]
    position = play_texts(deal(cards, "foundation_opens=with_its_king", 4), "play 2S foundation[0]")
    assert listed(position) == ["deal tableau[0]"]
    assert listed(play_texts(position, "deal tableau[0]"), "play") == ["play 2H foundation[1]"]
    assert listed(play_texts(deal(cards, "", 4), "play 2S foundation[0]"), "play") == ["play 2H foundation[1]"]


def in_order(kings_last: bool) -> Position:
    """Low cards come as the foundations want them, each played at once; kings and queens before them, or after."""
    low = [rank + suit for rank in "A23456789TJ" for suit in "CDHS" for _ in range(2)]
    high = [rank + suit for rank in "QK" for suit in "CDHS" for _ in range(2)][:-1]
    position = deal(" ".join(["KS", *(low + high if kings_last else high + low)]))
    while not position.over:
        position.play(min(position.moves(), key=lambda move: move.kind != "play"))
    return position


@pytest.mark.parametrize("kings_last", [True, False])
def test_won_with_eight_knaves_even_if_kings_are_still_to_be_dealt(kings_last: bool) -> None:
    position = in_order(kings_last)
    assert (position.won, position.cards_home, len(position.zones["stock"][0])) == (True, 88, 15 * kings_last)
    assert [(len(pile), pile[-1][0]) for pile in position.zones["foundation"]] == [(11, "J")] * 8


def test_no_redeal() -> None:
    position = deal("", cards=103)
    assert listed(position, "redeal", "deal", "turn") == []
