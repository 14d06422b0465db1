"""Rouge et Noir's test facts, dossier 02. The deck: columns of 8, 7, 6, 5, 4, 3, 2, 1, 1, then deals of ten cards."""

import pytest

import sim
from sim.errors import IllegalMove
from sim.position import Position
from tests.engine import deck_with, listed, play_texts
from tests.test_playthroughs import greedy_moves, seed_of

GAME = "rouge_et_noir"
HEIGHTS = (8, 7, 6, 5, 4, 3, 2, 1, 1, 0)
TURN = "turn tableau[0]"
RUN = "KS QH JS TH 9S 8H 7S 6H 5S 4H 3S 2H AS"


def deal(tops: str, stock: str = "", options: str = "") -> Position:
    """Columns with these nine top cards, and a stock that begins so."""
    pairs = zip(HEIGHTS[:9], tops.split(), strict=True)
    columns = [f"..*{height - 1} {top}" if height > 1 else top for height, top in pairs]
    return sim.game(f"{GAME}({options})").deal(deck=deck_with(" ".join([*columns, stock]), 2))


def of(position: Position, *cards: str) -> list[str]:
    """The moves whose deepest card is one of these, as text."""
    return [text for text in listed(position) if text.split()[1] in cards]


def face_up(position: Position) -> list[int]:
    """How many cards of each column lie face up."""
    first = int(position.game.rules.first[2])
    columns = position.zones["tableau"]
    return [len(column) - int(position.state.covered[first + i]) for i, column in enumerate(columns)]


def run_dealt(options: str = "", run: str = RUN) -> Position:
    """Seven deals bring the run's first eight cards on a covered card of column 6, and the others to column 7."""
    cards = run.split()
    rounds = [f"..*6 {cards[k + 1]} {'..' if k == 0 else cards[7 + k]} ..*2" for k in range(6)]
    tops = f"2D 2D 2C 2C AC AC {cards[0]} KD KD"
    position = deal(tops, " ".join(rounds) + f" ..*6 {cards[7]}", options)
    return play_texts(position, *[TURN] * 7)


def test_37_cards_are_dealt_nine_of_them_face_up() -> None:
    position = deal("2C 2C 3C 3C 4C 4C 5C 5C 6C", "QS JS")
    assert [len(column) for column in position.zones["tableau"]] == list(HEIGHTS)
    assert [column[-1] for column in position.zones["tableau"][:9]] == [
        "2C",
        "2C",
        "3C",
        "3C",
        "4C",
        "4C",
        "5C",
        "5C",
        "6C",
    ]
    assert face_up(position) == [1] * 9 + [0]
    assert (len(position.zones["stock"][0]), position.zones["stock"][0][-2:]) == (67, ["JS", "QS"])
    assert (position.zones["foundation"], position.zones["discard"]) == ([[]] * 4, [[]] * 4)


def test_columns_are_dealt_one_after_another() -> None:
    tableau = sim.game(GAME).deal(deck=deck_with("2C 3C ..*6 4C ..*6 5C", 2)).zones["tableau"]
    assert (tableau[0][:2], tableau[1][0], tableau[2][0]) == (["2C", "3C"], "4C", "5C")


def test_columns_descend_in_alternate_colours() -> None:
    position = deal("6H 7S 7D 8S KD KH KC KS KD")
    assert of(position, "6H") == ["build 6H tableau[1]"]
    assert of(position, "7D", "7S") == ["build 7D tableau[3]"]


def test_a_run_moves_in_part_or_in_whole() -> None:
    position = deal("9S 8D 7C TH 9C KH KC KS KD")
    play_texts(position, "build 8D tableau[0]", "build 7C tableau[0]")
    assert "build 9S 8D 7C tableau[3]" in of(position, "9S")
    assert of(position, "8D") == ["build 8D 7C tableau[4]"]
    zones = play_texts(position, "build 9S 8D 7C tableau[3]").zones
    assert zones["tableau"][3][-4:] == ["TH", "9S", "8D", "7C"]


def test_face_down_cards_belong_to_no_run() -> None:
    position = sim.game(GAME).deal(deck=deck_with("..*6 9D 8S ..*6 TC", 2))
    assert position.zones["tableau"][0][-2:] == ["9D", "8S"]
    assert of(position, "9D") == []


def test_a_bared_card_is_turned_up() -> None:
    position = sim.game(GAME).deal(deck=deck_with("..*6 9D 8S ..*6 9H", 2))
    assert face_up(position)[:2] == [1, 1]
    play_texts(position, "build 8S tableau[1]")
    assert (face_up(position)[:2], position.zones["tableau"][0][-1]) == ([1, 2], "9D")


def test_an_empty_column_takes_kings_and_what_they_head_only() -> None:
    position = deal("QS KS QH JC 5C 5C 9C 9S 9C")
    assert listed(position, "fill") == ["fill KS tableau[9]"]
    play_texts(position, "build QH tableau[1]", "build JC tableau[1]")
    assert "fill KS QH JC tableau[9]" in listed(position, "fill")
    assert not any(text.startswith("fill QS") for text in listed(position))
    assert play_texts(position, "fill KS QH JC tableau[9]").zones["tableau"][9] == ["KS", "QH", "JC"]


def test_every_empty_column_is_a_target_and_an_idle_king_column_may_move() -> None:
    position = deal("AS 5S 5C 5C 5S 9C 9S KS AC")
    assert listed(play_texts(position, "play AC foundation[0]"), "fill") == ["fill KS tableau[8]", "fill KS tableau[9]"]


