"""Napoleon's Square, second form, from Lady Cadogan and dossier 23.

Two packs. A square of twelve single cards; the other 92 are the stock, turned one by one. Suitable cards go to
the eight foundations or are married, in descending line and suit, to those of the square; the rest goes to the
waste; vacancies are filled as in Napoleon's Square.
"""

from typing import ClassVar

from . import Move, Options, first_values
from .napoleons_square import NapoleonsSquare


class SecondForm(NapoleonsSquare):
    """A game of Napoleon's Square, dealt in the second form."""

    OPTIONS: ClassVar[Options] = {
        "square_marriages": (True, False),
        "vacancy_source": ("waste_or_stock", "any_card"),
        "move_unit": ("single", "sequence"),
        "foundation_return": (False, True),
        "turn_at_deal": (False, True),
        "fill_from_unturned_stock": (True, False),
    }
    DEFAULTS = first_values(OPTIONS)

    def deal(self, deck: list[str]) -> None:
        """Twelve single cards, in which no king can block anything."""
        self.lay([[card] for card in deck[:12]], deck[12:])

    def builds(self) -> list[Move]:
        """Marriages with the upper cards of the square; by option not of the square's own cards."""
        moves = super().builds()
        if self.options["square_marriages"]:
            return moves
        return [move for move in moves if move.source[0] != "tableau"]


TWIN = SecondForm
