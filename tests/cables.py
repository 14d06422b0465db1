"""Two machines with a cable between them, as network namespaces of this one, and a Ray node on each.

Nothing of it leaves the two namespaces; they end with the processes that hold them. Only who may make namespaces (root,
in most containers) can do this: `refusal` says why not.
"""

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which

import psutil

from tests.sweeping import surroundings, title_of, wait_for

NET, PORT, CABLE = "10.77.0", 6379, "cable"
HELD = ("unshare", "--net", "sleep", "1000")
NODE = ("--num-cpus=1", "--object-store-memory=80000000", "--block")
TOKEN = secrets.token_hex(32)


def refusal() -> str:
    """Why there can be no namespaces here; empty if there can."""
    missing = [tool for tool in ("unshare", "nsenter", "ip") if not which(tool)]
    if missing:
        return f"there is no {' and no '.join(missing)}"
    return subprocess.run(["unshare", "--net", "true"], capture_output=True, text=True).stderr.strip()


@dataclass
class Machine:
    """A namespace, and the process that holds it."""

    number: int
    holder: subprocess.Popen[bytes]
    ray: subprocess.Popen[bytes] | None = None

    def within(self, *command: str | Path) -> list[str]:
        """The command line that runs a command there."""
        return ["nsenter", f"--target={self.holder.pid}", "--net", *map(str, command)]

    def run(self, text: str) -> None:
        subprocess.run(self.within(*text.split()), check=True)

    @property
    def net(self) -> str:
        """Its namespace; empty while it is that of everybody else, or when it is no more."""
        found = net(self.holder.pid)
        return "" if found == net(os.getpid()) else found

    def processes(self) -> list[psutil.Process]:
        own = self.net
        others = (one for one in psutil.process_iter() if own and one.pid != self.holder.pid)
        return [one for one in others if net(one.pid) == own]

    def plug_in(self) -> None:
        for text in (f"addr add {NET}.{self.number}/24 dev {CABLE}", f"link set {CABLE} up", "link set lo up"):
            self.run(f"ip {text}")

    def cut(self) -> None:
        """Pull the cable: nothing arrives any more, and no connection is told."""
        self.run(f"ip link set {CABLE} down")

    def start_ray(self, *arguments: str) -> None:
        """A node, up once its last process is, the dashboard's agent."""
        command = [Path(sys.executable).with_name("ray"), "start", f"--node-ip-address={NET}.{self.number}"]
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.ray = subprocess.Popen(self.within(*command, *NODE, *arguments), env=settings(), **quiet)
        up = "ray::DashboardAgent"
        wait_for(lambda: any(title_of(one).startswith(up) for one in self.processes()), self.ray, seconds=60)

    def end(self) -> None:
        for process in [*self.processes(), self.holder]:
            process.kill()
        for child in filter(None, (self.ray, self.holder)):
            child.wait()


def net(pid: int) -> str:
    try:
        return os.readlink(f"/proc/{pid}/ns/net")
    except OSError:
        return ""


def settings() -> dict[str, str]:
    """Variables of all that runs there."""
    more = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": TOKEN}
    return {name: value for name, value in surroundings(**more).items() if name != "RAY_ADDRESS"}


@contextmanager
def two_machines() -> Iterator[tuple[Machine, Machine]]:
    """The head's, from which sweeps are started, and the other's."""
    machines = [Machine(number, subprocess.Popen(HELD)) for number in (1, 2)]
    home, away = machines
    try:
        wait_for(lambda: home.net and away.net, away.holder, seconds=60)
        home.run(f"ip link add {CABLE} type veth peer name {CABLE} netns {away.holder.pid}")
        for machine in machines:
            machine.plug_in()
        home.start_ray("--head", f"--port={PORT}", "--include-dashboard=false")
        away.start_ray(f"--address={NET}.1:{PORT}")
        yield home, away
    finally:
        for machine in machines:
            machine.end()
