"""`python -m pipelines` is `patience`."""

from pipelines.cli import main

main()
