-- Which games, variants and policies do the sweeps play, in their order?
select cell, sweep, game, variant, policy, options, defaults
from cells
order by cell;
