"""What stands beside the tables and charts of a report: each denominator, each interval, each term."""

from pipelines.grade import DEFINITION

INTERVAL = "95 % Wilson interval"
LUCK = (
    "A square is what random play wins (luck alone, the floor), a dot what the best policy of this sweep wins (the "
    f"ceiling so far), of all deals, with their {INTERVAL}; the way from one to the other is skill."
)
GAP = "Gap is the difference of the two on the same deals, with its paired 95 % interval (Newcombe 1998)."
GRADED = f"{DEFINITION} {GAP}"
FARES = (
    f"The share of all deals that were won, with its {INTERVAL}. The game that is easiest for its best policy "
    "stands first in the chart; the other shares of the table say how the deals ended that were not won."
)
PAIRED = (
    "A row compares the same deals, its pairs, on two sides: gained and lost count those won on one side only, "
    "difference is in points of the pairs with its paired 95 % interval (Newcombe 1998), mcnemar p is exact, and "
    "holm p the same for as many comparisons as there are rows. A rate is a share of the pairs, only to share one "
    "of the deals won by to."
)
CURVES = f"A dot is the share of all deals won, the line through it its {INTERVAL}."
ENDED = (
    f"Shares are of all deals, and no deal is left out; low and high bound their {INTERVAL} in the table. Whether "
    "a deal that stalled or was too long could be won is not known."
)
REACHED = (
    "The share of all deals that brought at least so many cards home before they ended; the band is its "
    f"{INTERVAL}, for each number of cards by itself. A deal that stalled counts with the cards that it had home. "
    "In the table p05 to p95 are quantiles over all deals."
)
LONG = (
    "Means are over all deals, mean moves won over won deals only; a decision is a position with more than one "
    f"legal move; the last redeal share is of the wins, with its {INTERVAL}."
)
ENDINGS = {
    "won": "all cards that the rules ask for are home",
    "stuck": "no legal move is left",
    "resigned": "the policy gave the deal up, though a move was left",
    "stalled": "too many moves without progress, or the same position again and again",
    "too_long": "more moves than the limit",
    "error": "the policy broke the deal off by a fault of its own",
}
TERMS = {
    "band": "the win rates that the grade stands for",
    "best_policy": "the policy other than random that won most often, of those that see no more than a player does",
    "best_rate": "win rate of the best policy, of all deals",
    "random_rate": "win rate of random play, of all deals",
    "pairs": "deals that both sides played",
    "gap": "the best policy's win rate less that of random play, over the pairs",
    "not_counted": "policies that see more than a player does",
    "unpaired_seeds": "deals that only one side played; they are not compared",
    "rate_from": "deals won by the side from / pairs",
    "rate_to": "deals won by the side to / pairs",
    "difference": "rate to less rate from, with its paired 95 % interval low to high",
    "unpaired_low": "lower bound of the difference if the deals had not been the same; unpaired high is the upper one",
    "gained": "pairs that to won and from did not",
    "lost": "pairs that from won and to did not",
    "mcnemar_p": "how likely gained and lost would differ so much if neither side were better; exact",
    "holm_p": "the same, for as many comparisons as the table has",
    "only_to_share": "gained / deals won by to, with its 95 % Wilson interval",
    "undecided": "pairs of which a side stalled or was too long; they count as not won",
    "failed": "pairs of which a side broke off; they count as not won",
}
