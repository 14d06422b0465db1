"""What there is for this process: cores and memory of the machine, or less in a container or when it is bound to some.

A container's limits are read where Linux shows them inside it: control groups of version 2, or else of version 1.
"""

import os
from math import ceil
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")
QUOTA = (("cpu.max",), ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"))  # microseconds of CPU, in so many
MEMORY = (("memory.max",), ("memory/memory.limit_in_bytes",))


def cores() -> int:
    """Cores that this process may keep busy; a part of one counts as one."""
    bound = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    limit = limits(QUOTA)
    return min(bound, ceil(limit[0] / limit[1])) if len(limit) == 2 else bound


def memory() -> int:
    """Bytes that all processes here may have."""
    return min([os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"), *limits(MEMORY)])


def limits(versions: tuple[tuple[str, ...], ...]) -> list[int]:
    """The numbers in the files of the first version that is there; `max` or -1 is no limit."""
    there = next((names for names in versions if all((GROUPS / name).exists() for name in names)), ())
    return [int(word) for name in there for word in (GROUPS / name).read_text().split() if word.isdigit()]
