"""The Shah, dossier 11: its test facts, and its states in which only some moves are legal, on arranged decks."""

import random

import pytest

import sim
from sim.position import Position
from tests.engine import deck_with, flat, listed, play_texts, walk

TURN = "turn waste[0]"
OUT = "AC*2 AD*2 AH*2 AS*2 KC KD KC KD KH KS KH KS"  # aces and kings come first, out of the way
# Unnamed cards are queens, jacks, tens, …: where 24 are dealt, none can be married to another of its circle.
A_RAY_OF_CLUBS = "4C ..*7 3C ..*7 2C ..*7"
EMPTIED = ("play 2C foundation[0]", "play 3C foundation[0]", "play 4C foundation[0]")
BOUT = "..*8 2C ..*7 7D 8D 9S TS TC*2 TH*2 6H 6C 6S 5S"  # rays 0 and 2 can be opened from without
OPENED = ("build 7D outer[1]", "play 2C foundation[0]", "build 9S outer[3]")


def deal(first: str = "", options: str = "") -> Position:
    """Circle by circle, each from the top to the right: the first 24 cards if nothing can be played meanwhile."""
    return sim.game(f"the_shah({options})").deal(deck=deck_with(f"{OUT} {first}", 2))


def rays(position: Position, *circles: str) -> list[list[str]]:
    """The rays' cards by circle, as text."""
    return [[" ".join(pile) for pile in position.zones[circle]] for circle in circles]


def with_bout(options: str = "", turns: int = 0) -> Position:
    """Three spaces: the middle and the outer place of ray 0, and the outer place of ray 2."""
    position = play_texts(deal(BOUT, options), "deal outer[0]", *[TURN] * turns)
    return play_texts(position, *OPENED)


def with_lane(options: str = "", turns: int = 0) -> Position:
    """Ray 0 is gone."""
    return play_texts(deal(f"{A_RAY_OF_CLUBS} 6H 6C 6S 5S", options), *[TURN] * turns, *EMPTIED)


def all_dealt() -> Position:
    """Rays of queen, jack and ten, the tens outside; all lower cards are home, and neither stock nor waste is left."""
    low = " ".join(f"{rank}{suit}*2" for rank in "23456789Q" for suit in "CSHD")
    outside = " ".join(f"{rank}{suit}" for rank in "JT" for suit in "DHSCHSDC")  # the queens lie so in the inner circle
    position = deal(f"{low} {outside}")
    for _ in range(64):
        position.play(next(move for move in position.moves() if move.kind == "play"))
    return position


def test_three_circles_eight_aces_and_eight_kings_out_of_play() -> None:
    position = deal("..*24 9D 8D")
    zones = position.zones
    assert [len(pile) for circle in ("inner", "middle", "outer") for pile in zones[circle]] == [1] * 24
    assert zones["inner"] == [[card] for card in ("QC", "QC", "QS", "QS", "QH", "QH", "QD", "QD")]
    assert zones["foundation"] == [["AC"], ["AC"], ["AD"], ["AD"], ["AH"], ["AH"], ["AS"], ["AS"]]
    assert (zones["shah"], zones["discard"]) == ([["KH"]], [["KC", "KD", "KC", "KD", "KS", "KH", "KS"]])
    assert (len(zones["stock"][0]), zones["stock"][0][-2:], zones["waste"]) == (64, ["8D", "9D"], [[]])
    assert (listed(position), position.cards_home) == ([TURN], 8)


def test_any_king_is_the_last_of_the_deck() -> None:
    assert deal("", "shah=any_king").zones["shah"] == [["KS"]]


def test_a_circle_is_played_while_it_is_dealt_and_its_spaces_are_filled_at_once() -> None:
    position = deal("2S ..*7 3S 7D")
    assert listed(position) == ["deal middle[0]", "play 2S foundation[6]"]
    play_texts(position, "play 2S foundation[6]")
    assert (position.zones["inner"][0], listed(position)) == (["3S"], ["deal middle[0]", "play 3S foundation[6]"])
    assert not any(flat(rays(position, "middle", "outer")))
    play_texts(position, "play 3S foundation[6]")
    assert (position.zones["inner"][0], len(position.zones["outer"][7])) == (["7D"], 1)


def test_the_next_circle_blocks_the_one_before() -> None:
    position = play_texts(deal("2S ..*7 2H"), "deal middle[0]")
    assert listed(position) == ["deal outer[0]", "play 2H foundation[4]"]
    assert listed(play_texts(position, "deal outer[0]")) == [TURN]
    assert rays(position, "inner", "middle")[0][0] == "2S"


def test_the_deal_ends_with_the_third_circle() -> None:
    position = deal("..*16 2S")
    assert listed(position) == ["play 2S foundation[6]", TURN]
    assert listed(play_texts(position, "play 2S foundation[6]")) == ["refill outer[0]"]


