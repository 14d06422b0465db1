"""From finished deals to answers: sweeps are played, written as Parquet, and summarised with DuckDB.

`pipelines.load("results/x")` opens the door for notebooks; see `pipelines.notebook`.
"""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipelines.notebook import Loaded


def load(*folders: str | Path) -> "Loaded":
    """What the sweeps in these folders found. What is heavy is imported now and not with the package."""
    from pipelines.notebook import open_folders

    return open_folders(folders)
