-- Which moves were made in each deal that has a trace, as packed codes, by the number of its cell?
create view trace_rows as
select files.cell, seed, codes
from read_parquet(getvariable('trace_files'), hive_partitioning = false, filename = true) as deals
join files on files.path = deals.filename;