def test_foundations_ascend_by_colour_regardless_of_suit() -> None:
    position = play_texts(deal("AH 2D 2S 9S 9S 9C 9C KD KH"), "play AH foundation[1]")
    assert of(position, "2D", "2S") == ["play 2D foundation[1]"]
    other = deal("AH 2D 2S 9S 9S 9C 9C KD KH", options="foundation_build=alternate_colour")
    assert of(play_texts(other, "play AH foundation[1]"), "2D", "2S") == ["play 2S foundation[1]"]


def test_two_foundations_are_red_and_two_black() -> None:
    position = deal("AH AH AD AC AS AS 9S 9C KD")
    play_texts(position, "play AH foundation[1]", "play AH foundation[2]")
    assert of(position, "AD") == []
    assert of(play_texts(position, "play AC foundation[0]"), "AS") == ["play AS foundation[3]"] * 2
    assert position.zones["foundation"] == [["AC"], ["AH"], ["AH"], []]


def test_by_option_an_ace_of_each_suit() -> None:
    position = deal("AH AH AD AC AS AS 9S 9C KD", options="foundation_aces=one_of_each_suit")
    assert of(play_texts(position, "play AH foundation[2]"), "AH") == []
    assert of(position, "AD", "AC") == ["play AC foundation[0]", "play AD foundation[1]"]


def test_seven_deals_and_no_eighth() -> None:
    position = deal("2C 2C 3C 3C 4C 4C 5C 5C 6C")
    for number in range(1, 7):
        play_texts(position, TURN)
        assert len(position.zones["stock"][0]) == 67 - 10 * number
    assert [len(column) for column in position.zones["tableau"]] == [height + 6 for height in HEIGHTS]
    turn = next(move for move in position.moves() if move.kind == "turn")
    position.play(turn)
    assert [len(column) for column in position.zones["tableau"]][6:] == [9, 7, 7, 6]
    assert (position.zones["stock"], listed(position, "turn", "redeal")) == ([[]], [])
    with pytest.raises(IllegalMove):
        position.play(turn)


def test_the_last_deal_by_option() -> None:
    position = play_texts(deal("2C 2C 3C 3C 4C 4C 5C 5C 6C", options="last_deal=not_dealt"), *[TURN] * 6)
    assert (len(position.zones["stock"][0]), listed(position, "turn")) == (7, [])


def test_empty_columns_are_skipped_by_option() -> None:
    position = play_texts(deal("2C 2C 3C 3C 4C 4C 5C 5C 6C", options="deal_on_empty=false"), TURN)
    assert (len(position.zones["stock"][0]), position.zones["tableau"][9]) == (58, [])


def test_dealing_waits_by_option() -> None:
    tops = "2C 2C 3C 3C 4C 4C 5C 5C 6D"
    assert listed(deal(tops)) == ["build 5C tableau[8]", "build 5C tableau[8]", TURN]
    position = deal(tops, options="deal_when=only_when_no_moves")
    assert listed(position, "turn") == []
    assert listed(deal("2C 2C 3C 3C 4C 4C 5C 5C 6C", options="deal_when=only_when_no_moves")) == [TURN]


def test_a_complete_run_may_be_discarded_and_the_card_beneath_is_turned_up() -> None:
    position = run_dealt()
    assert (face_up(position)[6], len(position.zones["tableau"][6])) == (8, 9)
    play_texts(position, "build 5S 4H 3S 2H AS tableau[6]")
    assert f"play {RUN} discard[0]" in listed(position)
    assert len(listed(position)) > 1
    play_texts(position, f"play {RUN} discard[0]")
    assert position.zones["discard"] == [RUN.split(), [], [], []]
    assert (face_up(position)[6], len(position.zones["tableau"][6]), position.cards_home) == (1, 1, 13)


def test_a_run_with_two_neighbours_of_one_colour_is_not_complete() -> None:
    position = run_dealt(run=RUN.replace("8H", "8C"))
    assert not any("discard" in text for text in listed(play_texts(position, "build 5S 4H 3S 2H AS tableau[6]")))


def test_discards_by_option() -> None:
    whole = play_texts(run_dealt("discard_from=whole_column_only"), "build 5S 4H 3S 2H AS tableau[6]")
    assert not any("discard" in text for text in listed(whole))
    forced = play_texts(run_dealt("discard_run=forced"), "build 5S 4H 3S 2H AS tableau[6]")
    assert (forced.zones["discard"][0], face_up(forced)[6]) == (RUN.split(), 1)


def test_places_for_discards() -> None:
    assert len(deal("2C 2C 3C 3C 4C 4C 5C 5C 6C").zones["discard"]) == 4
    assert len(deal("2C 2C 3C 3C 4C 4C 5C 5C 6C", options="discard_limit=none").zones["discard"]) == 8


def test_won_with_52_on_the_foundations_and_four_runs_discarded() -> None:
    position = sim.game(GAME).deal(seed=seed_of(GAME))
    for text in list(greedy_moves(GAME, seed_of(GAME))):
        assert not position.won
        position.play(next(move for move in position.moves() if str(move) == text))
    assert (position.cards_home, position.won, position.moves()) == (104, True, [])
    assert [len(pile) for pile in position.zones["foundation"] + position.zones["discard"]] == [13] * 8
