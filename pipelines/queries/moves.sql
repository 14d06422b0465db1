-- Which move was made at each step of each deal that has a trace? One row per move.
-- A code packs, lowest bits first: kind 4, source pile 7, target pile 7, face of the card 6, number of legal moves 8 (a
-- count of 255 means 255 or more and reads as NULL). The names of kinds and piles travel with each deal, so that a move
-- is decoded by indexing a list and not by a join.
-- A source beyond the piles belongs to an exchange of two cards for two others (see sim/moves.py): it names no card, but
-- two piles as source and two as target.
-- Names that repeat in all moves of a cell are of an enum, in the order of the alphabet: it reads as text and takes a
-- byte or two, so that sums over 10^8 moves need half the time.
create type name as enum (
    select distinct name
    from (select unnest([sweep, game, variant, policy] || kinds) as name from cells)
    order by name
);
create table named_cells as
select
    cell, sweep::name as sweep, game::name as game, variant::name as variant, policy::name as policy,
    kinds::name[] as kinds, piles
from cells;
create view moves as
select
    sweep, game, variant, policy, seed, step,
    kinds[(code & 15)::integer + 1] as kind,
    case when from_pile <= len(piles) then card_name(code >> 18 & 63) end as card,
    case when from_pile <= len(piles) then piles[from_pile] else
        piles[(code >> 4 & 31)::integer + 1] || ' ' || piles[((code >> 16 & 3) * 8 + (code >> 21 & 7))::integer + 1]
    end as source,
    case when from_pile <= len(piles) then piles[(code >> 11 & 127)::integer + 1] else
        piles[(code >> 11 & 31)::integer + 1] || ' ' || piles[((code >> 9 & 3) * 8 + (code >> 18 & 7))::integer - 4]
    end as target,
    nullif(code >> 24, 255)::utinyint as legal_moves
from (
    select *, (code >> 4 & 127)::integer + 1 as from_pile
    from (
        select
            sweep, game, variant, policy, kinds, piles, seed,
            (generate_subscripts(codes, 1) - 1)::usmallint as step,
            unnest(codes) as code
        from trace_rows
        join named_cells using (cell)
    )
);
