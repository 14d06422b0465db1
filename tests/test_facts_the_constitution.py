"""The Constitution, dossier 24: its test facts through the Python door, on arranged decks."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

import sim
from sim.position import Position
from tests.engine import easy_deck, flat, listed, play_texts, walk

DIVISIONS = ("privy_council", "lords", "commons", "people")
SUITS = "CDHS"
TURN = "turn waste[0]"
# Where no card is named, the divisions hold 8s, 9s, 10s and jacks from the top down, or where those are used up others:
# nothing fits on anything above.
ROWS = dict(zip(DIVISIONS, ("8J", "96", "TJ", "J7"), strict=True))


def deal(options: str = "", stock: str = "", **first: str) -> Position:
    """A deal with these cards first in the divisions and in the stock."""
    left = Counter(rank + suit for rank in "A23456789TJQK" for suit in SUITS for _ in range(2))
    left -= Counter(" ".join([stock, *first.values()]).split())
    rows = {}
    for division, ranks in ROWS.items():
        named = first.get(division, "").split()
        spare = sorted((card for card in left.elements() if card[0] in ranks), key=lambda card: ranks.index(card[0]))
        rows[division] = named + spare[: 8 - len(named)]
        left -= Counter(spare[: 8 - len(named)])
    out = [card for card in left.elements() if card[0] in "AQK"]
    rest = [card for card in left.elements() if card[0] not in "AQK"]
    deck = out + flat(rows[division] for division in reversed(DIVISIONS)) + stock.split() + rest
    return sim.game(f"the_constitution({options})").deal(deck=deck)


def tops(position: Position, division: str) -> list[str]:
    """The cards of a division, pile by pile."""
    return [" ".join(pile) for pile in position.zones[division]]


def of(position: Position, *cards: str) -> list[str]:
    """The legal moves of these cards."""
    return [text for text in listed(position) if text.split()[1] in cards]


def test_four_rows_of_eight_from_the_lowest_eight_aces_and_no_king_or_queen() -> None:
    position = sim.game("the_constitution").deal(seed=5)
    zones = position.zones
    assert zones["foundation"] == [[f"A{suit}"] for suit in SUITS for _ in range(2)]
    assert [[len(pile) for pile in zones[division]] for division in DIVISIONS] == [[1] * 8] * 4
    assert (len(zones["stock"][0]), zones["waste"], position.cards_home) == (48, [[]], 8)
    assert sorted(card[0] for card in flat(zones["discard"])) == ["K"] * 8 + ["Q"] * 8
    upside_down = sim.game("the_constitution(dealing=council_first)").deal(seed=5).zones
    assert [upside_down[division] for division in DIVISIONS] == [zones[division] for division in reversed(DIVISIONS)]


def test_only_cards_of_the_privy_council_are_played() -> None:
    assert of(deal(privy_council="2H"), "2H") == ["play 2H foundation[4]"]
    for division in DIVISIONS[1:]:
        assert of(deal(**{division: "2H"}), "2H") == []


def test_a_card_goes_on_the_division_immediately_above_in_any_column() -> None:
    assert of(deal(privy_council="5S", lords="JC 4D"), "4D") == ["build 4D privy_council[0]"]
    builds = ["build 4D privy_council[1]", "build 4D privy_council[2]"]
    assert of(deal(privy_council="8S 5S 5C", lords="4D"), "4D") == builds
    assert of(deal(privy_council="5S", commons="4D"), "4D") == []
    assert of(deal(lords="5S", commons="4D"), "4D") == ["build 4D lords[0]"]
    assert of(deal(commons="5S", people="4D"), "4D") == ["build 4D commons[0]"]


def test_sequences_descend_in_alternate_colours() -> None:
    assert of(deal(privy_council="5H", lords="4D"), "4D") == []
    assert of(deal(privy_council="4D", lords="5S"), "5S") == []
    assert of(deal(privy_council="6S", lords="4D"), "4D") == []


def test_only_the_last_card_of_a_sequence_is_available() -> None:
    position = play_texts(deal(privy_council="4H", lords="5S", commons="4D", people="3C"), "build 4D lords[0]")
    play_texts(position, "refill 3C commons[0]")
    assert of(position, "3C") == ["build 3C lords[0]"]
    play_texts(position, "build 3C lords[0]")
    play_texts(position, listed(position, "refill")[0])
    assert tops(position, "lords")[0] == "5S 4D 3C"
    assert of(position, "5S", "4D", "3C") == ["build 3C privy_council[0]"]


def test_taking_the_upper_card_off_a_sequence_leaves_no_vacancy() -> None:
    position = play_texts(deal(lords="9C", commons="8D", privy_council="9S"), "build 8D lords[0]")
    play_texts(position, listed(position)[0])
    assert tops(position, "lords")[0] == "9C 8D"
    play_texts(position, "build 8D privy_council[0]")
    assert (tops(position, "lords")[0], listed(position, "refill")) == ("9C", [])


def test_cards_of_the_privy_council_are_built_on_each_other_only_by_option() -> None:
    assert of(deal(privy_council="5S 4D"), "4D") == []
    position = deal("within_row=privy_council", privy_council="5S 4D", lords="2C")
    assert of(position, "4D") == ["build 4D privy_council[0]"]
    assert "refill 2C privy_council[1]" in listed(play_texts(position, "build 4D privy_council[0]"))
    assert of(deal("within_row=privy_council", lords="5S 4D"), "4D") == []


def test_a_vacancy_is_filled_at_once_from_the_division_below_and_so_on_down() -> None:
    position = deal(privy_council="2H", lords="3H", commons="4H", people="5H", stock="6H")
    play_texts(position, "play 2H foundation[4]")
    assert listed(position) == sorted(f"refill {card} privy_council[0]" for card in tops(position, "lords"))
    play_texts(position, "refill 3H privy_council[0]")
    assert listed(position) == sorted(f"refill {card} lords[0]" for card in tops(position, "commons"))
    play_texts(position, "refill 4H lords[0]")
    assert listed(position) == sorted(f"refill {card} commons[0]" for card in tops(position, "people"))
    play_texts(position, "refill 5H commons[0]")
    assert [tops(position, division)[0] for division in DIVISIONS] == ["3H", "4H", "5H", "6H"]
    assert "play 3H foundation[4]" in listed(position)
    assert TURN in listed(position)


def test_the_people_are_filled_from_the_waste_before_the_stock() -> None:
    position = play_texts(deal(commons="TS", people="9D", stock="2C 3C 4C"), TURN, TURN, "build 9D commons[0]")
    assert (tops(position, "people")[0], position.zones["waste"]) == ("3C", [["2C"]])
    assert of(position, "2C", "3C") == []


def test_the_player_chooses_any_top_card_of_the_division_below() -> None:
    position = play_texts(deal(lords="9C", commons="8D", privy_council="2S"), "build 8D lords[0]")
    play_texts(position, listed(position)[0], "play 2S foundation[6]")
    assert "refill 8D privy_council[0]" in listed(position)
    assert tops(position, "lords")[0] == "9C 8D"
    play_texts(position, "refill 8D privy_council[0]")
    assert (tops(position, "lords")[0], listed(position, "refill")) == ("9C", [])


def test_directly_below_a_vacancy_is_filled_within_the_step() -> None:
    position = deal("fill_choice=directly_below", privy_council="8C 2H", lords="9C 3H", commons="TC 4H", people="JC 5H")
    stock = position.zones["stock"][0]
    play_texts(position, "play 2H foundation[4]")
    assert [tops(position, division)[1] for division in DIVISIONS] == ["3H", "4H", "5H", stock[-1]]
    assert listed(position, "refill") == []


def test_unforced_vacancies_are_filled_when_wanted_but_the_people_at_once() -> None:
    position = deal("fill_forced=false", privy_council="2H 2C", lords="3H", commons="TC", people="9D", stock="6H")
    play_texts(position, "play 2H foundation[4]")
    assert {TURN, "play 2C foundation[0]", "build 9D commons[0]", "refill 3H privy_council[0]"} <= set(listed(position))
    play_texts(position, "play 2C foundation[0]")
    assert of(position, "3H") == ["refill 3H privy_council[0]"]
    play_texts(position, "build 9D commons[0]")
    assert tops(position, "people")[0] == "6H"


def test_unforced_vacancies_have_their_own_columns_where_columns_matter() -> None:
    position = deal("fill_forced=false,fill_choice=directly_below", privy_council="2H 2C", lords="3H 3C")
    play_texts(position, "play 2H foundation[4]", "play 2C foundation[0]")
    assert listed(position, "refill") == ["refill 3C privy_council[1]", "refill 3H privy_council[0]"]


def test_builds_may_be_kept_to_the_privy_council() -> None:
    cards = {"privy_council": "5S", "lords": "4D 5H", "commons": "4C"}
    assert listed(deal(**cards), "build") == ["build 4C lords[1]", "build 4D privy_council[0]"]
    assert listed(deal("build_rows=privy_council_only", **cards), "build") == ["build 4D privy_council[0]"]


def test_the_waste_goes_on_the_people_only_by_option_and_never_home() -> None:
    assert of(play_texts(deal(people="3S", stock="2H"), TURN), "2H") == []
    position = play_texts(deal("waste_builds_on_people=true", people="3S", stock="2H"), TURN)
    assert of(position, "2H") == ["build 2H people[0]"]
    assert tops(play_texts(position, "build 2H people[0]"), "people")[0] == "3S 2H"


def test_an_empty_waste_may_be_kept_from_being_empty() -> None:
    position = deal("turn_when_empty=true", commons="TS", people="9D", stock="2C 3C")
    assert (position.zones["waste"], len(position.zones["stock"][0])) == ([["2C"]], 47)
    play_texts(position, "build 9D commons[0]")
    assert (tops(position, "people")[0], position.zones["waste"]) == ("2C", [["3C"]])


def test_turning_48_cards_exhausts_the_stock() -> None:
    position = play_texts(deal(), *[TURN] * 48)
    assert (position.over, position.won, len(position.zones["waste"][0])) == (True, False, 48)


def test_the_waste_may_be_turned_over_once_by_option() -> None:
    position = deal("redeals=1")
    stock = position.zones["stock"]
    play_texts(position, *[TURN] * 48, "redeal stock[0]")
    assert (position.zones["stock"], position.zones["waste"]) == (stock, [[]])
    assert play_texts(position, *[TURN] * 48).over


def to_the_end(options: str = "") -> Iterator[Position]:
    """The positions of a deal that is won."""
    game = sim.game(f"the_constitution({options})")
    deck = next(deck for deck in (easy_deck(game, random.Random(seed)) for seed in range(99)) if in_order(deck))
    position = game.deal(deck=deck)
    while not position.over:
        yield position
        position.play(
            min(position.moves(), key=lambda move: (move.kind != "play", move.kind == "turn", key(move.cards)))
        )
    yield position


def in_order(deck: list[str]) -> bool:
    """Whether the stock is in the order of the ranks."""
    ranks = ["A23456789TJ".index(card[0]) for card in deck[-48:]]
    return ranks == sorted(ranks)


def key(cards: tuple[str, ...]) -> int:
    """The lowest cards ascend first."""
    return "A23456789TJ".index(cards[0][0]) if cards else 99


@pytest.mark.parametrize("options", ["", "fill_forced=false", "fill_choice=directly_below"])
def test_won_with_eight_knaves(options: str) -> None:
    position = list(to_the_end(options))[-1]
    assert (position.won, position.cards_home, position.moves()) == (True, 88, [])
    assert [pile[-1] for pile in position.zones["foundation"]] == [f"J{suit}" for suit in SUITS for _ in range(2)]


def test_what_leaves_no_choice_is_no_step_and_places_stay_empty_when_all_is_used() -> None:
    fills = []
    for position in to_the_end():
        kinds = Counter(move.kind for move in position.moves())
        assert kinds["refill"] != 1
        assert not kinds["refill"] or set(kinds) == {"refill"}
        fills.append(kinds["refill"])
        empty = [sum(not pile for pile in position.zones[division]) for division in DIVISIONS]
        assert empty == sorted(empty) or kinds["refill"]
    assert {2, 3, 8} <= set(fills)


def test_a_fill_that_is_due_excludes_all_else() -> None:
    for seed in range(5):
        for position in walk(sim.game("the_constitution").deal(seed=seed), random.Random(seed), 60):
            empty = [any(not pile for pile in position.zones[division]) for division in DIVISIONS]
            assert (sum(empty), {move.kind for move in position.moves()} == {"refill"}) in [(0, False), (1, True)]
            assert not empty[3]
