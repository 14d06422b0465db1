"""The Sultan.

Source
    Lady Adelaide Cadogan, Illustrated Games of Patience (McKay, 1914), "The Sultan".
Layout
    Two packs. The eight kings and one ace of hearts are withdrawn. One king of hearts, the Sultan, lies in the centre;
    the other kings and the ace of hearts, the foundations, lie round it. Eight cards make the Divan; the other 87 are
    the stock.
Play
    Foundations are built up in suit to the queen, the ace on the king; nothing is played on the Sultan. Cards of the
    Divan and the top of the waste may be played home. A place of the Divan is filled at once, within the step, from the
    waste, or from the stock when there is no waste. Turn the stock card by card on to the waste. Once the stock is out
    the waste may be taken up, shuffled, and dealt again, twice.
End
    Won with eight queens round the Sultan, 103 cards home; lost when no move and no redeal is left.
Left open by the book, and read so
    Of the two aces of hearts the one nearest the top of the pack, next to be dealt, is withdrawn.
    The king and the ace of hearts wait for the same card when they are equally far: it goes to the king.
    The places of the Divan are alike, and the first empty one is filled.
    `divan_fill=optional`: a step of its own fills a place, at any time, but from the same source.
    `foundation_play=forced`: while a card can be played, only such cards may be moved.
    `redeal_shuffle=false` turns the waste over, as PySolFC does. There the Divan is filled when wanted, never from the
    stock (`fill_from_stock`), and the deal turns the first card (`turn_at_deal`); its Sultan has a Divan of six, its
    Sultan + one of eight.
    The dossier's `redeal_when` has one value, once the stock is out, and is therefore a rule, not an option.
Version
    1: first.
"""

from dataclasses import dataclass

import numpy as np

from sim.builder import home_for, lay_out, open_faces, withdraw
from sim.cards import FACE_OF, face
from sim.jit import njit
from sim.layout import Piles, build
from sim.moves import FILL, PLAY, REDEAL, move, what
from sim.options import option
from sim.packing import up_round_in_suit
from sim.rules import FOUNDATION, INNER, RESERVE, STOCK, WASTE
from sim.talon import WASTE_FIRST, WASTE_ONLY, apply_carry, fill_reserve, redeal_shuffled, reserve_moves, turn_moves

VERSION = 1
PACKS = 2
FIRST, SULTAN, WASTE_PILE, FIRST_DIVAN = 1, 9, 10, 11  # the foundations stand behind the stock
SHUFFLED, FILL_WHEN_WANTED, PLAY_FORCED, SOURCES = range(4)
BEGUN_WITH = ("KC", "KC", "KD", "KD", "KH", "AH", "KS", "KS")
WITHDRAWN = np.array([FACE_OF[name] for name in (*BEGUN_WITH, "KH")], np.uint8)
PYSOL_TOP = ("AH",)


@dataclass(frozen=True)
class Options:
    """What the books and programs differ on."""

    divan: int = option(8, 6, about="cards of the Divan")
    redeals: int = option(2, 0, 1, 3, about="times the waste is dealt again")
    redeal_shuffle: bool = option(True, False, about="a redeal shuffles the waste, or turns it over")
    divan_fill: str = option("waste_else_stock_forced", "optional", about="is the Divan filled at once or when wanted?")
    foundation_play: str = option("optional", "forced", about="must a card that can be played be played?")
    fill_from_stock: bool = option(True, False, about="without a waste, the next stock card fills a place of the Divan")
    turn_at_deal: bool = option(False, True, about="the deal turns the first stock card")


PRESETS = {
    "pysolfc": {"redeal_shuffle": False, "divan_fill": "optional", "fill_from_stock": False, "turn_at_deal": True}
}


def layout(o: Options) -> list[Piles]:
    return [
        Piles("stock", STOCK, hidden=True),
        *[
            Piles(
                "foundation", FOUNDATION, packing=up_round_in_suit, lift=0, fixed=True, suit=int(first) >> 4, full=full
            )
            for first, full in zip(WITHDRAWN[:8], [13, 13, 13, 13, 13, 12, 13, 13], strict=True)
        ],
        Piles("discard", INNER),
        Piles("waste", WASTE),
        Piles("reserve", RESERVE, o.divan),
    ]


def rules(o: Options) -> np.record:
    places = [*range(FIRST, SULTAN + 1), *range(FIRST_DIVAN, FIRST_DIVAN + o.divan)] + [WASTE_PILE] * o.turn_at_deal
    record = build(layout(o), places, packs=PACKS, goal=103, redeals=o.redeals)
    record.option[SHUFFLED] = o.redeal_shuffle
    record.option[FILL_WHEN_WANTED] = o.divan_fill == "optional"
    record.option[PLAY_FORCED] = o.foundation_play == "forced"
    record.option[SOURCES] = WASTE_FIRST if o.fill_from_stock else WASTE_ONLY
    return record


@njit
def deal(rules, state, deck):
    for i in range(len(WITHDRAWN)):
        withdraw(deck, i, WITHDRAWN[i], False)
    lay_out(rules, state, deck)


@njit
def plays(rules, state, moves):
    """List the plays; foundations that wait for the same card are alike, so that the first counts."""
    n, tops = 0, open_faces(state, FOUNDATION)
    for pile in range(WASTE_PILE, rules.n_piles):
        card = state.top[pile]
        if rules.onto[FOUNDATION, face(card)] & tops:
            home = home_for(rules, state, card)
            if home >= 0:
                moves[n] = move(PLAY, pile, home, face(card), 1)
                n += 1
    return n


@njit
def legal_moves(rules, state, moves):
    n = plays(rules, state, moves)
    if n and rules.option[PLAY_FORCED]:
        return n
    if rules.option[FILL_WHEN_WANTED]:
        n = reserve_moves(rules, state, moves, n, FILL, rules.option[SOURCES])
    return turn_moves(rules, state, moves, n)


@njit
def apply_move(rules, state, m):
    if what(m) == REDEAL and rules.option[SHUFFLED]:
        redeal_shuffled(rules, state)
    else:
        apply_carry(rules, state, m)
    if not rules.option[FILL_WHEN_WANTED]:
        fill_reserve(rules, state, rules.option[SOURCES])  # never more than one, as each step empties one place at most
