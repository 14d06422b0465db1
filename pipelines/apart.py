"""Work in a child process, so that a policy which loops, crashes or takes all memory harms nobody else."""

import faulthandler
import gc
import os
import resource
import signal
import warnings
from ast import literal_eval
from collections.abc import Callable
from typing import Any

from pipelines.limits import USUAL, contained


def apart(work: Callable[[], Any]) -> Any:
    """What `work` gives, a literal such as a tuple of numbers; None if the child came to harm over it.

    `work` calls `allow` to be given time.
    """
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads, which the child does not need
        child = fork()
    if child == 0:
        answer(work, writer)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return literal_eval(text) if text else None


def fork() -> int:
    """`os.fork`; what the parent has thrown away is not the child's to collect.

    A database that is collected waits for its threads to end, and a child that waits for threads of its parent crashes.
    """
    gc.freeze()
    child = os.fork()
    if child:
        gc.unfreeze()
    return child


def answer(work: Callable[[], Any], writer: int) -> None:
    """The life of the child; what goes wrong is found again, and told, when the policy plays its shards."""
    faulthandler.disable()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        with contained(USUAL):
            os.write(writer, repr(work()).encode())
    finally:
        os._exit(0)


def allow(seconds: float) -> None:
    """From here on this process has so many seconds of CPU until the kernel ends it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + seconds) + 1
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