def test_no_marriages_during_the_deal_but_by_option() -> None:
    assert listed(deal("7D 8D")) == [TURN]
    position = deal("7D 8D ..*6 5S", "marry_during_deal=true")
    assert listed(position) == ["build 7D inner[1]", "deal middle[0]"]
    assert rays(play_texts(position, "build 7D inner[1]"), "inner")[0][:2] == ["5S", "8D 7D"]


def test_marriages_descend_in_suit_in_the_outer_circle() -> None:
    assert listed(deal("..*16 7D 8D 8H"), "build") == ["build 7D outer[1]"]
    assert listed(deal("..*8 7D 8D"), "build") == []


def test_the_waste_marries_outer_cards() -> None:
    position = play_texts(deal("..*16 8D ..*7 7D"), TURN)
    assert listed(position) == ["build 7D outer[0]", TURN]
    assert listed(play_texts(position, "build 7D outer[0]")) == [TURN]


def test_a_queen_marries_nothing() -> None:
    assert listed(deal("..*16 QD JD 2C*2 2D*2 2H*2"), "build") == ["build JD outer[0]"]


@pytest.mark.parametrize(("options", "builds"), [("", []), ("marriage_on_released_inner=true", ["build 8H middle[0]"])])
def test_a_released_middle_card_is_played_but_not_married(options: str, builds: list[str]) -> None:
    position = play_texts(deal("..*8 9H ..*7 7D 8D TH 8H", options), "build 7D outer[1]")
    assert listed(position, "build") == builds
    played = play_texts(deal("..*8 2C ..*7 7D 8D", options), "deal outer[0]", "build 7D outer[1]")
    assert listed(played) == ["play 2C foundation[0]", "refill outer[0]"]


def test_what_was_married_to_an_inner_card_is_only_played() -> None:
    position = deal("..*8 9H ..*7 7D 8D TH 8H 9H", "marriage_on_released_inner=true")
    play_texts(position, "build 7D outer[1]", "build 8H middle[0]")
    assert (rays(position, "middle")[0][0], listed(position)) == ("9H 8H", ["build 9H outer[2]", "refill outer[0]"])
    assert listed(play_texts(position, "build 9H outer[2]"), "build") == []


def test_runs_move_only_with_sequence() -> None:
    first = "..*16 7D 8D 9D"
    assert "build 8D 7D outer[2]" not in listed(play_texts(deal(first), "build 7D outer[1]"))
    position = play_texts(deal(first, "move_unit=sequence"), "build 7D outer[1]")
    assert listed(position) == ["build 8D 7D outer[2]", "refill outer[0]"]


def test_refilling_goes_from_inner_to_outer_circles_and_left_to_right() -> None:
    position = with_bout()
    assert listed(position) == ["refill middle[0]"]
    play_texts(position, "refill middle[0]")
    middle, outer = rays(position, "middle", "outer")
    assert (middle[0], outer[0], outer[2], listed(position)) == ("6H", "6C", "6S", [TURN])


def test_spaces_are_refilled_before_the_next_stock_card_not_sooner() -> None:
    position = play_texts(deal(BOUT), "deal outer[0]", OPENED[0])
    assert listed(position) == ["build 9S outer[3]", "play 2C foundation[0]", "refill outer[0]"]


def test_a_bout_once_begun_is_finished_and_each_space_has_its_source() -> None:
    position = with_bout(turns=2)
    assert listed(position) == ["refill 6C middle[0]", "refill middle[0]"]
    play_texts(position, "refill middle[0]")
    assert listed(position) == ["refill 6C outer[0]", "refill outer[0]"]
    play_texts(position, "refill 6C outer[0]")
    assert listed(position) == ["refill 6H outer[2]", "refill outer[2]"]
    middle, outer = rays(play_texts(position, "refill 6H outer[2]"), "middle", "outer")
    assert (middle[0], outer[0], outer[2], position.zones["waste"]) == ("6S", "6C", "6H", [[]])


def test_nothing_else_is_legal_within_a_bout() -> None:
    position = deal("..*16 2C 2S 7D 8D ..*4 6H", "")
    play_texts(position, TURN, "play 2C foundation[0]", "build 7D outer[3]")
    assert "play 2S foundation[6]" in listed(position)
    assert listed(play_texts(position, "refill outer[0]")) == ["refill 6H outer[2]", "refill outer[2]"]


def test_a_bout_goes_on_by_itself_when_one_source_is_out() -> None:
    position = play_texts(with_bout(turns=1), "refill 6H middle[0]")
    middle, outer = rays(position, "middle", "outer")
    assert (middle[0], outer[0], outer[2], listed(position)) == ("6H", "6C", "6S", [TURN])


