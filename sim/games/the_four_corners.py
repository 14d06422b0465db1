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
from sim.fans import fans, packet_moves, redeal_move, wanted_home
from sim.jit import njit
from sim.layout import Piles, build, foundations
from sim.moves import DEAL, PLAY, REDEAL, card, count, dst, move, src, what
from sim.options import choices, option
from sim.packing import KING, Packing, down, next_in_suit, up
from sim.state import carry, push, set_counter, show, shut, take, turn_over

VERSION = 1
PACKS = 2
PACKETS = 12
ALL = 2**PACKETS - 1  # the packets as bits
STOCK_PILE, FIRST_PACKET = 0, 9  # between them the foundations: of each suit the one that ascends, then the other
ANY_UPPER, GAPS, BY_APPEARANCE, GATHER, VACANCY, REDEALS, ANY_SUIT, UNIT, RETURN, ROUNDS = range(10)  # as in Options
# Counters: the packet of the next card; the packets, as bits, that may be played from during the deal; how many
# foundations have been given a side; and the sides of each suit's foundations, in four bits each.
NEXT, FRESH, BEGUN, SIDES = range(4)
SIDE = np.array([0, 1, 2, 3, 4, 0, 0, 5, 6, 7, 8, 0])  # the numbers of the side packets
ACES_LEFT_KINGS_RIGHT = np.array([left | left + 4 << 4 for left in (1, 4, 3, 2)])
GATHERS = ("packet1_bottom_first", "packet12_bottom_first", "packet1_top_first", "pysolfc")
TOP_FIRST = GATHERS.index("packet1_top_first")
# The packets in the order in which they are laid on the stock; what is laid last is dealt first.
LAID_BACK = np.array([range(11, -1, -1), range(12), range(11, -1, -1), (0, 6, 5, 11, 1, 2, 3, 4, 7, 8, 9, 10)])


@dataclass(frozen=True)
class Options:
    """What the book leaves open, and programs differ on."""

    during_deal_scope: str = option("just_dealt", "any_upper", about="which cards may be played during the deal")
    replace_withdrawn: bool = option(True, False, about="the next card takes the place of one that is withdrawn")
    centre: str = option("aces_left_kings_right", "slots_in_order_of_appearance", about="where each foundation lies")
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
MARRIAGES: dict[str, Packing] = {"suit": next_in_suit, "rank": lambda card, below: up(card, below) or down(card, below)}


def layout(o: Options) -> list[Piles]:
    home = foundations(1, 1, lift=int(o.foundation_return), fills=True)
    return fans(o, PACKETS, MARRIAGES[o.marriages], home, fixed=True)


def rules(o: Options) -> np.record:
    record = build(layout(o), (), packs=PACKS, redeals=o.redeals)
    record.option[: ROUNDS + 1] = choices(o)
    return record


@njit(inline=True)
def beside(rules, state, home):
    """The number of the side that a foundation adjoins; 0 for none yet."""
    pair = (home - 1) // 2
    sides = state.counter[SIDES + pair] if rules.option[BY_APPEARANCE] else ACES_LEFT_KINGS_RIGHT[pair]
    return sides >> (home - 1) % 2 * 4 & 15


@njit
def take_side(rules, state, home):
    """A foundation that is begun takes the next side, unless it has one already."""
    if beside(rules, state, home) == 0:
        set_counter(state, BEGUN, state.counter[BEGUN] + 1)
        pair = SIDES + (home - 1) // 2
        set_counter(state, pair, state.counter[pair] | state.counter[BEGUN] << (home - 1) % 2 * 4)


@njit(inline=True)
def plays(rules, state, packets, wanted):
    """The plays from these packets during the deal, as bits: 2 * packet, + 1 to the foundation that descends.

    A corner lets a card go to any foundation, a side to the one that adjoins it, and both to one that it begins.
    """
    found, left = U(0), U(packets)
    while left != U(0):
        packet = np.int64(lowest(left))
        left &= left - ONE
        f = face(state.top[FIRST_PACKET + packet])
        for home in range(rules.home_first[f], rules.home_end[f] if has(wanted, f) else 0):
            if SIDE[packet] in (0, beside(rules, state, home)) or state.height[home] == 0:
                found |= U(takes(rules, state, home, f)) << U(2 * packet + home - rules.home_first[f])
    return found


