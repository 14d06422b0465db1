"""Perft: how many sequences of moves, and how many different positions, follow a deal; numbers that must never change.

A row gives, for a variant and a seed, (sequences, positions) after 1, 2, 3, … moves. All are counted by the compiled
rules, the first ones by the twin as well. A failure prints the sequences by their first move, as both sides count them.
When a game's behaviour is changed on purpose, its VERSION rises and its rows are counted anew.
"""

import pytest

import sim
from tests.engine import GAMES
from tests.perft import counts, divide, twin_counts, twin_divide
from tests.referee import Table

Row = list[tuple[int, int]]
MERCI = "la_belle_lucie(merci=1,redeals=0,vacancy=any)"
LUCIE_RUNS = "la_belle_lucie(foundation_return=true,move_unit=sequence,redeals=1,vacancy=king)"
CROIX_PAIRS = "la_croix_dhonneur(stage1_pairs=also_inner_inner)"
CROIX_REFILLS = "la_croix_dhonneur(outer_refill=optional,stage1_pairs=also_inner_inner,stage2_fill=forced)"
NAPOLEON_FREE = (
    "napoleon_at_st_helena(fill_from_unturned_stock=true,foundation_return=true,move_unit=sequence,redeals=1)"
)
GARDEN_RUNS = "the_flower_garden(building=suit,foundation_return=true,move_unit=sequence)"
GARDEN_KINGS = "the_flower_garden(building=alternate_colour,vacancy=king_only)"
ROUGE_PYSOL = "rouge_et_noir(deal_on_empty=false,foundation_aces=one_of_each_suit,foundation_build=alternate_colour)"
ROUGE_FORCED = "rouge_et_noir(deal_when=only_when_no_moves,discard_run=forced)"
ROWS: dict[tuple[str, int], Row] = {
    ("la_belle_lucie", 1): [(7, 7), (42, 30), (238, 123), (1388, 550), (8620, 2447)],
    ("la_belle_lucie", 2): [(7, 7), (52, 40), (399, 210), (3038, 1046), (22617, 4880)],
    (MERCI, 3): [(16, 16), (206, 119), (2324, 610), (24568, 2700)],
    (LUCIE_RUNS, 4): [(6, 6), (36, 26), (225, 113), (1521, 471), (11207, 1756)],
    ("la_croix_dhonneur", 1): [
        (n, n) for n in (1, 1, 1, 1, 1, 2, 4, 9, 15, 18, 32, 46, 70, 75, 81, 105, 163, 262, 389, 453)
    ],
    (CROIX_PAIRS, 2): [
        (3, 3),
        (9, 7),
        (27, 15),
        (81, 30),
        (246, 59),
        (743, 115),
        (2193, 218),
        (6247, 437),
        (17057, 838),
    ],
    (CROIX_REFILLS, 3): [
        (1, 1),
        (2, 2),
        (4, 4),
        (9, 8),
        (23, 17),
        (61, 34),
        (173, 64),
        (494, 112),
        (1423, 191),
        (4086, 316),
    ],
    ("napoleon_at_st_helena", 1): [(2, 2), (4, 3), (8, 4), (10, 4), (17, 6), (31, 9), (51, 11), (67, 12)],
    ("napoleon_at_st_helena", 2): [(3, 3), (7, 4), (13, 4), (21, 4), (35, 5), (71, 6), (89, 6), (109, 6)],
    ("rouge_et_noir", 1): [(7, 7), (43, 30), (236, 101), (1173, 299), (5343, 846), (22681, 2456)],
    ("rouge_et_noir", 2): [(4, 4), (14, 12), (54, 41), (239, 148), (1105, 542), (5347, 2019), (26828, 7433)],
    (ROUGE_PYSOL, 6): [(4, 4), (18, 15), (84, 51), (391, 172), (1803, 584), (8271, 2007)],
    (ROUGE_FORCED, 4): [(4, 4), (15, 9), (56, 16), (212, 26), (789, 39), (2841, 56)],
    ("the_flower_garden", 1): [(10, 10), (92, 56), (809, 242), (6901, 885), (57421, 2896)],
    ("the_flower_garden", 2): [(3, 3), (12, 9), (50, 22), (232, 63), (1126, 167), (5799, 428)],
    (GARDEN_RUNS, 3): [(4, 4), (15, 9), (52, 14), (163, 17), (456, 18), (1129, 18), (2500, 18), (5036, 17)],
    (GARDEN_KINGS, 4): [(9, 9), (71, 38), (497, 108), (3152, 249), (18537, 498)],
    (NAPOLEON_FREE, 3): [(7, 7), (46, 26), (284, 68), (1646, 141), (8925, 247), (45017, 381)],
}
LOW = 500  # sequences that the twin counts too


def by_first_move(variant: str, seed: int, depth: int) -> str:
    """The divide of both sides, a line for each first move."""
    ours, theirs = divide(sim.game(variant).deal(seed=seed), depth), {}
    if ROWS[variant, seed][depth - 1][0] <= LOW:
        theirs = twin_divide(Table(variant, seed).twin, depth)
    lines = [f"  {move}: {ours.get(move)}, twin {theirs.get(move, 'not asked')}" for move in ours | theirs]
    return "\n".join([f"{variant}, seed {seed}, after {depth} moves", *lines])


@pytest.mark.parametrize(("variant", "seed"), ROWS)
def test_the_compiled_rules_count_as_ever(variant: str, seed: int) -> None:
    start = sim.game(variant).deal(seed=seed)
    for depth, known in enumerate(ROWS[variant, seed], 1):
        assert counts(start, depth) == known, by_first_move(variant, seed, depth)


@pytest.mark.parametrize(("variant", "seed"), ROWS)
def test_the_twin_counts_the_same(variant: str, seed: int) -> None:
    for depth, known in enumerate(ROWS[variant, seed], 1):
        if known[0] <= LOW:
            assert twin_counts(Table(variant, seed).twin, depth) == known, by_first_move(variant, seed, depth)


def test_every_game_is_counted() -> None:
    assert {variant.partition("(")[0] for variant, _ in ROWS} == set(GAMES)


def test_the_divide_adds_up() -> None:
    for (variant, seed), row in ROWS.items():
        start = sim.game(variant).deal(seed=seed)
        assert sum(divide(start, 3).values()) == row[2][0]
        assert divide(start, 3) == twin_divide(Table(variant, seed).twin, 3)
