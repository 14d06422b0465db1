"""Where results are: a folder of this machine, or one in a bucket, `s3://bucket/folder`, through pyarrow's own S3.

`Remote` has those methods of `Path` that readers of results need, so that they ask neither which of the two it is.
What is written goes through `disk`. A PUT of an object is atomic, so an object that has its name is whole.

Keys and region come from the usual variables (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN,
AWS_REGION), and so on every node of a cluster; never from the URL, which sweep.json and messages repeat. Another server
than Amazon's is named by the URL's query: `s3://bucket/x?endpoint_override=http://127.0.0.1:9000&scheme=http`.
"""

import atexit
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path, PurePath, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.fs as fs

from sim.errors import PatienceError

KEYS = "Set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION"
REASONS = {  # what pyarrow's messages hold, what that means, and what to do
    "NO_SUCH_BUCKET": ("there is no such bucket", "Make it, or name another"),
    "ACCESS_DENIED|INVALID_|SIGNATURE|UNRECOGNIZED_CLIENT|TOKEN|HTTP Status 40[13]": (
        "the server refuses the keys", f"{KEYS} to those of someone who may read and write there",
    ),
    "NETWORK_CONNECTION|curlCode": (
        "no server answers", "Look at the network, and at endpoint_override and scheme in the URL",
    ),
}  # fmt: skip


class Unreachable(PatienceError):
    """A bucket cannot be read or written; what is written is kept."""

    exit_code = 74


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
        with asking(self):
            return filesystem(self.bucket, self.query)

    def resolve(self) -> "Remote":
        """Itself: a bucket has neither links nor a working directory."""
        return self

    def mkdir(self, parents: bool = False, exist_ok: bool = False) -> None:
        """Nothing: a bucket has no folders, only names with slashes."""

    def info(self) -> Any:
        """pyarrow's FileInfo."""
        with asking(self):
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

    def age(self) -> float | None:
        """Seconds since it was written, by the clocks of the server and of this machine."""
        found = self.info()
        return (datetime.now(UTC) - found.mtime).total_seconds() if found.is_file else None

    def open(self, mode: str = "rb") -> Any:
        """For reading, at any offset."""
        assert mode == "rb"
        with asking(self):
            return self.files.open_input_file(self.path)

    def read_bytes(self) -> bytes:
        with asking(self), self.files.open_input_stream(self.path) as file:
            return bytes(file.read())

    def read_text(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        return self.read_bytes().decode(encoding, errors)

    def write_bytes(self, data: bytes) -> None:
        """One object, there with all of its bytes or not at all."""
        with asking(self), self.files.open_output_stream(self.path) as file:
            file.write(data)

    def upload(self, draft: Path) -> None:
        """One object with the bytes of a file of this machine."""
        self.write_bytes(draft.read_bytes())

    def unlink(self, missing_ok: bool = False) -> None:
        with asking(self):
            if self.exists() or not missing_ok:
                self.files.delete_file(self.path)

    def rglob(self, pattern: str = "*") -> "Iterator[Remote]":
        """The files below it whose names fit the pattern."""
        with asking(self):
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


@lru_cache
def filesystem(bucket: str, query: str) -> fs.FileSystem:
    """pyarrow's connection to a bucket that is there; dropped before pyarrow ends its S3, lest the exit should hang."""
    single = "allow_delayed_open=true"  # a small object is one PUT, not an upload of parts in three requests
    files, _ = fs.FileSystem.from_uri(f"s3://{bucket}?" + "&".join(filter(None, [query, single])))
    if files.get_file_info(bucket).type == fs.FileType.NotFound:
        raise OSError("NO_SUCH_BUCKET")
    atexit.register(filesystem.cache_clear)
    return files


@contextmanager
def asking(place: Remote) -> Iterator[None]:
    """Say in a sentence why a bucket cannot be used; a file that is not there is told as of a disk."""
    try:
        yield
    except FileNotFoundError:
        raise
    except (OSError, pa.ArrowInvalid) as error:
        raise unreachable(place, str(error)) from error


def unreachable(place: Remote, said: str) -> Unreachable:
    """The sentence for what pyarrow said. Unknown errors keep the server's word for them, and nothing of a key."""
    word = re.search(r"AWS Error \w+ during \w+ operation", said)
    other = word[0] if word else said.split("\n")[0], "Look at the URL and its query"
    reason, advice = next((found for pattern, found in REASONS.items() if re.search(pattern, said)), other)
    return Unreachable(
        f"The bucket {place.bucket} cannot be used: {reason}. {advice}, and run the same command again: "
        "nothing that is finished is lost."
    )
