-- Which move was made at each step of each deal that has a trace? One row per move.
-- A code packs, lowest bits first: kind 4, source pile 7, target pile 7, face of the card 6, count 4. The names of
-- kinds and piles travel with each deal, so that a move is decoded by indexing a list and not by a join.
create view moves as
select
    sweep, game, variant, policy, seed, step,
    kinds[(code & 15)::integer + 1] as kind,
    card_name(code >> 18 & 63) as card,
    (code >> 24 & 15)::utinyint as count,
    piles[(code >> 4 & 127)::integer + 1] as source,
    piles[(code >> 11 & 127)::integer + 1] as target,
    legal_moves
from (
    select
        sweep, game, variant, policy, kinds, piles, seed,
        (generate_subscripts(codes, 1) - 1)::usmallint as step,
        unnest(codes) as code,
        unnest(legal) as legal_moves
    from trace_rows
    join cells using (cell)
);
