"""The one way to compile: machine code is kept on disk under a digest of every source it could depend on.

Numba's own cache looks only at the file of the function itself, so that an edited helper would silently leave old
machine code in its callers. Nothing else in the project may import `numba.njit`; a test says so.
"""

import hashlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import llvmlite
import numba

ROOT = Path(__file__).resolve().parent.parent
COMPILED = ("sim", "policies")


def digest(paths: Iterable[Path]) -> str:
    """Twelve hex digits over the contents and names of the files and the compiler's versions."""
    total = hashlib.sha256(f"numba {numba.__version__} llvmlite {llvmlite.__version__}".encode())
    for path in sorted(paths):
        total.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()[:12]


def text_digest(text: str) -> str:
    """Twelve hex digits of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def sources() -> list[Path]:
    """Every file that compiled code comes from."""
    return [path for folder in COMPILED for path in (ROOT / folder).rglob("*.py")]


def cache_root() -> Path:
    """The folder of the machine code: `PATIENCE_CACHE`, or `patience` in the user's cache folder."""
    default = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "patience"
    return Path(os.environ.get("PATIENCE_CACHE", default))


DIGEST = digest(sources())


def keep_machine_code_in(folder: Path) -> None:
    """Functions decorated from now on keep their machine code here. The folder is private: it holds pickles."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]


keep_machine_code_in(cache_root() / DIGEST)


def njit(signature_or_function: Any = None, *, allocates: bool = False, inline: bool = False) -> Any:
    """`numba.njit`, cached, with bounds checks: an index beyond an array is an IndexError, never a wrong game.

    Functions cannot allocate unless they say so: without the run-time that counts references, calls that hand arrays
    on are up to four times as fast (measured on the building engine), and a forgotten allocation does not compile.
    """
    options: dict[str, Any] = {"cache": True, "boundscheck": True, "error_model": "numpy", "nogil": True}
    decorate: Any = numba.njit
    return decorate(signature_or_function, _nrt=allocates, forceinline=inline, **options)


def compiled(function: Any, signature: Any) -> Any:
    """Have a function ready in this one signature; compiled, or loaded, only now, so that listing games is quick."""
    if not numba.config.DISABLE_JIT and signature.args not in function.overloads:  # type: ignore[attr-defined]
        function.compile(signature)
        function.disable_compile()
    return function


def compile_apart(signature: Any, make: Callable[[], Callable[..., Any]], key: str) -> Any:
    """Compile the function that `make` gives; the machine code of all that `make` imports has a place of its own.

    It may allocate where it must: the run-time that this needs is added only then.
    """
    keep_machine_code_in(cache_root() / f"{DIGEST}-{key}")
    try:
        function = make()
        try:
            return njit(signature)(function)
        except numba.core.errors.NumbaError:
            return njit(signature, allocates=True)(function)
    finally:
        keep_machine_code_in(cache_root() / DIGEST)
