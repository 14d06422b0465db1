-- Which games, variants and policies do the sweeps play, in their order, and how many seconds of CPU did each take?
select cell, sweep, game, variant, policy, options, defaults, seconds
from cells
order by cell;
