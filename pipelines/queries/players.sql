-- Which cells do the sweeps have, with the deals, the random choices and the code of each, in their order?
select
    cell, cells.sweep, game, variant, policy, deal_source, coalesce(policy_seed, 0), first_seed, first_seed + deals, code
from cells
join sweeps on sweeps.name = cells.sweep
order by cell;
