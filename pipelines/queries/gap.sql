-- On the deals that both played, how often did player $from[i] win, and how often player $to[i]? Players are places, as
-- in plays.sql. One row per i that has such deals, with the sums that the interval of the difference follows from.
with players as not materialized (
    select unnest($cells::integer[]) as cell, unnest($places::integer[]) as player
),
compared as not materialized (
    select
        unnest(range(len($from))) as place,
        unnest($from::integer[]) as player_from,
        unnest($to::integer[]) as player_to
),
sides as (
    select player, seed, avg(won::integer) as share
    from outcome_rows
    join players using (cell)
    where list_contains($from::integer[] || $to::integer[], player)
    group by player, seed
)
select
    place, count(*), sum(a.share), sum(b.share), sum(a.share * a.share), sum(b.share * b.share), sum(a.share * b.share)
from compared
join sides as a on a.player = player_from
join sides as b on b.player = player_to and b.seed = a.seed
group by place
order by place;
