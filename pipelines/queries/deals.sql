-- Which deals of each game and variant stand out, by what the policies of the sweep made of them? One row per list and
-- deal, at most $limit deals of a list; pipelines/deals_of.py says what the lists are and how they are ordered.
with players as (
    select
        cell, sweep, game, variant, policy,
        min(cell) over same as place,
        count(*) over same as policies,
        row_number() over (same order by win_rate desc nulls last, mean_cards_home desc nulls last, policy) = 1 as best
    from cells
    join measures using (sweep, game, variant, policy)
    where ($game::varchar is null or game = $game) and ($variant::varchar is null or variant = $variant)
    window same as (partition by sweep, game, variant)
),
plays as (
    select place, cell, sweep, game, variant, policy, policies, best, seed, won, ending, cards_home, moves
    from outcome_rows
    join players using (cell)
),
deals as materialized (
    select
        place, seed,
        any_value(policies) as policies,
        count(*) = any_value(policies) as complete,
        count(*) filter (won) as won_by,
        count(*) filter (won and best) as best_won,
        max(cards_home) as most_home,
        min(moves) filter (won) as shortest,
        max(moves) filter (won) as longest
    from plays
    group by place, seed
),
listed as (
    select 0 as rank, 'won_by_all' as list, place, min({'key': 0, 'seed': seed}, $limit) as top
    from deals
    where complete and won_by = policies
    group by place
    union all
    select 1, 'won_by_best_only', place, min({'key': 0, 'seed': seed}, $limit)
    from deals
    where complete and won_by = 1 and best_won = 1 and policies > 1
    group by place
    union all
    select 2, 'won_by_none', place, min({'key': 0, 'seed': seed}, $limit)
    from deals
    where complete and won_by = 0
    group by place
    union all
    select 3, 'closest', place, min({'key': -most_home::integer, 'seed': seed}, $limit)
    from deals
    where complete and won_by = 0
    group by place
    union all
    select 4, 'shortest_won', place, min({'key': shortest::integer, 'seed': seed}, $limit)
    from deals
    where won_by > 0
    group by place
    union all
    select 5, 'longest_won', place, min({'key': -longest::integer, 'seed': seed}, $limit)
    from deals
    where won_by > 0
    group by place
),
chosen as (
    select rank, list, place, t.deal.seed as seed, t.number
    from listed
    cross join unnest(top) with ordinality as t(deal, number)
    where list_contains($lists, list)
)
select
    sweep, game, variant, list, number, seed,
    if(any_value(deal_source) = 'pysol', seed, null) as pysolfc_deal,
    count(*) filter (won) as won_by,
    any_value(policies) as policies,
    (select policy from players as p where p.place = plays.place and p.best) as best_policy,
    list({'policy': policy, 'ending': ending::varchar, 'cards_home': cards_home, 'moves': moves} order by cell) as plays
from chosen
join plays using (place, seed)
join sweeps on sweeps.name = sweep
group by plays.place, rank, sweep, game, variant, list, number, seed
order by plays.place, rank, number;
