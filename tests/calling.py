"""Calling the command in the process of the tests."""

import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from pipelines import cli


class Said(NamedTuple):
    """What a command left behind."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode()


class Call:
    """Runs the command in this process, as the script does."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[bytes]) -> None:
        self.monkeypatch, self.capture = monkeypatch, capture

    def __call__(self, *arguments: str | Path, code: int = 0) -> Said:
        self.monkeypatch.setattr(sys, "argv", ["patience", *map(str, arguments)])
        self.capture.readouterr()
        with pytest.raises(SystemExit) as end:
            cli.main()
        out, err = self.capture.readouterr()
        said = Said(int(end.value.code or 0), out, err.decode())
        assert said.code == code, said.err
        assert "Traceback" not in said.err
        return said

    def refused(self, folder: Path, *arguments: str | Path) -> str:
        """Runs it in a folder, where it must end with one sentence and leave nothing behind; the sentence."""
        self.monkeypatch.chdir(folder)
        said = self(*arguments, code=2)
        assert said.out == b""
        assert said.err.count("\n") == 1
        assert said.err.startswith("patience: ")
        assert not list(folder.iterdir())
        return said.err
