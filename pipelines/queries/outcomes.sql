-- How did each finished deal end, in which sweep, game, variant and under which policy? One row per deal.
-- `variant` names the options that differ from their defaults; `options` is a JSON object of them all.
create view outcomes as
select
    sweep, game, variant, policy, options,
    seed, won, ending, cards_home, moves, legal_moves, decisions, redeals, trace_hash
from outcome_rows
join cells using (cell);
