-- How hard is each game, variant and policy? One row per cell of the sweeps, finished or not.
-- The rate's denominator is every deal: stalled, too long and failed deals count as not won, and are shown as shares.
-- A position was decided before each move, and once more when the policy resigned.
with counts as (
    select
        cell,
        count(*) as deals,
        count(*) filter (won) as wins,
        avg(cards_home) as mean_cards_home,
        avg(moves) as mean_moves,
        sum(legal_moves) / nullif(sum(moves + (ending = 'resigned')::integer), 0) as mean_legal_moves,
        avg((ending = 'stuck')::integer) as share_stuck,
        avg((ending = 'resigned')::integer) as share_resigned,
        avg((ending in ('stalled', 'too_long'))::integer) as share_stalled,
        avg((ending = 'error')::integer) as share_error
    from outcome_rows
    group by cell
)
select
    sweep, game, variant, policy,
    coalesce(deals, 0) as deals,
    coalesce(wins, 0) as wins,
    wins / deals as win_rate,
    coalesce(wilson_low(wins, deals), 0) as win_low,
    coalesce(wilson_high(wins, deals), 1) as win_high,
    mean_cards_home, mean_moves, mean_legal_moves,
    share_stuck, share_resigned, share_stalled, share_error
from cells
left join counts using (cell)
order by cell;
