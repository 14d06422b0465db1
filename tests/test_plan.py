"""A sweep's shards follow from what is asked for, and from nothing else."""

import re
import tracemalloc
from itertools import combinations, islice, product
from typing import Any

import pytest

import sim
from pipelines import plan
from pipelines.arguments import varied
from pipelines.plan import SHARD_DEALS, Cell, Shard, Sweep
from policies.loader import Policy, load
from sim import options
from sim.deals import MAX_SEED
from sim.errors import PatienceError
from tests.sweeping import planned

GREEDY = Policy("greedy")
SLUG = re.compile("[a-z0-9_.-]+")


def names(sweep: Sweep) -> list[str]:
    return [shard.name for shard in sweep.shards()]


def hand_made(deals: int, cells: int = 1, **settings: Any) -> Sweep:
    """A plan whose cells nobody had to play to learn how long their deals are."""
    cell = Cell("la_belle_lucie", GREEDY, 1000)
    return Sweep((cell,) * cells, deals=deals, **settings)


def test_the_same_request_is_the_same_plan() -> None:
    first, second = (planned(vary={"redeals": ["0", "1"]}, deals=30_000) for _ in range(2))
    assert first == second
    assert (names(first), first.describe(), first.name) == (names(second), second.describe(), second.name)


@pytest.mark.parametrize(
    "other",
    [
        {"deals": 201},
        {"first_seed": 1},
        {"policy_seed": 1},
        {"traces": "all"},
        {"stop": "decided"},
        {"vary": {"redeals": ["0"]}},
        {"source": "pysol", "first_seed": 1},
        {"players": ["random"]},
        {"players": ["greedy", "random"]},
    ],
)
def test_another_request_has_another_name(other: dict[str, Any]) -> None:
    assert planned(deals=200).name != planned(**{"deals": 200} | other).name


def test_shards_hold_every_seed_of_every_cell_once() -> None:
    sweep = planned("la_belle_lucie", "la_croix_dhonneur", deals=12_345, first_seed=77)
    for cell in sweep.cells:
        bounds = [(shard.lo, shard.hi) for shard in sweep.shards() if shard.cell == cell]
        assert (bounds[0][0], bounds[-1][1]) == (77, 77 + 12_345)
        assert [hi for _, hi in bounds[:-1]] == [lo for lo, _ in bounds[1:]]
        assert {hi - lo for lo, hi in bounds[:-1]} == {cell.shard_deals}
    assert len(set(names(sweep))) == len(names(sweep)) > 10


def test_names_sort_as_seeds_do_and_cells_grow_together() -> None:
    sweep = hand_made(5 * 10**6, first_seed=10**15 - 10**6)
    assert names(sweep) == sorted(names(sweep))
    mixed = Sweep((Cell("la_belle_lucie", GREEDY, 1000), Cell("la_belle_lucie", Policy("random"), 2000)), deals=6000)
    assert [(s.lo, s.cell.policy.name) for s in mixed.shards()] == [
        (0, "greedy"), (0, "random"), (1000, "greedy"), (2000, "greedy"), (2000, "random"), (3000, "greedy"),
        (4000, "greedy"), (4000, "random"), (5000, "greedy"),
    ]  # fmt: skip


