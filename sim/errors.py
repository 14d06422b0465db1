"""What goes wrong because of an input, said so that its author can mend it."""

from collections.abc import Iterable
from difflib import get_close_matches


class PatienceError(ValueError):
    """A sentence a user can act on: what is wrong, what was expected, what to do."""

    exit_code = 2


class IllegalMove(PatienceError):
    """A move that the rules do not allow in this position."""


def unknown(what: str, given: object, known: Iterable[object]) -> PatienceError:
    """The error for a name that is none of the known ones, with the nearest of them."""
    names = [str(name) for name in known]
    near = get_close_matches(str(given), names, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return PatienceError(f"There is no {what} {str(given)!r}.{hint} Known: {', '.join(names)}.")