@pytest.mark.parametrize(("source", "card", "cards"), [("waste", " 6C", "6C 6H 6S"), ("stock", "", "6S 5S")])
def test_a_bout_with_one_source_is_one_step(source: str, card: str, cards: str) -> None:
    position = with_bout(f"refill_source={source}_first", turns=2)
    assert listed(position) == [f"refill{card} middle[0]"]
    middle, outer = rays(play_texts(position, f"refill{card} middle[0]"), "middle", "outer")
    assert f"{middle[0]} {outer[0]} {outer[2]}".startswith(cards)


def test_at_once_a_space_is_filled_within_the_step_or_waits_for_its_source() -> None:
    position = play_texts(deal(BOUT, "refill_timing=at_once"), "deal outer[0]", OPENED[0])
    assert (rays(position, "outer")[0][0], listed(position)) == ("6H", ["build 9S outer[3]", TURN])
    play_texts(position, TURN, OPENED[2])
    assert listed(position) == ["refill 6C outer[2]", "refill outer[2]"]


def test_an_empty_ray_is_attended_to_at_once() -> None:
    position = with_lane(turns=1)
    graces = [f"fill {card} inner[0]" for card in sorted(rays(position, "outer")[0][1:])]
    assert listed(position) == sorted([*graces, "fill 6H inner[0]", "fill inner[0]"])
    card = graces[0].split()[1]
    play_texts(position, graces[0])
    inner, middle, outer = rays(position, "inner", "middle", "outer")
    assert (inner[0], middle[0], outer[0], position.zones["waste"]) == (card, "6H", "6C", [[]])
    assert (outer.count(""), "refill outer[" in " ".join(listed(position))) == (1, True)


@pytest.mark.parametrize(
    ("move", "ray"), [("fill 6C inner[0]", ["6C", "6H", "6S"]), ("fill inner[0]", ["6S", "6C", "6H"])]
)
def test_without_the_grace_the_inner_place_has_its_source_and_the_others_the_waste(move: str, ray: list[str]) -> None:
    position = with_lane("lane_grace=off", turns=2)
    assert listed(position) == ["fill 6C inner[0]", "fill inner[0]"]
    assert [circle[0] for circle in rays(play_texts(position, move), "inner", "middle", "outer")] == ray


@pytest.mark.parametrize(("turns", "options"), [(0, "lane_grace=off"), (3, "lane_grace=off,refill_source=waste_first")])
def test_an_empty_ray_without_a_choice_is_made_up_within_the_step(turns: int, options: str) -> None:
    position = with_lane(options, turns)
    ray = [circle[0] for circle in rays(position, "inner", "middle", "outer")]
    assert (ray, listed(position)) == (["6S", "6C", "6H"] if turns else ["6H", "6C", "6S"], [TURN])


def test_when_the_stock_is_out_refilling_is_optional() -> None:
    position = play_texts(deal("..*16 2C 3C 7D 8D ..*4 6H"), *[TURN] * 64)
    play_texts(position, "play 2C foundation[0]")
    assert {"play 3C foundation[0]", f"refill {position.zones['waste'][0][-1]} outer[0]"} <= set(listed(position))


def test_when_stock_and_waste_are_out_the_grace_is_optional() -> None:
    position = all_dealt()
    assert (position.zones["stock"], position.zones["waste"]) == ([[]], [[]])
    play_texts(position, *[f"play {card} foundation[0]" for card in ("TC", "JC", "QC")])
    assert {"play TC foundation[1]", "fill TC inner[7]", "fill TD inner[7]"} <= set(listed(position))
    assert listed(position, "refill") == []
    play_texts(position, "fill TC inner[7]")
    assert [(circle[7], circle[3]) for circle in rays(position, "inner", "middle", "outer")] == [
        ("TC", "QC"),
        ("", "JC"),
        ("", ""),
    ]


def test_won_with_eight_queens_round_the_shah() -> None:
    position = all_dealt()
    while not position.over:
        position.play(next(move for move in position.moves() if move.kind == "play"))
    assert (position.won, position.cards_home, position.moves()) == (True, 96, [])
    assert [len(pile) for pile in position.zones["foundation"]] == [12] * 8


def test_no_redeal() -> None:
    position = play_texts(deal(), *[TURN] * 64)
    assert listed(position, "turn", "redeal") == []


@pytest.mark.parametrize("options", ["", "refill_timing=at_once", "marriage_on_released_inner=true"])
def test_places_within_others_are_never_empty_alone(options: str) -> None:
    """A card inside a ray does not leave before those outside it."""
    dice = random.Random(options)
    for seed in range(2):
        for position in walk(sim.game(f"the_shah({options})").deal(seed=seed), dice, 60):
            inner, middle, outer = rays(position, "inner", "middle", "outer")
            assert all((not m or i) and (not o or m) for i, m, o in zip(inner, middle, outer, strict=True))
