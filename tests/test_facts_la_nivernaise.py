"""The test facts of dossier 17, La Nivernaise, through the Python door: Flanks, Line, what is seen of it, exchanges."""

from collections import Counter

import pytest

import sim
from sim.position import Position
from tests.engine import flat, listed, play_texts

# Unnamed cards come in this order: as long as no foundation is begun none of the first can be played.
RANKS = "JT9876543Q2KA"
DEAL, REDEAL = "deal tableau[0]", "redeal tableau[0]"
ON_FLANKS = "AC KC AD KD AH KH AS KS"  # eight cards that can be played from the Flanks at once
OPENED = [f"play {card} foundation[{i}]" for i, card in enumerate(ON_FLANKS.split())]


def deal(first: str = "", options: str = "") -> Position:
    """The Flanks, then packets of four; `..` is any other card and `..*n` n of them."""
    named = [card for word in first.split() for card in [word[:2]] * int(word[3:] or 1)]
    full = Counter([rank + suit for rank in RANKS for suit in "CSHD"] * 2)
    rest = list((full - Counter(card for card in named if card != "..")).elements())
    deck = [rest.pop(0) if card == ".." else card for card in named] + rest
    return sim.game(f"la_nivernaise({options})").deal(deck=deck)


def vacant(n: int, line: str = "", options: str = "") -> Position:
    """After as many cards have been played from the Flanks."""
    return play_texts(deal(f"{ON_FLANKS} {line}", options), *OPENED[:n])


def dealt_out(position: Position) -> Position:
    """All rounds dealt."""
    while position.zones["stock"][0]:
        play_texts(position, DEAL)
    return position


def heights(position: Position) -> list[int]:
    return [len(packet) for packet in position.zones["tableau"]]


def seen(position: Position) -> list[int]:
    """How many cards of each packet may be looked at."""
    first = int(position.game.rules.first[2])
    return [height - int(position.state.covered[first + i]) for i, height in enumerate(heights(position))]


def test_eight_flanks_six_packets_of_four_and_a_stock() -> None:
    position = deal("..*8 3C 4C 5C 6C 7C")
    assert [len(pile) for pile in position.zones["reserve"]] == [1] * 8
    assert (heights(position), len(position.zones["stock"][0])) == ([4] * 6, 72)
    assert position.zones["tableau"][0] == ["3C", "4C", "5C", "6C"]
    assert (position.zones["tableau"][1][0], listed(position)) == ("7C", [DEAL])


def test_three_rounds_later_the_stock_is_out() -> None:
    position = play_texts(deal(), DEAL)
    assert (heights(position), len(position.zones["stock"][0])) == ([8] * 6, 48)
    assert heights(play_texts(position, DEAL, DEAL)) == [16] * 6
    assert (position.zones["stock"], listed(position, "deal")) == ([[]], [])


def test_flanks_and_upper_cards_of_the_line_go_home() -> None:
    position = deal("AS ..*7 ..*3 KS AC ..*3")
    assert listed(position) == [DEAL, "play AS foundation[6]", "play KS foundation[7]"]


def test_a_vacant_flank_takes_an_upper_card_or_the_next_of_the_stock() -> None:
    position = vacant(1, "..*3 9C ..*3 9D")
    uppers = [packet[-1] for packet in position.zones["tableau"]]
    assert listed(position, "fill") == sorted(["fill reserve[0]", *[f"fill {card} reserve[0]" for card in uppers]])
    upcoming = position.zones["stock"][0][-1]
    assert play_texts(position, "fill reserve[0]").zones["reserve"][0] == [upcoming]
    assert listed(position, "fill") == []
    position = play_texts(vacant(2, "..*3 9C"), "fill 9C reserve[0]")
    assert (position.zones["reserve"][0], heights(position)[0]) == (["9C"], 3)
    assert all(text.endswith("reserve[1]") for text in listed(position, "fill"))


def test_by_option_only_the_line_fills_flanks() -> None:
    assert "fill reserve[0]" not in listed(vacant(1, options="flank_fill=line_only"))


def test_no_building_on_the_line() -> None:
    position = vacant(1, "..*3 9C ..*3 8C")
    assert not any("tableau" in text for text in listed(position) if text != DEAL)


def test_a_packet_that_is_gone_gets_four_cards_at_once() -> None:
    position = play_texts(vacant(1, "5C 4C 3C 2C"), "play 2C foundation[0]", "play 3C foundation[0]")
    following = position.zones["stock"][0][:-5:-1]
    assert heights(play_texts(position, "play 4C foundation[0]"))[0] == 1
    assert position.zones["tableau"][0] == ["5C"]
    play_texts(position, "play 5C foundation[0]")
    assert (position.zones["tableau"][0], len(position.zones["stock"][0])) == (following, 68)


def test_a_packet_that_is_emptied_to_a_flank_is_replaced_too() -> None:
    position = vacant(4, "5C 4H 3H 9C")
    play_texts(position, *[f"fill {card} reserve[{i}]" for i, card in enumerate(["9C", "3H", "4H", "5C"])])
    assert (heights(position)[0], len(position.zones["stock"][0])) == (4, 68)


def test_a_short_stock_makes_a_short_round() -> None:
    position = play_texts(vacant(1), "fill reserve[0]", DEAL, DEAL)
    assert len(position.zones["stock"][0]) == 23
    assert heights(play_texts(position, DEAL)) == [16] * 5 + [15]


