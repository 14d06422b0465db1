"""A line for each variant and policy: a digest of the outcomes and trace codes of a few deals.

`python -m tests.digests` prints them; run with NUMBA_DISABLE_JIT=1 it must print the same.
"""

import hashlib
import sys

from tests.engine import GAMES, POLICIES, THINKERS, Driver, every_variant

MOVES = 60  # of a deal, at most
SMALL = ("fortress",)  # without the compiler, thinking takes its time


def digest(variant: str, policy: str, deals: int) -> str:
    """Sixteen hex digits over all that a run writes."""
    played = Driver(variant, policy, policy_seed=5, limit=MOVES).play(deals, first=11)
    total = hashlib.sha256()
    for name in played.outcomes.dtype.names:
        total.update(played.outcomes[name].tobytes())
    for codes in played.codes:
        total.update(codes.tobytes())
    return total.hexdigest()[:16]


def lines() -> list[str]:
    """Every game under every quick policy, every option value under `random`, and the policies that think."""
    pairs = [(game, policy) for game in GAMES for policy in POLICIES if policy != "greedy"]  # as weighted
    pairs += [(variant, "random") for variant in every_variant() if variant not in GAMES]
    pairs += [(game, policy) for game in SMALL for policy in THINKERS]
    return [f"{variant} {policy} {digest(variant, policy, 1)}" for variant, policy in pairs]


if __name__ == "__main__":
    sys.stdout.write("\n".join([*lines(), ""]))
