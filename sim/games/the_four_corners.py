"""The Four Corners, also known as Les Quatre Coins.

Source
    Lady Adelaide Cadogan, Illustrated Games of Patience (McKay, 1914), "The Four Corners".
Layout
    Two packs. Twelve packets: on the left a top corner, four sides and a lower corner, and the same on the right. In
    the centre, beside the sides, two columns of four foundations.
Play
    Four foundations are built up in suit from ace to king, four down in suit from king to ace.
    1. The deal: card by card, in rounds over the twelve packets, all on the left first, until the pack is out. A
       foundation card, the first ace or king of its suit, is played at once, wherever it falls. Another card that has
       just fallen may be played, from a corner on any foundation, from a side only on the one that adjoins it. Whenever
       a card is withdrawn the next one takes its place. The deal stops where a card can be played; the moves are then
       these plays, and to leave the card and deal on.
    2. Afterwards: the upper card of a packet may be played, or married to the upper card of another packet, next higher
       or lower in suit, one card at a time. An emptied packet is not filled.
    Twice the packets may be taken up in order, unshuffled, and dealt and played again under the same rules.
End
    Won with all 104 cards home; lost when no move and no redeal is left.
Left open by the book, and read so
    The picture is lost. The foundations beside the left sides ascend, those on the right descend, from the top C S H D.
    `centre=slots_in_order_of_appearance`: foundations lie at L1 … L4, R1 … R4 as they are begun, and stay there.
    The deal is over when the last card has fallen, and with it its restrictions. A redeal may be taken any time later.
    `during_deal_scope=any_upper`: what lies on a packet goes where a card that falls there may go.
    `replace_withdrawn=false`: the next card falls on the next packet.
    `gather`: the card that is dealt first, and thereby the order of the packets; `pysolfc` is R4 … R1, L4 … L1, lower
    right, lower left, top right, top left, each from the bottom up.
    `vacancy=any`: after the deal. One vacancy, the first, stands for all, and a whole packet does not move to it.
    A run that moves as one is in suit, even with `marriages=rank`, and goes up or down all along.
    A foundation card that may come back goes where an upper card might go, after the deal.
    `dealing=whole_rounds` is PySolFC's way: each round is dealt by a step of its own, whatever falls, and foundation
    cards are played, from any packet, as the player likes. All cards of the round have just been dealt.
Version
    1: first.
"""

from dataclasses import dataclass

import numpy as np

from sim.bits import ONE, U, has, lowest
from sim.builder import building_moves, lay_out, takes
from sim.cards import face, rank, suit
from sim.fans import STARTS, packet_moves, redeal_move, wanted_home
from sim.jit import njit
from sim.layout import Piles, build, foundations
from sim.moves import DEAL, PLAY, REDEAL, count, dst, move, src, what
from sim.options import option
from sim.packing import ACE, KING, down, next_in_suit, up
from sim.rules import STOCK, TABLEAU
from sim.state import carry, push, set_counter, show, shut, take, turn_over

VERSION = 1
PACKS = 2
PACKETS = 12
ALL = 2**PACKETS - 1  # the packets as bits
STOCK_PILE, FIRST_PACKET = 0, 9  # between them the foundations: of each suit the one that ascends, then the other
CENTRE = (1 | 7 << 4, 5 | 3 << 4, 2 | 8 << 4, 6 | 4 << 4)  # the foundations beside L1 … L4 and R1 … R4
ANY_UPPER, REPLACE, BY_APPEARANCE, GATHER, ANY_SUIT, WHOLE_ROUNDS = range(6)
# Counters: the packet of the next card; the packets, as bits, that may be played from during the deal; the foundations
# beside the sides, two in each counter.
NEXT, FRESH, SIDES = range(3)
GATHERS = ("packet1_bottom_first", "packet12_bottom_first", "packet1_top_first", "pysolfc")
TOP_FIRST = GATHERS.index("packet1_top_first")
LAID_BACK = np.array(  # the packets in the order in which they are laid on the stock; what is laid last is dealt first
    [range(11, -1, -1), range(12), range(11, -1, -1), (0, 6, 5, 11, 1, 2, 3, 4, 7, 8, 9, 10)], np.int64
)


