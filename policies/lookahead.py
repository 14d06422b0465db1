"""The move that, with the best that can follow it within a few open moves, scores most by the weights of the game.

It tries every line of so many moves, up to a card that nobody can see yet; a line is worth what its moves score, and
may end early, so that what follows never counts against a move.
"""

from dataclasses import dataclass

from policies import parameters
from policies.looking import revealed, reveals
from policies.scoring import REFUSE, score
from policies.weighted import weights as weights
from sim.jit import njit

COST = "a look at each line of so many moves"
DEPTH = 0  # knob; the weights follow
AT, LISTED, MADE, MOST, BEST, FRAME = range(6)  # in memory, for each move of the line that is being tried; see `choose`
LAST = 0  # in memory before them: the policy's move before


@dataclass(frozen=True)
class Parameters:
    """How far it looks, and where its weights come from."""

    depth: int = parameters.number(2, 1, 8, about="moves of a line")
    file: str = parameters.file(about="weights in TOML; those of the game if not given")


def needs(p: Parameters) -> dict[str, int]:
    """A position, a list of moves and a frame of memory for each move of a line."""
    return {"copies": p.depth, "memory": 1 + FRAME * p.depth}


@njit
def enter(game, rules, scratch, level, least):
    """List the moves of states[level]; none is tried yet, and only what is worth more than `least` counts."""
    frame = scratch.memory[1 + FRAME * level :]
    frame[AT], frame[MOST], frame[BEST] = 0, least, -1
    frame[LISTED] = game.legal_moves(rules, scratch.states[level], scratch.moves[level])


@njit
def note(memory, level, worth):
    """The move that was tried last at this level is worth so much, with what follows."""
    frame = memory[1 + FRAME * level :]
    if worth > frame[MOST]:
        frame[MOST], frame[BEST] = worth, frame[AT] - 1


@njit
def made_in_the_open(game, rules, scratch, level, m):
    """Make a move in states[level + 1], if it can be looked beyond."""
    here, there = scratch.states[level], scratch.states[level + 1]
    if reveals(rules, here, m):
        return False
    scratch.states[level + 1] = here
    game.apply_move(rules, there, m)
    return not revealed(rules, here, there)


@njit
def try_lines(game, rules, scratch, depth, w):
    """Try all lines from states[0]; what each move is worth is noted in the first frame."""
    memory, level = scratch.memory, 0
    while level >= 0:
        here, frame = scratch.states[level], memory[1 + FRAME * level :]
        if frame[AT] == frame[LISTED]:
            level -= 1
            if level >= 0:
                note(memory, level, memory[1 + FRAME * level + MADE] + frame[MOST])
            continue
        m = scratch.moves[level, frame[AT]]
        before = scratch.moves[level - 1, memory[1 + FRAME * (level - 1) + AT] - 1] if level else memory[LAST]
        frame[AT] += 1
        frame[MADE] = int(score(rules, here, m, before, w))
        if frame[MADE] > REFUSE and level + 1 < depth and made_in_the_open(game, rules, scratch, level, m):
            level += 1
            enter(game, rules, scratch, level, 0)
        else:
            note(memory, level, frame[MADE])


def choose(game, rules, state, moves, n, scratch):
    scratch.states[0] = state
    enter(game, rules, scratch, 0, REFUSE)
    try_lines(game, rules, scratch, int(scratch.knobs[DEPTH]), scratch.knobs[1:])
    best = scratch.memory[1 + BEST]
    if best >= 0:
        scratch.memory[LAST] = moves[best]
    return best
