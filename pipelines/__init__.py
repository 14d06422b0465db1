"""From finished deals to answers: sweeps are played, written as Parquet, and summarised with DuckDB."""