@dataclass(frozen=True)
class Options:
    """What the book leaves open, and programs differ on."""

    during_deal_scope: str = option("just_dealt", "any_upper", about="which cards may be played during the deal")
    replace_withdrawn: bool = option(True, False, about="the next card takes the place of one that is withdrawn")
    centre: str = option(
        "aces_left_kings_right", "slots_in_order_of_appearance", about="which foundation adjoins which side packet"
    )
    gather: str = option(*GATHERS, about="how the packets are taken up for a redeal")
    vacancy: str = option("closed", "any", about="which cards may fill an emptied packet")
    redeals: int = option(2, 0, 1, 3, about="unshuffled redeals after the first deal")
    marriages: str = option("suit", "rank", about="marry in suit, or the next values whatever their suit")
    move_unit: str = option("single", "sequence", about="move one card, or a run in suit as well")
    foundation_return: bool = option(False, True, about="a foundation card may come back to the tableau")
    dealing: str = option("card_by_card", "whole_rounds", about="play as cards fall, or after each round of twelve")


PRESETS = {
    "pysolfc": {
        "during_deal_scope": "any_upper",
        "replace_withdrawn": False,
        "gather": "pysolfc",
        "marriages": "rank",
        "foundation_return": True,
        "dealing": "whole_rounds",
    }
}


def next_in_value(card: int, below: int) -> bool:
    return up(card, below) or down(card, below)


def layout(o: Options) -> list[Piles]:
    packing = next_in_suit if o.marriages == "suit" else next_in_value
    lift = 13 if o.move_unit == "sequence" else 1
    return [
        Piles("stock", STOCK, hidden=True),
        *foundations(1, 1, lift=int(o.foundation_return), fills=True),
        Piles("tableau", TABLEAU, PACKETS, packing, STARTS[o.vacancy], lift, fills=True, fixed=True),
    ]


def rules(o: Options) -> np.record:
    record = build(layout(o), (), packs=PACKS, redeals=o.redeals)
    record.option[ANY_UPPER] = o.during_deal_scope == "any_upper"
    record.option[REPLACE] = o.replace_withdrawn
    record.option[BY_APPEARANCE] = o.centre == "slots_in_order_of_appearance"
    record.option[GATHER] = GATHERS.index(o.gather)
    record.option[ANY_SUIT] = o.marriages == "rank"
    record.option[WHOLE_ROUNDS] = o.dealing == "whole_rounds"
    return record


@njit
def take_side(state, home):
    """A foundation that is begun takes the first free side, unless it has had one before."""
    for side in range(8):
        counter, shift = SIDES + side // 2, side % 2 * 4
        held = state.counter[counter] >> shift & 15
        if held == 0:
            set_counter(state, counter, state.counter[counter] | home << shift)
        if held == 0 or held == home:
            return


