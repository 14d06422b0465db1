"""The move that, with the best that can follow it within a few open moves, scores most by the weights of the game.

It tries every line of so many moves, up to a card that nobody can see yet; a line is worth what its moves score, and
may end early, so that what follows never counts against a move. Where plays and builds are proven never to be regretted
(`looking.safety`), those are made at once, in a line as on the table, and cards home count before all else.
"""

from dataclasses import dataclass

from policies import parameters
from policies.looking import SAFE_BUILDS, UNSAFE, forced, revealed, reveals, safety
from policies.restraint import KEPT, LAST, in_circles, remember
from policies.scoring import REFUSE, score
from policies.weighted import weights as weights
from sim.jit import njit

COST = "a look at each line of so many moves"
CARD_HOME = 100_000  # what it is worth where it is safe: more than all that moves score
MANY = 128  # where more moves are legal, as exchanges of any two cards are, a line ends
DEPTH = 0  # knob; the weights follow
# In memory, after what is remembered of the moves before, a frame for each move of the line that is being tried:
TRIED, LISTED, MOVE, MADE, MOST, BEST, FRAME = range(7)  # moves tried, and listed; the last one; what it scores; the
# most that a move is worth with what follows, and which one that is


@dataclass(frozen=True)
class Parameters:
    """How far it looks, and where its weights come from."""

    depth: int = parameters.number(2, 1, 8, about="moves of a line")
    file: str = parameters.file(about="weights in TOML; those of the game if not given")


def effort(p: Parameters) -> float:
    return 6 * 2.5 ** (p.depth - 1)


def needs(p: Parameters) -> dict[str, int]:
    """A position, a list of moves and a frame of memory for each move of a line, and a position beyond it."""
    return {"copies": p.depth + 1, "memory": KEPT + FRAME * p.depth}


@njit(inline=True)
def at(level):
    """Where in memory the frame of a level begins; level 0 is that of the move that is to be chosen."""
    return KEPT + FRAME * level


@njit(inline=True)
def enter(memory, level, n, least):
    """There are n moves at this level, none is tried yet, and only what is worth more than `least` counts."""
    frame = memory[at(level) :]
    frame[TRIED], frame[LISTED], frame[MOST], frame[BEST] = 0, n, least, -1


@njit
def note(memory, level, worth):
    """The move that was tried last at this level is worth so much, with what follows."""
    frame = memory[at(level) :]
    if worth > frame[MOST]:
        frame[MOST], frame[BEST] = worth, frame[TRIED] - 1


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
def settle(game, rules, state, moves, safe):
    """Make the moves that can never be regretted, until there is none."""
    while state.home < rules.goal:
        i = forced(rules, state, moves, game.legal_moves(rules, state, moves), safe)
        if i < 0:
            return
        game.apply_move(rules, state, moves[i])


@njit
def try_lines(game, rules, scratch, depth, safe, w):
    """Try all lines from states[0]; what each move is worth is noted in the first frame."""
    memory, level = scratch.memory, 0
    while level >= 0:
        here, frame = scratch.states[level], memory[at(level) :]
        if frame[TRIED] == frame[LISTED]:
            level -= 1
            if level >= 0:
                note(memory, level, memory[at(level) + MADE] + frame[MOST])
            continue
        m = scratch.moves[level, frame[TRIED]]
        before = memory[at(level - 1) + MOVE] if level else memory[LAST]
        frame[TRIED] += 1
        frame[MOVE], frame[MADE] = m, int(score(rules, here, m, before, w))
        if level == 0 and in_circles(rules, here, m, memory):
            frame[MADE] = REFUSE
        last = level + 1 == depth
        made = frame[MADE] > REFUSE and (safe or not last) and made_in_the_open(game, rules, scratch, level, m)
        if made and safe:
            there = scratch.states[level + 1]
            settle(game, rules, there, scratch.moves[level + 1], safe)
            frame[MADE] += CARD_HOME * (int(there.home) - int(here.home))
        if made and not last:
            level += 1
            n = game.legal_moves(rules, scratch.states[level], scratch.moves[level])
            enter(memory, level, n if n <= MANY else 0, 0)
        else:
            note(memory, level, frame[MADE])


def choose(game, rules, state, moves, n, scratch):
    safe = safety(game, rules, state, scratch.states[0], scratch.moves[0])
    if safe < SAFE_BUILDS:
        safe = UNSAFE
    best = forced(rules, state, moves, n, safe)
    if best < 0:
        scratch.states[0] = state
        scratch.moves[0, :n] = moves[:n]
        enter(scratch.memory, 0, n, REFUSE)
        try_lines(game, rules, scratch, int(scratch.knobs[DEPTH]) if n <= MANY else 1, safe, scratch.knobs[1:])
        best = scratch.memory[at(0) + BEST]
    if best >= 0:
        remember(rules, state, moves[best], scratch.memory)
    return best
