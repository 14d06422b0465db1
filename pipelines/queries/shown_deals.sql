-- Which deals of each cell are worth watching? Of those with a trace: the first $each won and the first $each not won by
-- seed, the longest, and of those not won the one with the most cards home; of equals the lowest seed. One row per cell.
select
    cell,
    coalesce(min(seed, $each) filter (won), []) as won,
    coalesce(min(seed, $each) filter (not won), []) as lost,
    arg_max(seed, (moves, -seed)) as longest,
    arg_max(seed, (cards_home, -seed)) filter (not won) as closest
from outcome_rows
semi join trace_rows using (cell, seed)
group by cell
order by cell;
