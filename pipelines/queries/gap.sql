-- On the deals that both sides of a pair played, how often did each win? Cell $cells[i] plays on side $sides[i], 0 or 1, of
-- pair $pairs[i]; several cells of a side are the same player with other random choices. One row per pair that has such
-- deals, with the sums that the interval of the difference follows from.
with players as not materialized (
    select unnest($cells::integer[]) as cell, unnest($pairs::integer[]) as pair, unnest($sides::integer[]) as side
),
deals as (
    select
        pair, seed,
        avg(won::integer) filter (side = 0) as a,
        avg(won::integer) filter (side = 1) as b
    from outcome_rows
    join players using (cell)
    group by pair, seed
)
select pair, count(*), sum(a), sum(b), sum(a * a), sum(b * b), sum(a * b)
from deals
where a is not null and b is not null
group by pair
order by pair;
