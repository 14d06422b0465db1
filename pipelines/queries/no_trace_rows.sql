-- Which moves were made, when the sweep keeps no traces? The columns of trace_rows.sql, and no row.
create table trace_rows (cell integer, seed bigint, codes uinteger[]);
