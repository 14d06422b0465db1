-- How do deals end? One row per cell and ending, those that never happened too.
-- The denominator is every finished deal of the cell.
create view endings as
with counted as materialized (
    select cell, ending, sum(deals)::bigint as ended
    from profile
    group by all
),
played as (
    select cell, sum(ended)::bigint as deals
    from counted
    group by cell
),
every as (
    select *
    from cells
    cross join unnest(['won', 'stuck', 'resigned', 'stalled', 'too_long', 'error']) with ordinality as e(ending, place)
)
select
    sweep, game, variant, policy, ending,
    coalesce(deals, 0) as deals,
    coalesce(ended, 0) as ended,
    if(deals > 0, coalesce(ended, 0) / deals, null) as share,
    if(deals > 0, wilson_low(coalesce(ended, 0), deals), 0) as low,
    if(deals > 0, wilson_high(coalesce(ended, 0), deals), 1) as high
from every
left join counted using (cell, ending)
left join played using (cell)
order by cell, place;
