"""The Hemispheres, dossier 21: its test facts, and its end, on arranged decks."""

import pytest

import sim
from sim.position import Position
from tests.engine import deck_with, flat, listed, play_texts

TURN = "turn waste[0]"
SOUTH, NORTH = ["4C", "4C", "4S", "4S", "6C", "6C"], ["4H", "4H", "4D", "4D", "6H", "6H"]  # nothing to play or marry
REST = "TC TD"  # two more that nothing here marries


def races(se: str = "", sw: str = "", nw: str = "", ne: str = "") -> str:
    """Twelve cards from the king of hearts round; the Races begin with the named ones."""
    south, north, ring = SOUTH.copy(), NORTH.copy(), []
    for named, others in ((se, south), (sw, south), (nw, north), (ne, north)):
        ring += named.split() + [others.pop(0) for _ in range(3 - len(named.split()))]
    return " ".join(ring)


def deal(ring: str, stock: str = "", options: str = "") -> Position:
    """These cards lie in the ring; the stock begins with the others."""
    return sim.game(f"the_hemispheres({options})").deal(deck=deck_with(f"{ring} {stock}", 2))


IN_TURN = " ".join(f"{rank}{suit}*2" for suit in "HDCS" for rank in ("23456789TJ" if suit in "HD" else "QJT9876543"))


def ended(ring: str, options: str = "", left: int = 0) -> Position:
    """The ring holds the cards that are wanted last; the others are turned and played, but so many."""
    position = deal(f"KH KD AC AS {ring}", IN_TURN, options)  # the barriers are taken out first
    for _ in range(80 - left):
        play_texts(position, TURN)
        position.play(next(move for move in position.moves() if (move.kind, move.source) == ("play", "waste[0]")))
    return position


def test_foundations_barriers_races_and_stock() -> None:
    zones = deal(races(), "JC 8D").zones
    assert zones["foundation"] == [["KC"], ["KC"], ["AD"], ["AD"], ["AH"], ["AH"], ["KS"], ["KS"]]
    assert zones["barrier"] == [["KH"], ["KD"], ["AC"], ["AS"]]
    assert flat(zones["tableau"]) == races().split()
    assert (len(zones["stock"][0]), zones["stock"][0][-2:], zones["waste"]) == (80, ["8D", "JC"], [[]])
    assert sum(len(pile) for piles in zones.values() for pile in piles) == 104


def test_the_barriers_are_the_copies_nearest_the_top() -> None:
    deck = deck_with(f"KH {races()} KH", 2)
    stock = sim.game("the_hemispheres").deal(deck=deck).zones["stock"][0]
    assert (stock[-1], stock.count("KH")) == ("KH", 1)


def test_foundations_go_up_from_red_aces_and_down_from_black_kings() -> None:
    position = deal(races(se="QC 2C", ne="2H QH"))
    assert listed(position, "play") == ["play 2H foundation[4]", "play QC foundation[0]"]


@pytest.mark.parametrize(
    ("ring", "builds"),
    [
        (races(nw="8H 9H"), ["build 8H tableau[7]"]),  # red descends, black ascends
        (races(nw="8D 9H"), []),
        (races(nw="8H", ne="9H"), []),
        (races(se="8C 9C"), ["build 9C tableau[0]"]),
        (races(se="8C 9S"), []),
        (races(se="8C", sw="9C"), []),
        (races(se="8H 9H"), []),  # wrong cards cannot be used in any way
        (races(ne="8C 9C"), []),
    ],
)
def test_marriages_follow_suit_within_a_race(ring: str, builds: list[str]) -> None:
    assert listed(deal(ring), "build") == builds


@pytest.mark.parametrize(
    ("ring", "options", "builds"),
    [
        (races(nw="8H", ne="9H"), "marriage_scope=own_hemisphere", ["build 8H tableau[9]"]),
        (races(se="8C", sw="9C"), "marriage_scope=own_hemisphere", ["build 9C tableau[0]"]),
        (races(nw="8D 9H"), "marriage_suit=colour", ["build 8D tableau[7]"]),
        (races(nw="8D", ne="9H"), "marriage_suit=colour", []),
        (races(se="8C 9S"), "marriage_suit=colour", ["build 9S tableau[0]"]),
        (races(se="8C 9H"), "marriage_suit=colour", []),
    ],
)
def test_marriages_under_other_readings(ring: str, options: str, builds: list[str]) -> None:
    assert listed(deal(ring, REST, options), "build") == builds


