-- Which cells do the sweeps have, with the deals and the random choices of each, in their order?
select cell, cells.sweep, game, variant, policy, deal_source, coalesce(policy_seed, 0), first_seed, first_seed + deals
from cells
join sweeps on sweeps.name = cells.sweep
order by cell;