def test_a_thousand_cells_of_a_million_million_deals_are_listed_as_they_are_needed() -> None:
    sweep = hand_made(10**12, cells=1000)
    tracemalloc.start()
    taken = list(islice(sweep.shards(), 5000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [shard.lo for shard in taken[::1000]] == [0, 1000, 2000, 3000, 4000]
    assert peak < 10 * 2**20


def test_shards_have_round_sizes_of_about_the_same_length() -> None:
    assert sorted(SHARD_DEALS) == SHARD_DEALS
    assert all(str(size).strip("0") in "125" for size in SHARD_DEALS)
    for cell in planned(*sim.names(), players=["random", "greedy", "first"], deals=100, shard_moves=10**6).cells:
        assert cell.shard_deals in SHARD_DEALS
        assert 300_000 < cell.shard_deals * plan_mean(cell) < 1_300_000, cell


def plan_mean(cell: Cell) -> float:
    """The mean length of other deals than those that the plan has looked at."""
    from pipelines.shard import mean_moves

    return mean_moves(cell, Sweep((cell,), first_seed=10**6, deals=100), 100)


def test_a_shard_never_has_fewer_deals_than_the_least_size() -> None:
    assert {cell.shard_deals for cell in planned(deals=100, shard_moves=1).cells} == {SHARD_DEALS[0]}


@pytest.mark.parametrize("deals", [0, 1])
def test_few_deals(deals: int) -> None:
    shards = list(planned(deals=deals).shards())
    assert [(shard.lo, shard.hi, shard.cell.policy.name) for shard in shards] == [
        (0, 1, name) for name in ("random", "greedy") if deals
    ]


def test_both_ends_of_the_seeds() -> None:
    last = planned(first_seed=MAX_SEED, deals=1)
    assert [(shard.lo, shard.hi) for shard in last.shards()] == [(MAX_SEED, MAX_SEED + 1)] * 2
    assert names(last)[0].endswith("/seed=09223372036854775807-09223372036854775808")
    with pytest.raises(PatienceError, match=r"The last seed would be 9223372036854775808; .* Ask for fewer deals\."):
        planned(first_seed=MAX_SEED, deals=2)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"first_seed": -1},
            "-1 is no seed of the splitmix deals: expected a whole number from 0 to 9223372036854775807",
        ),
        ({"first_seed": MAX_SEED + 1}, "9223372036854775808 is no seed"),
        ({"deals": -1}, "-1 deals cannot be played"),
        ({"policy_seed": 2**64}, "is no seed"),
        ({"source": "pysol"}, "0 is no seed of the pysol deals: expected a whole number from 1"),
        ({"source": "pysolfc"}, "no deal source 'pysolfc'. Did you mean 'pysol'"),
        ({"traces": "some"}, "no traces 'some'. Expected all, none, wins or sample:FRACTION"),
        ({"traces": "sample"}, "no traces 'sample'"),
        ({"traces": "sample:2"}, "no traces 'sample:2'"),
        ({"traces": "sample:nan"}, "no traces 'sample:nan'"),
        ({"traces": "all:1"}, "no traces 'all:1'"),
        ({"stop": "precise"}, "no stop rule 'precise'. Expected precision=POINTS, such as 0.1, or decided."),
        ({"stop": "precision=x"}, "no stop rule 'precision=x'"),
        ({"stop": "precision=50"}, "no stop rule 'precision=50'"),
        ({"stop": "precision=-1"}, "no stop rule 'precision=-1'"),
        ({"stop": "precision=nan"}, "no stop rule 'precision=nan'"),
        ({"stop": "precision=0"}, "No number of deals gives a precision of 0 points"),
        ({"stop": "decided", "players": ["greedy"]}, "--until-decided compares two cells, and this sweep has 1."),
        ({"vary": {"redeal": ["0"]}}, "no option 'redeal'. Did you mean 'redeals'? Known: vacancy, redeals"),
        (
            {"vary": {"vacancy": ["kings"]}},
            "no value of vacancy 'kings'. Did you mean 'king'? Known: closed, king, any",
        ),
        ({"vary": {"redeals": ["9"]}}, "no value of redeals '9'. Known: 2, 0, 1, 3"),
    ],
)
def test_what_cannot_be_played(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(PatienceError, match=re.escape(message)):
        planned(**settings)


def test_games_that_are_not_there() -> None:
    with pytest.raises(PatienceError, match=r"no game 'la_belle_lucy'\. Did you mean 'la_belle_lucie'"):
        planned("la_belle_lucy")
    with pytest.raises(PatienceError, match="needs at least one game"):
        plan.plan([], {}, [GREEDY])


@pytest.mark.parametrize("text", ["redeals", "redeals=", "redeals= "])
def test_vary_needs_values(text: str) -> None:
    with pytest.raises(PatienceError, match=r"says no values: expected option=a,b,c"):
        varied([text])


def test_what_vary_says() -> None:
    assert varied(["redeals=0, 1", "merci=1", "redeals=2"]) == {"redeals": ["0", "1", "2"], "merci": ["1"]}
    ids = plan.variants("la_belle_lucie(merci=1)", {"redeals": ["3", "2"], "vacancy": ["any", "closed"]})
    assert ids == [
        "la_belle_lucie(merci=1,redeals=3,vacancy=any)", "la_belle_lucie(merci=1,redeals=3)",
        "la_belle_lucie(merci=1,vacancy=any)", "la_belle_lucie(merci=1)",
    ]  # fmt: skip


def test_what_is_asked_for_twice_is_played_once() -> None:
    games = ["la_belle_lucie", "la_belle_lucie(redeals=2)", "la_belle_lucie(redeals=1)"]
    sweep = planned(*games, vary={"redeals": ["1", "1", "2"]}, players=["greedy", "greedy"], deals=0)
    assert [cell.game for cell in sweep.cells] == ["la_belle_lucie(redeals=1)", "la_belle_lucie"]


def test_two_policies_of_one_name_are_refused() -> None:
    mine = [Policy("mine", f"def choose(game, rules, state, moves, n, scratch):\n    return {i}\n") for i in (0, -1)]
    with pytest.raises(PatienceError, match="Two policies are named 'mine'"):
        plan.plan(["la_belle_lucie"], {}, mine)


def every_combination(game: str) -> list[str]:
    """The canonical text of every variant of a game."""
    base = sim.game(game)
    known = options.values(type(base.options))
    return [
        options.canonical(type(base.options)(**dict(zip(known, chosen, strict=True)))) or "default"
        for chosen in product(*known.values())
    ]


@pytest.mark.parametrize("game", sim.names())
def test_every_variant_has_a_folder_of_its_own(game: str) -> None:
    slugs = [plan.slug(variant) for variant in every_combination(game)]
    assert len(set(slugs)) == len(slugs) >= 8
    assert not [slug for slug in slugs if not SLUG.fullmatch(slug)]
    assert max(map(len, slugs)) < 255


def test_what_sweep_json_keeps_tells_all_that_is_asked_for() -> None:
    """No two of these plans may take each other's shards for their own."""
    sweeps = [hand_made(10), hand_made(11), hand_made(10, first_seed=1), hand_made(10, policy_seed=1)]
    sweeps += [hand_made(10, stop="decided"), hand_made(10, cuts=(5,))]
    sweeps += [hand_made(10, traces="none"), hand_made(10, source="pysol", first_seed=1)]
    sweeps += [Sweep((Cell("la_belle_lucie", GREEDY, 2000),), deals=10)]
    sweeps += [Sweep((Cell("la_belle_lucie", load("first"), 1000),), deals=10)]
    assert all(one.describe() != other.describe() for one, other in combinations(sweeps, 2))


def test_a_shard_says_its_cell_and_seeds() -> None:
    cell = Cell("la_belle_lucie(vacancy=king,redeals=1)", GREEDY)
    assert Shard(cell, 5, 10**6).name == (
        "game=la_belle_lucie/variant=redeals-1.vacancy-king/policy=greedy/"
        "seed=00000000000000000005-00000000000001000000"
    )
