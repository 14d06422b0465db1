"""What a report holds, whatever it is written as: sentences, sections with tables and charts, replays.

Nothing of the machine, the day or the workers enters: the same sweep gives the same report, to the byte.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import pyarrow as pa

from pipelines.charts import Chart
from pipelines.report.viewer import Shown


@dataclass(frozen=True)
class Picture:
    """A chart that can be drawn in several widths, in pixels."""

    name: str  # of its file
    about: str  # what it shows, for who cannot see it
    draw: Callable[[int], Chart]
    panel: bool = False  # one of many small ones, which have one width


@dataclass(frozen=True)
class Section:
    """A heading, what the figures below it are measured on, a table, charts."""

    anchor: str
    title: str
    caption: str  # of the charts
    table: pa.Table
    pictures: list[Picture] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)  # the table in words
    note: str = ""  # to the table


@dataclass(frozen=True)
class Report:
    """All that a report says."""

    name: str
    summary: list[str]
    command: str  # that plays the sweep again
    sections: list[Section]
    words: dict[str, str]  # the terms that it uses, and what they mean
    replays: list[Shown]
