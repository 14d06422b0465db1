-- When do deals die? Of each cell, how many deals got at least so many cards home, from 0 to the most in this game.
-- The denominator is every finished deal of the cell; a deal that stalled counts with the cards that it had home.
create view survival as
with counted as materialized (
    select cell, cards_home, sum(deals)::bigint as ended
    from profile
    group by all
),
steps as (
    select game, unnest(range(coalesce(max(cards_home), 0)::bigint + 1)) as cards_home
    from cells
    left join counted using (cell)
    group by game
),
reached as (
    select
        cell, sweep, game, variant, policy, cards_home,
        sum(coalesce(ended, 0)) over (partition by cell)::bigint as deals,
        sum(coalesce(ended, 0)) over (partition by cell order by cards_home desc)::bigint as reached
    from cells
    join steps using (game)
    left join counted using (cell, cards_home)
)
select
    sweep, game, variant, policy, cards_home, deals, reached,
    if(deals > 0, reached / deals, null) as share,
    if(deals > 0, wilson_low(reached, deals), 0) as low,
    if(deals > 0, wilson_high(reached, deals), 1) as high
from reached
order by cell, cards_home;
