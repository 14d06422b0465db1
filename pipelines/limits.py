"""What a policy may take of the process that plays it: memory up to a limit, and nothing of its standard output.

The limit is that of the kernel on a process's data (RLIMIT_DATA, on Linux): an allocation beyond it fails, and the
policy that asked for it is named, before the machine is short of memory and its kernel or Ray ends processes at will.
"""

import os
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pipelines.machine import cores, memory
from sim.errors import PatienceError

GIB = 2**30


@dataclass(frozen=True)
class Limits:
    """What a deal, and what a worker may take."""

    deal_seconds: float = 60.0  # of CPU
    memory: float | None = None  # GiB more than the process has at its first shard; its core's share if not given

    def __post_init__(self) -> None:
        for name, value in (("deal-seconds", self.deal_seconds), ("worker-memory", self.memory)):
            if value is not None and not 0 < value < float("inf"):
                raise PatienceError(f"--{name} {value:g} cannot be: expected a number above 0.")


USUAL = Limits()


@contextmanager
def contained(limits: Limits) -> Iterator[None]:
    """While a policy plays: what it prints goes nowhere, and its memory is limited."""
    with silence(), limited_data(limits.memory):
        yield


@contextmanager
def silence() -> Iterator[None]:
    """What is printed on stdout meanwhile goes nowhere."""
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
        yield


@contextmanager
def limited_data(gib: float | None) -> Iterator[None]:
    if sys.platform != "linux":
        yield
        return
    usual = resource.getrlimit(resource.RLIMIT_DATA)
    most = highest_data(int(gib * GIB) if gib else share())
    hard = usual[1]
    resource.setrlimit(resource.RLIMIT_DATA, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, usual)


@cache
def highest_data(more: int) -> int:
    """The limit of this process in bytes, set once: what is lost with each shard counts too."""
    kib = next(line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if "VmData" in line)
    return int(kib) * 1024 + more


def share() -> int:
    """The memory of this machine, or of its container, for each of its cores, in bytes."""
    return memory() // cores()
