"""Uniform over the legal moves: the floor of every difficulty table."""

from sim.rng import below

COST = "next to nothing"


def choose(game, rules, state, moves, n, scratch):
    return below(scratch.rng, n)
