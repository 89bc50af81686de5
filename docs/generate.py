"""Write the generated pages of the documentation; ``python docs/generate.py`` from anywhere."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable
from pathlib import Path

from arena.cli import COMMANDS, main

HERE = Path(__file__).parent


def commands() -> str:
    """What ``--help`` prints for every command."""
    parts = ["# Commands\n\nGenerated from `--help` by `python docs/generate.py`.\n"]
    names = [module.__name__.rpartition(".")[2] for module in COMMANDS]
    for argv in ([], *([name] for name in names)):
        title = " ".join(["arena", *argv])
        parts.append(f"## {title}\n\n```text\n{_help(argv)}```\n")
    return "\n".join(parts)


def _help(argv: list[str]) -> str:
    out, columns = io.StringIO(), os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "80"  # what argparse takes for the width of the terminal
    try:
        with contextlib.redirect_stdout(out):
            main([*argv, "--help"])
    finally:
        del os.environ["COLUMNS"]
        if columns is not None:
            os.environ["COLUMNS"] = columns
    return out.getvalue()


#: The generated pages by file name.
PAGES: dict[str, Callable[[], str]] = {"commands.md": commands}


if __name__ == "__main__":
    for name, page in PAGES.items():
        (HERE / name).write_text(page(), encoding="utf-8")
        print(f"wrote docs/{name}")
