"""A Ray of this process's own: it listens to this machine alone, and starts no more than a sweep uses.

Ray has no settings for either, so some of its names stand for something else while it starts.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

# The autoscaler, what copies the workers' output to us, and the dashboard's server, which is there even without a
# dashboard: a Python process each. Without them a sweep of a few deals takes 6.3 s in place of 8.0 (7.9 s of CPU, 9.6).
UNUSED = ("start_monitor", "start_log_monitor", "start_api_server")


@contextmanager
def quiet_start() -> Iterator[None]:
    """While Ray starts on this machine.

    Whatever address a node is given, its servers listen on all interfaces, unless Ray knows of no clusters, as it does
    on some systems; the variable is for what it starts.
    """
    from ray._private import ray_constants
    from ray._private.node import Node

    nothing: dict[str, Any] = dict.fromkeys(UNUSED, lambda *_, **__: None)
    with (
        without_clusters(ray_constants.ENABLE_RAY_CLUSTERS_ENV_VAR),
        patch.object(ray_constants, "ENABLE_RAY_CLUSTER", False),
        patch.multiple(Node, create=True, **nothing),
    ):
        yield


@contextmanager
def without_clusters(variable: str) -> Iterator[None]:
    said = os.environ.get(variable)
    os.environ[variable] = "0"
    try:
        yield
    finally:
        os.environ.pop(variable)
        os.environ |= {variable: said} if said is not None else {}
