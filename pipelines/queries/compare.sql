-- On the same deals, what does cell $to[i] win that cell $from[i] does not? One row per i, in order.
-- A pair is a seed played on both sides; seeds played on one side only are counted as unpaired.
with compared as not materialized (
    select
        unnest(range(len($from))) as place,
        unnest($from::integer[]) as cell_from,
        unnest($to::integer[]) as cell_to
),
sides as not materialized (
    select cell, seed, won, ending in ('stalled', 'too_long') as undecided, ending = 'error' as failed
    from outcome_rows
    where list_contains($from::integer[] || $to::integer[], cell)
),
paired as (
    select
        place,
        count(*) as pairs,
        count(*) filter (a.won and b.won) as both_won,
        count(*) filter (not a.won and b.won) as gained,
        count(*) filter (a.won and not b.won) as lost,
        count(*) filter (a.undecided or b.undecided) as undecided,
        count(*) filter (a.failed or b.failed) as failed
    from compared
    join sides as a on a.cell = cell_from
    join sides as b on b.cell = cell_to and b.seed = a.seed
    group by place
),
played as (
    select cell, count(*) as deals
    from sides
    group by cell
)
select
    coalesce(pairs, 0),
    coalesce(a.deals, 0) + coalesce(b.deals, 0) - 2 * coalesce(pairs, 0) as unpaired,
    coalesce(both_won, 0),
    coalesce(gained, 0),
    coalesce(lost, 0),
    coalesce(undecided, 0),
    coalesce(failed, 0)
from compared
left join paired using (place)
left join played as a on a.cell = cell_from
left join played as b on b.cell = cell_to
order by place;
