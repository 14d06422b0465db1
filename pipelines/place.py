"""Where results are: a folder of this machine, or one in a bucket, `s3://bucket/folder`, through pyarrow's own S3.

`Remote` has those methods of `Path` that readers of results need, so that they ask neither which of the two it is.
What is written goes through `disk`. A PUT of an object is atomic, so an object that has its name is whole.

Keys and region come from the usual variables (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN,
AWS_REGION), and so on every node of a cluster; never from the URL, which sweep.json and messages repeat. Another server
than Amazon's is named by the URL's query: `s3://bucket/x?endpoint_override=http://127.0.0.1:9000&scheme=http`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePath, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import pyarrow.fs as fs

from pipelines.connection import KEYS, asking, filesystem
from sim.errors import PatienceError


@dataclass(frozen=True, order=True)
class Remote:
    """A file or folder in a bucket: its key, and the URL's query, which says how the server is reached."""

    bucket: str
    key: str = ""
    query: str = ""

    def __str__(self) -> str:
        """The URL that `located` reads back."""
        return f"s3://{self.path}" + (f"?{self.query}" if self.query else "")

    def __truediv__(self, name: str) -> "Remote":
        return Remote(self.bucket, f"{self.key}/{name}".lstrip("/"), self.query)

    @property
    def path(self) -> str:
        """As pyarrow names it."""
        return f"{self.bucket}/{self.key}" if self.key else self.bucket

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.key).suffix

    @property
    def parent(self) -> "Remote":
        return Remote(self.bucket, self.key.rpartition("/")[0], self.query)

    @property
    def files(self) -> fs.FileSystem:
        with asking(self.bucket):
            return filesystem(self.bucket, self.query)

    def resolve(self) -> "Remote":
        """Itself: a bucket has neither links nor a working directory."""
        return self

    def mkdir(self, parents: bool = False, exist_ok: bool = False) -> None:
        """Nothing: a bucket has no folders, only names with slashes."""

    def info(self) -> Any:
        """pyarrow's FileInfo."""
        with asking(self.bucket):
            return self.files.get_file_info(self.path)

    def exists(self) -> bool:
        return bool(self.info().type != fs.FileType.NotFound)

    def is_file(self) -> bool:
        return bool(self.info().is_file)

    def is_dir(self) -> bool:
        return not self.is_file()

    def size(self) -> int | None:
        """Bytes, or None when there is no such file."""
        found = self.info()
        return int(found.size) if found.is_file else None

    def written(self) -> datetime | None:
        """When it was written, by the server's clock; None when there is no such file."""
        found = self.info()
        return found.mtime if found.is_file else None

    def open(self, mode: str = "rb") -> Any:
        """For reading, at any offset."""
        assert mode == "rb"
        with asking(self.bucket):
            return self.files.open_input_file(self.path)

    def read_bytes(self) -> bytes:
        with asking(self.bucket), self.files.open_input_stream(self.path) as file:
            return bytes(file.read())

    def read_text(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        return self.read_bytes().decode(encoding, errors)

    def write_bytes(self, data: bytes) -> None:
        """One object, there with all of its bytes or not at all."""
        with asking(self.bucket), self.files.open_output_stream(self.path) as file:
            file.write(data)

    def upload(self, draft: Path) -> None:
        """One object with the bytes of a file of this machine."""
        self.write_bytes(draft.read_bytes())

    def unlink(self, missing_ok: bool = False) -> None:
        with asking(self.bucket):
            if self.exists() or not missing_ok:
                self.files.delete_file(self.path)

    def rglob(self, pattern: str = "*") -> "Iterator[Remote]":
        """The files below it whose names fit the pattern."""
        with asking(self.bucket):
            found = self.files.get_file_info(fs.FileSelector(self.path, allow_not_found=True, recursive=True))
        paths = sorted(info.path for info in found if info.is_file)
        below = (Remote(self.bucket, path.partition("/")[2], self.query) for path in paths)
        return (path for path in below if PurePosixPath(inside(path, self)).match(pattern))

    def glob(self, pattern: str) -> "Iterator[Remote]":
        """The same, just so deep as the pattern is."""
        depth = pattern.count("/")
        return (path for path in self.rglob(pattern) if inside(path, self).count("/") == depth)


Place = Path | Remote


def located(text: str | Place) -> Place:
    """The place that a user names by a path or a URL."""
    if not isinstance(text, str) or "://" not in text:
        return Path(text) if isinstance(text, str) else text
    url = urlsplit(text)
    if "@" in url.netloc:
        raise PatienceError(f"A URL must not hold keys, for it is written down with the results. {KEYS} instead.")
    if url.scheme != "s3" or not url.netloc or url.fragment:
        raise PatienceError(f"{text!r} is no place for results. Expected a folder's path, or s3://BUCKET/FOLDER.")
    return Remote(url.netloc, url.path.strip("/"), url.query)


def opened(path: Place) -> Any:
    """What pyarrow.parquet reads of it."""
    return path.open() if isinstance(path, Remote) else path


def inside(path: Place, folder: Place) -> str:
    """The path from a folder to what lies in it; ValueError for what does not."""
    return str(pure(path).relative_to(pure(folder)))


def pure(place: Place) -> PurePath:
    return PurePosixPath(place.path) if isinstance(place, Remote) else place
