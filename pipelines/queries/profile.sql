-- How many deals of each cell ended alike, and how long were they? One row per cell, ending, cards home and redeals used.
-- All measures of a cell follow from these few thousand rows, so that the deals are read once.
create view profile as
select
    cell, ending, cards_home, redeals,
    count(*) as deals,
    sum(moves)::bigint as moves,
    sum(legal_moves)::bigint as legal_moves,
    sum(decisions)::bigint as decisions
from outcome_rows
group by all;
