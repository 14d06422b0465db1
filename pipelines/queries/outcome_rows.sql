-- How did each finished deal end, by the number of its cell?
-- The files are those of the manifest, never a glob. A file's cell is looked up by its name, not read out of its
-- path, so that a folder such as /data/game=3/ above the sweep adds no column; DuckDB still skips files by it.
create view outcome_rows as
select
    files.cell, seed, won, ending, cards_home, moves, legal_moves, decisions, redeals, trace_hash
from read_parquet(getvariable('outcome_files'), hive_partitioning = false, filename = true) as deals
join files on files.path = deals.filename;
