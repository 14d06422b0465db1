"""The rules of one variant, as one record of fixed shape that compiled code reads."""

import numpy as np

from sim.cards import MAX_CARDS
from sim.records import structured

KINDS = ("stock", "waste", "tableau", "reserve", "inner", "foundation", "descending")
STOCK, WASTE, TABLEAU, RESERVE, INNER, FOUNDATION, DESCENDING = range(len(KINDS))  # home: FOUNDATION and what follows
MAX_PILES = 128
MAX_OPTIONS = 16

RULES = structured(
    [
        ("ground", np.uint64, MAX_PILES),  # [pile]: hash of the bare place; equal where places are interchangeable
        ("onto", np.uint64, (len(KINDS), 64)),  # [kind, face]: set of the faces it may lie on; 0: it may fill a space
        ("kind", np.uint8, MAX_PILES),  # [pile]
        ("hidden", np.uint8, MAX_PILES),  # [pile]: 1 where its cards are not seen
        ("full", np.uint8, MAX_PILES),  # [pile]: cards that make a foundation complete
        ("first", np.uint8, len(KINDS)),  # the piles of a kind are first .. end - 1
        ("end", np.uint8, len(KINDS)),
        ("home_first", np.uint8, 64),  # [face]: the foundations it may go to are home_first .. home_end - 1
        ("home_end", np.uint8, 64),
        ("nth", np.uint8, (len(KINDS) - FOUNDATION, 64)),  # [kind - FOUNDATION, face]: its place there, from 1; 0: none
        ("lift", np.uint8, len(KINDS)),  # [kind]: most cards that may be taken off together
        ("fills", np.uint8, len(KINDS)),  # [kind]: 1 where its cards may fill a space of the tableau
        ("supply", np.uint8, len(KINDS)),  # [kind]: the pile whose top takes a vacancy at once; 0: none does
        ("step", np.int8, 64),  # [face]: its place in the order of a foundation, in games that have a `supply`
        ("dealt_to", np.uint8, MAX_CARDS),  # [i]: the pile that gets the i-th card of the deck
        ("n_piles", np.uint8),
        ("n_cards", np.uint8),
        ("packs", np.uint8),
        ("goal", np.uint8),  # won with so many cards home
        ("redeals", np.int16),
        ("option", np.int16, MAX_OPTIONS),  # a game's own options
    ]
)