@njit(inline=True)
def lets_go(state, packet, home):
    """A corner lets a card go to any foundation, a side to the one that adjoins it, and both to one that it begins."""
    side = packet // 6 * 4 + packet % 6 - 1
    adjoining = state.counter[SIDES + side // 2] >> side % 2 * 4 & 15
    return packet % 6 in (0, 5) or adjoining == home or state.height[home] == 0


@njit
def next_play(rules, state, fresh, last):
    """The play during the deal that is listed after `last`, or 0; `fresh`: the packets, as bits, that are available."""
    before = U(max(FIRST_PACKET, src(last)) - FIRST_PACKET)
    packets = U(fresh) >> before << before
    while packets != U(0):
        packet = np.int64(lowest(packets))
        packets &= packets - ONE
        pile = FIRST_PACKET + packet
        f = face(state.top[pile])
        for home in range(rules.home_first[f], rules.home_end[f]):
            later = pile > src(last) or home > dst(last)
            if later and takes(rules, state, home, f) and lets_go(state, packet, home):
                return move(PLAY, pile, home, f, 1)
    return np.int32(0)


@njit(inline=True)
def fall(rules, state, packet):
    """The next card falls on a packet; its bit, or 0 if no card stays. A foundation card is played, and replaced."""
    while state.top[STOCK_PILE]:
        card = take(rules, state, STOCK_PILE)
        home = np.int64(rules.home_first[face(card)]) + (rank(card) == KING)
        begins = (rank(card) == ACE or rank(card) == KING) and state.height[home] == 0
        if not begins or rules.option[WHOLE_ROUNDS]:
            push(rules, state, FIRST_PACKET + packet, card)
            return 1 << packet
        push(rules, state, home, card)
        take_side(state, home)
        if not rules.option[REPLACE]:
            break
    return 0


@njit
def deal_on(rules, state, left):
    """Deal until a card can be played, or by rounds. `left`: the packet that a card was just played from, or -1."""
    always = ALL if rules.option[ANY_UPPER] else 0
    fresh, stop = always, False
    shut(rules, state, STOCK_PILE)
    if left >= 0:
        fresh |= state.counter[FRESH] & ~(1 << left)
        if rules.option[REPLACE]:
            fresh |= fall(rules, state, left)
        stop = rules.option[WHOLE_ROUNDS] or next_play(rules, state, fresh, np.int32(0)) != 0
    packet, wanted, older = np.int64(state.counter[NEXT]), wanted_home(state), always
    while state.top[STOCK_PILE] and not stop:
        home, live = state.home, older or has(wanted, face(state.top[STOCK_PILE]))
        if rules.option[WHOLE_ROUNDS]:
            fresh |= fall(rules, state, packet)
            stop = packet == PACKETS - 1
        else:
            fresh = older | fall(rules, state, packet)
            fresh |= always if state.home > home else 0
        if live and not rules.option[WHOLE_ROUNDS]:
            wanted, stop = wanted_home(state), next_play(rules, state, fresh, np.int32(0)) != 0
        older = 0  # as long as no foundation is begun, nothing more can be played among them
        packet = (packet + 1) % PACKETS
    over = state.top[STOCK_PILE] == 0
    set_counter(state, NEXT, 0 if over else packet)
    set_counter(state, FRESH, 0 if over else fresh | always)
    show(rules, state, STOCK_PILE)


@njit
def gather(rules, state):
    """Lay the packets on the stock."""
    for i in range(PACKETS):
        pile = FIRST_PACKET + LAID_BACK[rules.option[GATHER], i]
        if rules.option[GATHER] == TOP_FIRST:
            carry(rules, state, pile, STOCK_PILE, state.height[pile])
        else:
            turn_over(rules, state, pile, STOCK_PILE)


@njit
def without_mixed_runs(state, moves, n):
    """Drop the moves of several cards that are not in suit."""
    kept = 0
    for i in range(n):
        card, mixed = state.top[src(moves[i])], False
        for _ in range(1, count(moves[i])):
            mixed = mixed or suit(state.under[card]) != suit(card)
            card = state.under[card]
        moves[kept] = moves[i]
        kept += not mixed
    return kept


@njit
def deal(rules, state, deck):
    lay_out(rules, state, deck)
    if not rules.option[BY_APPEARANCE]:
        for i in range(len(CENTRE)):
            set_counter(state, SIDES + i, CENTRE[i])
    deal_on(rules, state, -1)


@njit
def legal_moves(rules, state, moves):
    n = 0
    if state.top[STOCK_PILE]:
        m = next_play(rules, state, np.int64(state.counter[FRESH]), np.int32(0))
        while m:
            moves[n] = m
            n += 1
            m = next_play(rules, state, np.int64(state.counter[FRESH]), m)
        moves[n] = move(DEAL, STOCK_PILE, FIRST_PACKET + state.counter[NEXT], 0, 1)
        return n + 1
    if rules.option[ANY_SUIT]:
        n = without_mixed_runs(state, moves, building_moves(rules, state, moves, FIRST_PACKET, rules.n_piles))
    else:
        n = packet_moves(rules, state, moves, True, True)
    return redeal_move(rules, moves, n, False) if state.redeals_left else n


@njit
def apply_move(rules, state, m):
    dealing = state.top[STOCK_PILE] != 0
    if what(m) == REDEAL:
        gather(rules, state)
        state.redeals_left -= 1
    elif what(m) != DEAL:
        carry(rules, state, src(m), dst(m), count(m))
        if dst(m) < FIRST_PACKET and state.height[dst(m)] == 1:
            take_side(state, dst(m))
        if not dealing:
            return
    deal_on(rules, state, src(m) - FIRST_PACKET if what(m) == PLAY else -1)
