-- On the same deals, what does cell $to win that cell $from does not? One row; pairs have the same seed.
select
    count(*) filter (a.seed = b.seed) as pairs,
    count(*) filter (a.seed is null or b.seed is null) as unpaired,
    count(*) filter (a.won and b.won) as both_won,
    count(*) filter (not a.won and b.won) as gained,
    count(*) filter (a.won and not b.won) as lost,
    count(*) filter (
        a.seed = b.seed
        and (a.ending in ('stalled', 'too_long', 'error') or b.ending in ('stalled', 'too_long', 'error'))
    ) as undecided
from (select seed, won, ending from outcome_rows where cell = $from) as a
full join (select seed, won, ending from outcome_rows where cell = $to) as b on a.seed = b.seed;
