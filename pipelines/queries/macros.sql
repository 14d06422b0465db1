-- What is the 95 % interval of a win rate, and what is a card's name?
-- Wilson's score interval (see pipelines/statistics.py). Everything is cast to double first: with a decimal literal
-- DuckDB would compute in DECIMAL and fail for 10^8 deals, and k * (n - k) overflows 64 bits beyond 3 * 10^9.
create macro wilson_centre(k, n, z2) as (k::double + z2 / 2) / (n::double + z2);
create macro wilson_half(k, n, z2) as
    sqrt(z2) * sqrt(k::double * (n - k)::double / n::double + z2 / 4) / (n::double + z2);

create macro wilson_low(k, n, z := 1.959963984540054::double) as
    case when k = 0 then 0::double else wilson_centre(k, n, z * z) - wilson_half(k, n, z * z) end;
create macro wilson_high(k, n, z := 1.959963984540054::double) as
    case when k = n then 1::double else wilson_centre(k, n, z * z) + wilson_half(k, n, z * z) end;

-- A face is suit << 4 | rank, suits C S H D, ranks 1 to 13; face 0 is a card that was not seen.
set variable card_names = list_transform(
    range(64), lambda face: case when face & 15 between 1 and 13
        then 'A23456789TJQK'[face & 15] || 'CSHD'[(face >> 4) + 1] end
);
create macro card_name(face) as getvariable('card_names')[face::integer + 1];
