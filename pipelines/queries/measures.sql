-- How hard is each game, variant and policy, in every measure? One row per cell of the sweeps, finished or not.
-- What each column is, with its denominator and source, says pipelines/measures.py.
create view measures as
with limits as (
    select cell, try_cast(options ->> 'redeals' as bigint) as redeals_allowed
    from cells
),
alike as materialized (
    from profile
),
cumulated as (
    select cell, cards_home, sum(sum(deals)) over (partition by cell order by cards_home) as deals
    from alike
    group by cell, cards_home
),
totals as (
    select
        cell,
        sum(deals)::bigint as deals,
        coalesce(sum(deals) filter (ending = 'won'), 0)::bigint as wins,
        sum(deals * cards_home) / sum(deals) as mean_cards_home,
        sum(moves) / sum(deals) as mean_moves,
        sum(moves) filter (ending = 'won') / sum(deals) filter (ending = 'won') as mean_moves_won,
        sum(decisions) / sum(deals) as mean_decisions,
        sum(legal_moves) / nullif(sum(moves + if(ending = 'resigned', deals, 0)), 0) as mean_legal_moves,
        sum(deals * redeals) / sum(deals) as mean_redeals,
        coalesce(sum(deals) filter (ending = 'won' and redeals = redeals_allowed and redeals > 0), 0)::bigint as last,
        coalesce(sum(deals) filter (ending = 'stuck'), 0) / sum(deals) as share_stuck,
        coalesce(sum(deals) filter (ending = 'resigned'), 0) / sum(deals) as share_resigned,
        coalesce(sum(deals) filter (ending = 'stalled'), 0) / sum(deals) as share_stalled,
        coalesce(sum(deals) filter (ending = 'too_long'), 0) / sum(deals) as share_too_long,
        coalesce(sum(deals) filter (ending = 'error'), 0) / sum(deals) as share_error
    from alike
    join limits using (cell)
    group by cell
),
quantiles as (
    select
        cell,
        min(cards_home) filter (20 * cumulated.deals >= totals.deals) as cards_home_p05,
        min(cards_home) filter (4 * cumulated.deals >= totals.deals) as cards_home_p25,
        min(cards_home) filter (2 * cumulated.deals >= totals.deals) as cards_home_median,
        min(cards_home) filter (4 * cumulated.deals >= 3 * totals.deals) as cards_home_p75,
        min(cards_home) filter (20 * cumulated.deals >= 19 * totals.deals) as cards_home_p95
    from cumulated
    join totals using (cell)
    group by cell
)
select
    sweep, game, variant, policy,
    coalesce(deals, 0) as deals,
    coalesce(wins, 0) as wins,
    wins / deals as win_rate,
    coalesce(wilson_low(wins, deals), 0) as win_low,
    coalesce(wilson_high(wins, deals), 1) as win_high,
    mean_cards_home, cards_home_p05, cards_home_p25, cards_home_median, cards_home_p75, cards_home_p95,
    mean_moves, mean_moves_won, mean_decisions, mean_legal_moves,
    redeals_allowed, mean_redeals,
    if(redeals_allowed > 0, coalesce(last, 0), null) as last_redeal_wins,
    last_redeal_wins / nullif(wins, 0) as last_redeal_share,
    if(redeals_allowed > 0, if(wins > 0, wilson_low(last, wins), 0), null) as last_redeal_low,
    if(redeals_allowed > 0, if(wins > 0, wilson_high(last, wins), 1), null) as last_redeal_high,
    share_stuck, share_resigned, share_stalled, share_too_long, share_error
from cells
left join totals using (cell)
left join limits using (cell)
left join quantiles using (cell)
order by cell;
