-- How did each finished deal end, when no shard is finished yet? The columns of outcome_rows.sql, and no row.
create table outcome_rows (
    cell integer, seed bigint, won boolean, ending varchar, cards_home utinyint, moves usmallint,
    legal_moves uinteger, decisions usmallint, redeals utinyint, trace_hash ubigint
);
