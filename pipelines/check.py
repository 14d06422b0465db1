"""Tell the author of a policy in a minute whether it keeps the rules of the house, game by game.

It plays some deals in a process of its own, so that a policy that never returns can be ended and named.
"""

import multiprocessing
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import pyarrow as pa

import sim
from policies.loader import Policy, from_plain
from sim.errors import PatienceError
from sim.play import ENDINGS
from sim.position import Position
from sim.table import Table

DEALS = 200  # of each game, or as many as there is time for
SECONDS = 1.0  # for the deals of a game, and as much again for their repetition
PATIENCE = 60.0  # seconds without an answer after which a policy is taken to loop for ever
LOOKS = 40  # positions of each game in which it is blindfolded


def check(policy: Policy, games: Sequence[str]) -> pa.Table:
    """A row per game: whether all moves are legal, deals are played alike in any order, and more."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return pa.Table.from_pylist([row(pool, policy, game) for game in games])


def row(pool: Any, policy: Policy, game: str) -> dict[str, object]:
    """The row of one game; an error that names the policy and the game when no answer comes."""
    pool.apply(ready, (asdict(policy), game))
    try:
        found: dict[str, object] = pool.apply_async(judge, (asdict(policy), game)).get(PATIENCE)
        return found
    except multiprocessing.TimeoutError:
        raise PatienceError(
            f"Policy {policy.id!r} gave no answer on {game} for {PATIENCE:.0f} seconds; it seems to loop for ever."
        ) from None


def ready(plain: dict[str, Any], game: str) -> None:
    """Compile what is needed; that may take longer than any policy should."""
    from policies import blindfold

    assert blindfold.choice
    assert sim.game(game).functions
    assert from_plain(plain).choose


def judge(plain: dict[str, Any], game: str) -> dict[str, object]:
    """What happens on the first deals of a game."""
    policy = from_plain(plain)
    first, seconds = played(policy, game, range(DEALS))
    again, _ = played(policy, game, range(len(first) - 1, -1, -1))
    faults = int((first["fault"] != 0).sum())
    endings = {ENDINGS[ending] for ending in first["ending"]}
    return {
        "game": game,
        "deals": len(first),
        "wins": int((first["ending"] == 0).sum()),
        "legal": faults == 0,
        "deterministic": all(out in first.tolist() for out in again.tolist()),
        "honest": not any(looks(policy, game)),
        "ends": not endings & {"too_long"},
        "moves_per_second": round(int(first["moves"].sum()) / seconds),
    }


def played(policy: Policy, game: str, seeds: Sequence[int]) -> tuple[Any, float]:
    """The outcomes of these deals in turn, as many as there is time for, and the seconds of CPU that they took."""
    variant = sim.game(game)
    table = Table(variant, policy.choose, scratch=policy.scratch(variant.title))
    start, pieces = time.process_time(), []
    for seed in seeds:
        pieces.append(table.play_block(seed, seed + 1).outcomes)
        if time.process_time() - start > SECONDS:
            break
    return np.concatenate(pieces), max(time.process_time() - start, 1e-6)


def looks(policy: Policy, game: str) -> Iterator[bool]:
    """Whether its choice depends on what is hidden, position by position along random play."""
    from policies.blindfold import chosen, peeks

    dice, variant = random.Random(0), sim.game(game)
    scratch = policy.scratch(variant.title)
    for number, here in enumerate(walk(variant, dice)):
        yield peeks(policy.choose, here, scratch, number)
        chosen(policy.choose, here, scratch)


def walk(variant: Any, dice: random.Random) -> Iterator[Position]:
    """Positions of random play in which there is a choice, deal after deal."""
    found = seed = 0
    while found < LOOKS and seed < LOOKS:
        here, seed = variant.deal(seed=seed), seed + 1
        while found < LOOKS and not here.over:
            yield here
            found += 1
            here.play(dice.choice(here.moves()))
