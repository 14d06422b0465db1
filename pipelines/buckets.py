"""Lets DuckDB read files in buckets, through fsspec's adapter on pyarrow: DuckDB's own reader of S3 is an extension,
which would have to be downloaded.

DuckDB asks for the bytes it needs, so a query of few columns fetches few; and it asks only for the files that
`database.lock` allows, as on a disk.
"""

from collections.abc import Iterable
from typing import Any
from zlib import crc32

import duckdb
from fsspec.implementations.arrow import ArrowFSWrapper

from pipelines.place import Place, Remote


def name(path: Place) -> str:
    """A file as DuckDB knows it: the scheme stands for the server, for one query may read from several."""
    return f"{scheme(path)}://{path.path}" if isinstance(path, Remote) else str(path)


def scheme(path: Remote) -> str:
    return f"bucket{crc32(f'{path.bucket}?{path.query}'.encode()):08x}"


def register(con: duckdb.DuckDBPyConnection, folders: Iterable[Place]) -> None:
    """Make the files below these folders known to DuckDB."""
    for folder in {scheme(folder): folder for folder in folders if isinstance(folder, Remote)}.values():
        con.register_filesystem(readable(folder))


def readable(folder: Remote) -> ArrowFSWrapper:
    """The bucket of a folder, for reading alone."""

    class Readable(ArrowFSWrapper):  # type: ignore[misc]
        protocol = (scheme(folder),)
        cachable = False

        @classmethod
        def _strip_protocol(cls, path: str) -> str:
            return path.removeprefix(f"{cls.protocol[0]}://")

        def _open(self, path: str, mode: str = "rb", *given: Any, **named: Any) -> Any:
            if mode != "rb":
                raise PermissionError(f"{path} is opened for reading alone")
            return super()._open(path, mode, *given, **named)

    return Readable(folder.files)