def test_a_card_of_the_waste_marries_in_any_race_but_no_wrong_card() -> None:
    ring = races(se="9H", nw="9H", ne="8C")
    assert listed(play_texts(deal(ring, "8H"), TURN)) == ["build 8H tableau[6]", "exchange 9H tableau[9]", TURN]
    assert listed(play_texts(deal(races(sw="8C", ne="8C"), "9C"), TURN), "build") == ["build 9C tableau[3]"]


def test_the_top_of_the_waste_is_played() -> None:
    assert "play 2H foundation[4]" in listed(play_texts(deal(races(), "2H"), TURN))


class TestWrongCards:
    """Rules I and II."""

    def test_they_cannot_be_played(self) -> None:
        assert listed(deal(races(se="2H", sw="2D"))) == [TURN]
        position = deal(races(se="2H", ne="QC"))
        assert listed(position) == ["exchange 2H tableau[9]", TURN]
        play_texts(position, "exchange 2H tableau[9]")
        assert (position.zones["tableau"][0], position.zones["tableau"][9]) == (["QC"], ["2H"])
        assert listed(position) == ["play 2H foundation[4]", "play QC foundation[0]", TURN]

    def test_only_wrong_cards_are_exchanged(self) -> None:
        assert listed(deal(races(se="9H 9D", ne="9C"), REST), "exchange") == [
            "exchange 9D tableau[9]",
            "exchange 9H tableau[9]",
        ]
        assert listed(deal(races(ne="9C 9S"), REST), "exchange") == []
        assert listed(deal(races(sw="9H 9D"), REST), "exchange") == []

    def test_by_option_they_are_played(self) -> None:
        position = deal(races(se="2H", ne="QC"), REST, "wrong_cards=played")
        assert listed(position, "play") == ["play 2H foundation[4]", "play QC foundation[0]"]
        assert listed(deal(races(se="8H 9H"), REST, "wrong_cards=played"), "build") == []


class TestVacancies:
    """They are refilled before the next card is turned."""

    RING = races(se="QC", nw="2H 9H", ne="3H 9D")

    def with_two(self, options: str = "") -> Position:
        position = deal(self.RING, "8H TD JC 7S", options)
        return play_texts(position, *[TURN] * 2, "play 2H foundation[4]", "play QC foundation[0]")

    def test_refilled_in_the_order_of_the_ring_before_a_card_is_turned(self) -> None:
        others = ["build 3H tableau[11]", "play 3H foundation[4]"]
        position = self.with_two()
        assert listed(position) == [*others, "refill tableau[0]"]
        play_texts(position, "refill tableau[0]")
        assert (position.zones["tableau"][0], listed(position, "refill", "turn")) == (["JC"], ["refill tableau[6]"])
        play_texts(position, "refill tableau[6]")
        assert (position.zones["tableau"][6], position.zones["waste"]) == (["7S"], [["8H", "TD"]])
        assert listed(position, "refill", "turn") == [TURN]

    def test_by_option_the_waste_comes_first_while_the_stock_lasts(self) -> None:
        position = self.with_two("refill_source=waste_then_stock")
        assert listed(position, "refill", "turn") == ["refill TD tableau[0]"]
        play_texts(position, "refill TD tableau[0]", "refill 8H tableau[6]")
        assert (position.zones["waste"], len(position.zones["stock"][0])) == ([[]], 78)

    @pytest.mark.parametrize(("source", "cards"), [("stock", "JC 7S"), ("waste_then_stock", "TD 8H")])
    def test_by_option_no_vacancy_waits(self, source: str, cards: str) -> None:
        position = self.with_two(f"refill=at_once,refill_source={source}")
        assert flat([position.zones["tableau"][6], position.zones["tableau"][0]]) == cards.split()
        assert listed(position, "refill", "turn") == [TURN]

    @pytest.mark.parametrize("after", ["stays", "waste"])
    def test_when_the_stock_is_out_vacancies_stay_or_take_the_waste(self, after: str) -> None:
        position = play_texts(
            deal(self.RING, "", f"vacancy_after_stock={after}"), *[TURN] * 80, "play 2H foundation[4]"
        )
        card = position.zones["waste"][0][-1]
        assert listed(position, "refill", "fill") == ([f"fill {card} tableau[6]"] if after == "waste" else [])
        assert listed(position, "turn", "redeal", "transfer") == []
        assert "play 3H foundation[4]" in listed(position)


