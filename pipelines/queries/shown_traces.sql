-- How did the deal of each $cells[i] and $seeds[i] go, and which moves were made? One row per deal, by cell and seed.
select cell, seed, won, ending, cards_home, moves, codes
from trace_rows
join outcome_rows using (cell, seed)
where (cell, seed) in (select (unnest($cells::integer[]), unnest($seeds::bigint[])))
order by cell, seed;
