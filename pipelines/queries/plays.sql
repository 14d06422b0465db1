-- How often was each deal played and won? The cells $cells[i] with equal $places[i] are one player with other random
-- choices. One row per place, number of plays and number of wins: the deals, and those that were played alike each time.
with players as not materialized (
    select unnest($cells::integer[]) as cell, unnest($places::integer[]) as place
),
several as (
    select place, count(*) > 1 as several
    from players
    group by place
),
deals as (
    select place, seed, count(*) as plays, count(*) filter (won) as wins, min(trace_hash) = max(trace_hash) as alike
    from outcome_rows
    join players using (cell)
    join several using (place)
    where several
    group by place, seed
)
select place, plays, wins, count(*) as deals, count(*) filter (alike) as alike
from deals
group by all
union all
select place, 1, (ending = 'won')::integer as wins, sum(deals)::bigint, 0
from profile
join players using (cell)
join several using (place)
where not several
group by all
order by all;
