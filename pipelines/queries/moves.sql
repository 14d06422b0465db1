-- Which move was made at each step of each deal that has a trace? One row per move.
-- A code packs, lowest bits first: kind 4, source pile 7, target pile 7, face of the card 6, number of legal moves 8 (a
-- count of 255 means 255 or more and reads as NULL). The names of kinds and piles travel with each deal, so that a move is decoded by indexing a list and not by a join.
create view moves as
select
    sweep, game, variant, policy, seed, step,
    kinds[(code & 15)::integer + 1] as kind,
    card_name(code >> 18 & 63) as card,
    piles[(code >> 4 & 127)::integer + 1] as source,
    piles[(code >> 11 & 127)::integer + 1] as target,
    nullif(code >> 24, 255)::utinyint as legal_moves
from (
    select
        sweep, game, variant, policy, kinds, piles, seed,
        (generate_subscripts(codes, 1) - 1)::usmallint as step,
        unnest(codes) as code
    from trace_rows
    join cells using (cell)
);
