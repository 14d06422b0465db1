"""An S3-compatible server (moto's) in a process of its own, on a port of this machine's loopback."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from urllib.request import Request, urlopen

import pyarrow.fs as fs

from pipelines.connection import filesystem
from pipelines.place import Remote, located

BUCKET = "results"
KEYS = {"AWS_ACCESS_KEY_ID": "AKIATHISISPRIVATE", "AWS_SECRET_ACCESS_KEY": "this-is-private", "AWS_REGION": "us-east-1"}
# Nothing of the user's or the machine's is asked: all traffic stays on loopback.
ALONE = {"AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": os.devnull, "AWS_SHARED_CREDENTIALS_FILE": os.devnull}


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def serving() -> Iterator[int]:
    """A server; its port."""
    port = free_port()
    with server(port):
        yield port


@contextmanager
def server(port: int) -> Iterator[subprocess.Popen[bytes]]:
    """The process of a server at this port."""
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            wait_for_port(port, process)
            yield process
        finally:
            process.kill()


def wait_for_port(port: int, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            assert server.poll() is None
            assert time.monotonic() < end
            time.sleep(0.05)


def url(port: int, folder: str, bucket: str = BUCKET) -> str:
    return f"s3://{bucket}/{folder}?endpoint_override=http://127.0.0.1:{port}&scheme=http"


def remote(port: int, folder: str = "") -> Remote:
    place = located(url(port, folder))
    assert isinstance(place, Remote)
    return place


def make_bucket(port: int) -> None:
    files, path = fs.FileSystem.from_uri(url(port, "", BUCKET).replace("/?", "?") + "&allow_bucket_creation=true")
    files.create_dir(path)


@contextmanager
def refusing(port: int) -> Iterator[None]:
    """The server knows nobody's keys for so long."""
    allow(port, "0")
    filesystem.cache_clear()
    try:
        yield
    finally:
        allow(port, "inf")
        filesystem.cache_clear()


def allow(port: int, requests: str) -> None:
    """How many requests are answered before keys are looked at."""
    asked = Request(
        f"http://127.0.0.1:{port}/moto-api/reset-auth", requests.encode(), {"Content-Type": "text/plain"}, method="POST"
    )
    with closing(urlopen(asked)) as answer:
        assert answer.status == 200


def files(folder: Remote) -> dict[str, bytes]:
    """The data files below a folder, by their paths from there."""
    return {path.key.removeprefix(f"{folder.key}/"): path.read_bytes() for path in folder.rglob("*.parquet")}
