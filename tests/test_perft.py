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
WOOD_FREE = "house_in_the_wood(foundation_return=true,marriages=up_and_down,move_unit=sequence,redeals=1,vacancy=any)"
HILL_FREE = (
    "house_on_the_hill(foundation_exchange=true,foundation_return=true,move_unit=sequence,redeals=0,vacancy=any)"
)
FEW = 289302  # a deal of two packs with few moves to begin with
FORTRESS_DOWN = "fortress(foundation_direction=down_wrapped,shape=two_rows_of_six_first)"
FORTRESS_RUNS = "fortress(foundation_return=true,move_unit=sequence)"
FIFTEEN_RUNS = "the_fifteen(foundation_return=true,move_unit=sequence)"
FIFTEEN_SECOND = "the_fifteen(foundation_return=true,grace_row=second_lowest_card,short_column=not)"
SQUARE_FREE = (
    "napoleons_square(blocked_kings=redeal,foundation_return=true,move_unit=sequence,redeals=1,vacancy_source=any_card)"
)
SECOND_FREE = "napoleons_square_second_form(foundation_return=true,move_unit=sequence,vacancy_source=any_card)"
SECOND_STRICT = "napoleons_square_second_form(square_marriages=false)"
CLOCK_AT_ONCE = "the_clock(marriage_wrap=true,redeals=1,refill_when=at_once,waste_marries=true)"
SHAH_MARRIES = "the_shah(marriage_on_released_inner=true,marry_during_deal=true,move_unit=sequence)"
SHAH_AT_ONCE = "the_shah(refill_timing=at_once,shah=any_king)"
SHAH_NO_GRACE = "the_shah(lane_grace=off,refill_source=stock_first)"
GARDEN_RUNS = "the_flower_garden(building=suit,foundation_return=true,move_unit=sequence)"
GARDEN_KINGS = "the_flower_garden(building=alternate_colour,vacancy=king_only)"
ROUGE_PYSOL = "rouge_et_noir(deal_on_empty=false,foundation_aces=one_of_each_suit,foundation_build=alternate_colour)"
ROUGE_FORCED = "rouge_et_noir(deal_when=only_when_no_moves,discard_run=forced)"
ROWS: dict[tuple[str, int], Row] = {
    ("fortress", 4): [(5, 5), (20, 12), (68, 20), (188, 24), (298, 22), (234, 18)],
    ("fortress", 5): [(4, 4), (12, 8), (26, 14), (56, 21), (103, 28), (226, 35)],
    (FORTRESS_DOWN, 6): [(6, 6), (26, 17), (96, 36), (306, 61), (886, 83), (2175, 91)],
    (FORTRESS_RUNS, 4): [(5, 5), (20, 12), (68, 20), (194, 24), (372, 22)],
    ("house_in_the_wood", FEW): [(11, 11), (134, 92), (1964, 931), (35278, 10392)],
    (WOOD_FREE, FEW): [(27, 27), (927, 602), (35684, 11261)],
    ("house_on_the_hill", FEW): [(22, 22), (514, 328), (13531, 5141)],
    (HILL_FREE, FEW): [(30, 30), (1088, 656), (43946, 11157)],
    ("la_belle_lucie", 1): [(7, 7), (42, 30), (238, 123), (1388, 550), (8620, 2447)],
    ("la_belle_lucie", 2): [(7, 7), (52, 40), (399, 210), (3038, 1046), (22617, 4880)],
    (LUCIE_RUNS, 4): [(6, 6), (36, 26), (225, 113), (1521, 471), (11207, 1756)],
    (MERCI, 3): [(16, 16), (206, 119), (2324, 610), (24568, 2700)],
    ("la_croix_dhonneur", 1): [
        (n, n) for n in (1, 1, 1, 1, 1, 2, 4, 9, 15, 18, 32, 46, 70, 75, 81, 105, 163, 262, 389, 453)
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
    ("napoleon_at_st_helena", 1): [(2, 2), (4, 3), (8, 4), (10, 4), (17, 6), (31, 9), (51, 11), (67, 12)],
    ("napoleon_at_st_helena", 2): [(3, 3), (7, 4), (13, 4), (21, 4), (35, 5), (71, 6), (89, 6), (109, 6)],
    (NAPOLEON_FREE, 3): [(7, 7), (46, 26), (284, 68), (1646, 141), (8925, 247), (45017, 381)],
    ("napoleons_square", 1): [(8, 8), (54, 30), (310, 72), (1523, 127), (6430, 180), (23510, 223)],
    ("napoleons_square", 2): [(3, 3), (6, 4), (10, 4), (15, 4), (21, 4), (28, 4), (36, 4), (46, 5), (75, 8)],
    (SQUARE_FREE, 31): [
        (4, 4),
        (14, 8),
        (44, 12),
        (122, 15),
        (272, 16),
        (459, 17),
        (745, 22),
        (1405, 34),
        (3618, 54),
        (9397, 81),
        (23240, 112),
    ],
    ("napoleons_square_second_form", 1): [(5, 5), (26, 17), (135, 42), (683, 91), (3282, 172), (14622, 304)],
    (SECOND_FREE, 3): [(3, 3), (13, 8), (61, 18), (318, 38), (1679, 84), (9392, 181)],
    (SECOND_STRICT, 1): [(3, 3), (11, 8), (44, 17), (171, 34), (633, 60), (2163, 100), (6980, 161), (21092, 257)],
    ("rouge_et_noir", 1): [(7, 7), (43, 30), (236, 101), (1173, 299), (5343, 846), (22681, 2456)],
    ("rouge_et_noir", 2): [(4, 4), (14, 12), (54, 41), (239, 148), (1105, 542), (5347, 2019), (26828, 7433)],
    (ROUGE_PYSOL, 6): [(4, 4), (18, 15), (84, 51), (391, 172), (1803, 584), (8271, 2007)],
    (ROUGE_FORCED, 4): [(4, 4), (15, 9), (56, 16), (212, 26), (789, 39), (2841, 56)],
    ("the_clock", 1): [(8, 8), (59, 40), (402, 174), (2517, 696), (14716, 2620)],
    ("the_clock", 2): [(7, 7), (44, 32), (266, 131), (1595, 506), (9434, 1879)],
    (CLOCK_AT_ONCE, 4): [(4, 4), (17, 17), (68, 53), (211, 127), (601, 315), (1455, 627), (3334, 1244), (10755, 3907)],
    ("the_clock(pysolfc)", 3): [(6, 6), (32, 24), (157, 84), (730, 274), (3404, 856), (16232, 2751)],
    ("the_fifteen", 2): [(6, 6), (36, 23), (237, 85), (1685, 303)],
    ("the_fifteen", 250): [(11, 11), (112, 72), (1044, 340), (9023, 1212)],  # the grace is due
    (FIFTEEN_SECOND, 245): [(9, 9), (80, 48), (703, 202), (6111, 732)],
    (FIFTEEN_RUNS, 4): [(9, 9), (80, 50), (722, 232), (6725, 920)],
    ("the_flower_garden", 1): [(10, 10), (92, 56), (809, 242), (6901, 885), (57421, 2896)],
    ("the_flower_garden", 2): [(3, 3), (12, 9), (50, 22), (232, 63), (1126, 167), (5799, 428)],
    (GARDEN_KINGS, 4): [(9, 9), (71, 38), (497, 108), (3152, 249), (18537, 498)],
    (GARDEN_RUNS, 3): [(4, 4), (15, 9), (52, 14), (163, 17), (456, 18), (1129, 18), (2500, 18), (5036, 17)],
    ("the_shah", 3): [(2, 2), (5, 5), (21, 21), (98, 77), (440, 268), (1797, 839), (6837, 2354)],
    ("the_shah", 656): [(3, 3), (7, 7), (14, 14), (32, 31), (62, 56), (118, 105), (235, 189), (495, 333), (1076, 609)],
    (SHAH_NO_GRACE, 106): [(2, 2), (4, 4), (8, 8), (25, 25), (87, 67), (265, 164), (736, 376), (1905, 827)],
    (SHAH_MARRIES, 3): [(3, 3), (10, 10), (30, 30), (126, 123), (604, 536), (2647, 1802), (10463, 5620)],
    (SHAH_AT_ONCE, 106): [(2, 2), (4, 4), (8, 8), (30, 30), (96, 93), (278, 244), (787, 607), (2227, 1463)],
}
LOW = 600  # sequences that the twin counts too


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
        depth = min(3, sum(sequences <= LOW for sequences, _ in row))
        assert sum(divide(start, depth).values()) == row[depth - 1][0]
        assert divide(start, depth) == twin_divide(Table(variant, seed).twin, depth)
