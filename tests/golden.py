"""Texts that are kept in files, for tests of what is shown."""

from __future__ import annotations

from pathlib import Path

import pytest


def kept(file: Path, text: str) -> str:
    """Read what a file keeps. Where there is none, write the text into it, and fail.

    To accept a change, delete the file and run the test twice.
    """
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        pytest.fail(f"{file.name} was missing and has been written: read it, then commit it")
    return file.read_text(encoding="utf-8")