@njit(inline=True)
def fall(rules, state, packet):
    """The next card falls on a packet; its bit, or 0 if no card stays. A foundation card is played, and replaced."""
    while state.top[STOCK_PILE]:
        fallen = take(rules, state, STOCK_PILE)
        home = np.int64(rules.home_first[face(fallen)]) + (rank(fallen) == KING)
        begins = state.height[home] == 0 and takes(rules, state, home, face(fallen)) and not rules.option[ROUNDS]
        push(rules, state, home if begins else FIRST_PACKET + packet, fallen)
        if not begins:
            return 1 << packet
        take_side(rules, state, home)
        if rules.option[GAPS]:
            break
    return 0


@njit
def deal_on(rules, state, left):
    """Deal until a card can be played, or by rounds. `left`: the packet that a card was just played from, or -1."""
    always, fresh, packet = ALL * rules.option[ANY_UPPER], np.int64(0), np.int64(state.counter[NEXT])
    home, wanted = np.int64(-1), U(0)
    shut(rules, state, STOCK_PILE)
    if left >= 0:
        fresh = state.counter[FRESH] & ~(1 << left) | (0 if rules.option[GAPS] else fall(rules, state, left))
    stop = left >= 0 and (rules.option[ROUNDS] or plays(rules, state, fresh | always, wanted_home(state)) != U(0))
    while state.top[STOCK_PILE] and not stop:
        fresh = fresh * rules.option[ROUNDS] | fall(rules, state, packet)
        packet = (packet + 1) % PACKETS
        if state.home != home:
            fresh, home, wanted = fresh | always, np.int64(state.home), wanted_home(state)
        stop = packet == 0 if rules.option[ROUNDS] else plays(rules, state, fresh, wanted) != U(0)
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
    state.redeals_left -= 1


@njit
def any_suit_moves(rules, state, moves):
    """List the moves of packets that marry the next values whatever their suit; several cards only if in suit."""
    kept, n = 0, building_moves(rules, state, moves, FIRST_PACKET, rules.n_piles)
    for m in moves[:n]:
        upper = state.top[src(m)]
        while face(upper) != card(m) and suit(upper) == suit(card(m)):
            upper = state.under[upper]
        moves[kept] = m
        kept += face(upper) == card(m)
    return kept


@njit
def deal(rules, state, deck):
    lay_out(rules, state, deck)
    deal_on(rules, state, -1)


@njit
def legal_moves(rules, state, moves):
    n = 0
    if state.top[STOCK_PILE]:
        found = plays(rules, state, state.counter[FRESH], wanted_home(state))
        while found != U(0):
            pile = FIRST_PACKET + lowest(found) // 2
            f = face(state.top[pile])
            moves[n] = move(PLAY, pile, rules.home_first[f] + lowest(found) % 2, f, 1)
            n, found = n + 1, found & found - ONE
        moves[n] = move(DEAL, STOCK_PILE, FIRST_PACKET + state.counter[NEXT], 0, 1)
        return n + 1
    n = any_suit_moves(rules, state, moves) if rules.option[ANY_SUIT] else packet_moves(rules, state, moves, True, True)
    return redeal_move(rules, moves, n, False) if state.redeals_left else n


@njit
def apply_move(rules, state, m):
    if what(m) == REDEAL:
        gather(rules, state)
    elif what(m) != DEAL:
        carry(rules, state, src(m), dst(m), count(m))
        if dst(m) < FIRST_PACKET:
            take_side(rules, state, dst(m))
    if state.top[STOCK_PILE]:
        deal_on(rules, state, src(m) - FIRST_PACKET if what(m) == PLAY else -1)
