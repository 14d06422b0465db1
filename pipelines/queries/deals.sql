-- Which deals of each game and variant stand out, by what the policies of the sweep made of them? One row per list and
-- deal, at most $limit deals of a list; pipelines/deals_of.py says what the lists are and how they are ordered.
with players as (
    select
        cell, sweep, game, variant, policy,
        min(cell) over same as place,
        count(*) over same as policies
    from cells
    where ($game::varchar is null or game = $game) and ($variant::varchar is null or variant = $variant)
    window same as (partition by sweep, game, variant)
),
plays as (
    select place, cell, policy, policies, seed, won, ending, cards_home, moves
    from outcome_rows
    join players using (cell)
),
deals as (
    select
        place, seed,
        any_value(policies) as policies,
        count(*) as played,
        count(*) filter (won) as won_by,
        max(cards_home) as most_home,
        min(moves) filter (won) as shortest,
        max(moves) filter (won) as longest
    from plays
    group by place, seed
),
complete as (
    select *
    from deals
    where played = policies
),
best as (
    select place, policy
    from (
        select place, policy, count(*) filter (won) as wins, avg(cards_home) as home
        from plays
        join complete using (place, seed)
        group by place, policy
    )
    qualify row_number() over (partition by place order by wins desc, home desc, policy) = 1
),
best_wins as (
    select place, seed
    from plays
    join best using (place, policy)
    where won
),
listed as (
    select 'won_by_all' as list, 0 as rank, place, seed, 0 as key from complete where won_by = policies
    union all
    select 'won_by_best_only', 1, place, seed, 0 from complete join best_wins using (place, seed)
    where won_by = 1 and policies > 1
    union all
    select 'won_by_none', 2, place, seed, 0 from complete where won_by = 0
    union all
    select 'closest', 3, place, seed, -most_home::bigint from complete where won_by = 0
    union all
    select 'shortest_won', 4, place, seed, shortest from deals where won_by > 0
    union all
    select 'longest_won', 5, place, seed, -longest::bigint from deals where won_by > 0
),
chosen as (
    select *, row_number() over (partition by place, list order by key, seed) as number
    from listed
    where list_contains($lists, list)
    qualify number <= $limit
)
select
    any_value(sweep) as sweep, any_value(game) as game, any_value(variant) as variant,
    list, number, seed,
    if(any_value(deal_source) = 'pysol', seed, null) as pysolfc_deal,
    count(*) filter (won) as won_by,
    any_value(plays.policies) as policies,
    any_value(best.policy) as best_policy,
    list(
        {'policy': plays.policy, 'ending': ending::varchar, 'cards_home': cards_home, 'moves': moves} order by cell
    ) as plays
from chosen
join plays using (place, seed)
join players using (place, cell)
join sweeps on sweeps.name = players.sweep
left join best using (place)
group by place, rank, list, number, seed
order by place, rank, number;
