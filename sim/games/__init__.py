"""The games, one module each: options, layout, and what a table cannot say."""
