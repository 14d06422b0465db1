"""A connection to a bucket, through pyarrow's own S3, and its errors in sentences."""

import atexit
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

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
def asking(bucket: str) -> Iterator[None]:
    """Say in a sentence why a bucket cannot be used; a file that is not there is told as of a disk."""
    try:
        yield
    except FileNotFoundError:
        raise
    except (OSError, pa.ArrowInvalid) as error:
        raise unreachable(bucket, str(error)) from error


def lost(error: Exception) -> Unreachable | None:
    """The error of a bucket within one of DuckDB, which keeps nothing but its text; None for any other."""
    said = str(error)
    named = re.search(r"in bucket '([^']*)'", said)
    return unreachable(named[1] if named else "of the sweep", said) if "AWS Error" in said else None


def unreachable(bucket: str, said: str) -> Unreachable:
    """The sentence for what pyarrow said. Unknown errors keep the server's word for them, and nothing of a key."""
    word = re.search(r"AWS Error \w+ during \w+ operation", said)
    other = word[0] if word else said.split("\n")[0], "Look at the URL and its query"
    reason, advice = next((found for pattern, found in REASONS.items() if re.search(pattern, said)), other)
    return Unreachable(
        f"The bucket {bucket} cannot be used: {reason}. {advice}, and run the same command again: "
        "nothing that is finished is lost."
    )