def test_foundations_ascend_from_aces_and_descend_from_kings() -> None:
    position = vacant(8, "..*3 2C ..*3 QC ..*3 2D ..*3 KC ..*3 AC ..*3 3C")
    assert listed(position, "play") == ["play 2C foundation[0]", "play 2D foundation[2]", "play QC foundation[1]"]


def test_the_second_ace_ends_the_packet_that_descends() -> None:
    down = [rank + "S" for rank in "QJT98765432A"]
    line = " ".join(" ".join(down[i : i + 4][::-1]) for i in (0, 4, 8))
    position = play_texts(vacant(8, line), *[f"play {card} foundation[7]" for card in down[:-1]])
    assert listed(position, "play") == ["play AS foundation[7]"]
    assert len(play_texts(position, "play AS foundation[7]").zones["foundation"][7]) == 13


def sixes_and_sevens(options: str = "") -> Position:
    """Hearts: six cards up to the six, seven down to the seven."""
    position = vacant(8, "5H 4H 3H 2H TH JH QH 6H 7H 8H 9H 9C 9D*2 9S*2 8C*2 8D*2 8S*2 7C*2", options)
    play_texts(position, "fill 9C reserve[0]", *[f"play {rank}H foundation[4]" for rank in "23456"])
    return play_texts(position, *[f"play {rank}H foundation[5]" for rank in "QJT987"])


def test_a_card_passes_between_the_foundations_of_its_suit() -> None:
    assert listed(sixes_and_sevens(), "transfer") == ["transfer 6H foundation[5]", "transfer 7H foundation[4]"]
    position = play_texts(sixes_and_sevens(), "transfer 6H foundation[5]")
    assert [pile[-1] for pile in position.zones["foundation"][4:6]] == ["5H", "6H"]
    assert (position.cards_home, listed(position, "transfer")) == (
        sixes_and_sevens().cards_home,
        ["transfer 5H foundation[5]", "transfer 6H foundation[4]"],
    )
    assert listed(sixes_and_sevens("exchange=off"), "transfer") == []


def test_aces_and_kings_do_not_pass_but_by_option() -> None:
    start = "AS KS ..*6 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS .."
    for options, passes in (("", []), ("exchange_base=true", ["transfer AS foundation[7]"])):
        position = play_texts(deal(start, options), "play AS foundation[6]", "play KS foundation[7]")
        position.play(next(move for move in position.moves() if move.cards == (position.zones["tableau"][2][-1],)))
        for rank in "QJT98765432":
            play_texts(position, f"play {rank}S foundation[7]")
        assert "transfer 2S foundation[6]" in listed(position, "transfer")
        assert [text for text in listed(position, "transfer") if "AS" in text] == passes


def test_as_many_cards_are_seen_as_flanks_are_vacant() -> None:
    assert seen(play_texts(vacant(3), DEAL)) == [3] * 6
    assert [seen(vacant(n)) for n in range(5)] == [[1] * 6, [1] * 6, [2] * 6, [3] * 6, [4] * 6]
    position = play_texts(vacant(3), "fill reserve[0]")
    assert seen(position) == [2] * 6


def test_other_views() -> None:
    assert seen(vacant(3, options="line_view=top_only")) == [1] * 6
    assert seen(vacant(0, options="line_view=all")) == [4] * 6


def test_cards_that_are_not_seen_are_no_moves() -> None:
    position = vacant(8, "2C 9C 9D 9H")
    assert not any("2C" in text for text in listed(position))


@pytest.mark.parametrize("order", ["packet1_bottom_first", "packet6_bottom_first"])
def test_the_line_is_dealt_again_in_order_and_the_flanks_stay(order: str) -> None:
    position = dealt_out(vacant(1, options=f"gather={order}"))
    packets, flanks = position.zones["tableau"], position.zones["reserve"]
    cards = flat(packets if order == "packet1_bottom_first" else packets[::-1])
    assert REDEAL in listed(position)
    play_texts(position, REDEAL)
    assert position.zones["tableau"] == [cards[4 * i : 4 * i + 4] for i in range(6)]
    assert (position.zones["stock"][0][::-1], position.zones["reserve"]) == (cards[24:], flanks)


@pytest.mark.parametrize("redeals", [0, 1, 2, 3])
def test_so_many_redeals_each_when_the_stock_is_out(redeals: int) -> None:
    position = deal("", f"redeals={redeals}")
    for left in range(redeals, 0, -1):
        assert (position.redeals_left, REDEAL in listed(position)) == (left, False)
        play_texts(dealt_out(position), REDEAL)
    assert REDEAL not in listed(dealt_out(position))


def test_flanks_and_foundations_fill_flanks_only_by_option() -> None:
    assert not any(text in listed(vacant(2)) for text in ("fill AD reserve[0]", "return AC reserve[0]"))
    assert "fill AD reserve[0]" in listed(vacant(2, options="flank_to_flank=true"))
    assert "return AC reserve[0]" in listed(vacant(2, options="foundation_return=true"))


def test_an_ace_or_king_is_brought_to_the_flanks_by_option() -> None:
    without, arranged = deal("..*8"), deal("..*8", "arranged_deal=true")
    assert not any(card[0] in "AK" for card in flat(without.zones["reserve"]))
    last = without.zones["stock"][0][0]
    assert arranged.zones["reserve"] == [[last], *without.zones["reserve"][:7]]
    assert deal(ON_FLANKS, "arranged_deal=true").zones == deal(ON_FLANKS).zones