class TestEnd:
    """When stock and waste are out."""

    RING = "QH 2C 2C AC AS 2S KH QH KD QD QD 2S"  # QH and 2S are wrong

    def test_wrong_cards_may_be_transferred_alone(self) -> None:
        position = ended(self.RING)
        assert listed(position, "exchange", "transfer") == ["exchange QH tableau[11]"]
        play_texts(position, "play QD foundation[2]")
        assert len(listed(position, "transfer")) == 1
        play_texts(position, "play QD foundation[3]")
        assert listed(position, "transfer") == ["transfer QH tableau[10]", "transfer QH tableau[9]"]
        play_texts(position, "transfer QH tableau[9]")
        assert (position.zones["tableau"][0], position.zones["tableau"][9]) == ([], ["QH"])
        assert listed(position, "transfer") == ["transfer 2S tableau[0]"]

    def test_not_before(self) -> None:
        position = play_texts(ended(self.RING, left=1), TURN, "play QD foundation[2]")
        assert listed(position, "transfer") == []
        assert listed(play_texts(position, "play 3S foundation[7]"), "transfer") != []

    def test_by_option_they_are_used_where_they_lie(self) -> None:
        position = ended(self.RING, "end_transfer=usable_where_it_lies")
        assert {"play QH foundation[4] tableau[0]", "play 2S foundation[6] tableau[11]"} <= {
            f"play {move.cards[0]} {move.target} {move.source}" for move in position.moves() if move.kind == "play"
        }
        play_texts(position, "play QD foundation[2]")
        assert listed(position, "transfer") == []
        ring = "QH KH 2C AC AS 2S QH 2C KD QD QD 2S"
        position = ended(ring, "end_transfer=usable_where_it_lies")
        assert "build QH tableau[1]" in listed(position)
        play_texts(position, "build QH tableau[1]")
        assert position.zones["tableau"][1] == ["KH", "QH"]
        assert {move.source for move in position.moves() if move.kind == "exchange"} == set()

    @pytest.mark.parametrize(
        ("options", "left", "released"), [("", 0, True), ("", 1, False), ("barrier_release=when_it_fits", 1, True)]
    )
    def test_barriers_are_played_in_the_end(self, options: str, left: int, released: bool) -> None:
        position = play_texts(ended(self.RING, options, left=left), "play QH foundation[4]")
        barriers = [move.cards for move in position.moves() if move.source.startswith("barrier")]
        assert barriers == ([("KH",)] if released else [])

    def test_by_option_home_cards_spread_out(self) -> None:
        position = ended("2C 2C AC AS 2S 2S KH QH KD QD QD QH", "end_vacancy=home_cards")
        assert listed(position, "fill") == []
        play_texts(position, "build QH tableau[6]")
        assert listed(position, "fill") == ["fill QH tableau[7]"]
        play_texts(position, "play QD foundation[2]")
        assert len(listed(position, "fill")) == 2
        assert listed(play_texts(position, "fill QH tableau[7]"), "fill") == []

    def test_won_with_all_cards_home(self) -> None:
        position = ended("2C 2C AC AS 2S 2S KH QH KD QD QD QH")
        while not position.over:
            position.play(next(move for move in position.moves() if move.kind == "play"))
        assert (position.won, position.cards_home, position.moves()) == (True, 104, [])
        assert [pile[-1] for pile in position.zones["foundation"]] == ["AC", "AC", "KD", "KD", "KH", "KH", "AS", "AS"]
