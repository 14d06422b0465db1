"""The rules of Fan, each through the Python door on arranged packets."""

import sim
from sim.position import Position
from tests.engine import deck_with, listed, play_texts

TOPS = "3H 2H AH KC QC KH 5C 6C QD KD 7C 4H 2C 3C QH"  # packets that end with an ace, a king, a queen, a four, a queen


def emptied(options: str = "") -> Position:
    """The first packet has gone home."""
    start = sim.game(f"fan({options})").deal(deck=deck_with(TOPS))
    return play_texts(start, *(f"play {card} foundation[2]" for card in ("AH", "2H", "3H")))


def test_sixteen_packets_of_three_and_two_of_two() -> None:
    position = sim.game("fan").deal(deck=deck_with(TOPS))
    assert [len(packet) for packet in position.zones["tableau"]] == [3] * 16 + [2] * 2
    assert position.zones["tableau"][0] == ["3H", "2H", "AH"]
    assert (position.redeals_left, position.zones["stock"]) == (0, [[]])


def test_marriages_descend_in_suit() -> None:
    position = sim.game("fan").deal(deck=deck_with(TOPS))
    assert "build QH tableau[1]" in listed(position)
    assert "build QD tableau[1]" not in listed(position)
    assert not any(text.startswith("build KH") for text in listed(position))


def test_only_a_king_fills_an_emptied_packet() -> None:
    assert listed(emptied(), "fill") == ["fill KH tableau[0]"]
    assert listed(emptied("vacancy=closed"), "fill") == []
    assert "fill QH tableau[0]" in listed(emptied("vacancy=any"), "fill")


def test_a_foundation_card_may_come_back() -> None:
    assert listed(emptied(), "return") == ["return 3H tableau[3]"]
    assert listed(emptied("foundation_return=false"), "return") == []


def test_runs_move_by_option() -> None:
    texts = ("build QH tableau[1]", "fill KH QH tableau[0]")
    assert texts[1] not in listed(play_texts(emptied(), texts[0]))
    assert play_texts(emptied("move_unit=sequence"), *texts).zones["tableau"][0] == ["KH", "QH"]
