"""Write the generated pages of the documentation; ``python docs/generate.py`` from anywhere."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable
from pathlib import Path

import arena
from arena.cli import COMMANDS, main
from arena.cli.parser import PACKAGE
from arena.plugin import load_catalogue

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


def certificates() -> str:
    """What is proved of every built-in player that plays tictactoe."""
    catalogue = load_catalogue()
    rows, lines = [], []
    for name, info in catalogue.players:
        if info.package != PACKAGE:
            continue
        found = arena.certify(info, catalogue=catalogue)
        sides = (found.first, found.second)
        rows.append(
            f"| {name} | {'never' if found.never_loses else 'can'} |"
            f" {' | '.join(str(side.positions) for side in sides)} |"
            f" {' | '.join(str(side.best_reply) for side in sides)} | {found.exploitability} |"
        )
        for order, side in zip(("first", "second"), sides, strict=True):
            if side.losing_line is not None:
                moves = " ".join(
                    f"**{step.move}**" if step.gave_away and step.by_player else step.move
                    for step in side.losing_line
                )
                lines.append(f"| {name} | {order} | {moves} |")
    return "\n".join(
        [
            "# Certificates of the built-in players at tictactoe",
            "",
            "Generated from `arena certify` by `python docs/generate.py`.",
            "",
            "| player | loses | positions moving first | second | best opponent's score when it"
            " moves first | second | exploitability |",
            "|---|---|---|---|---|---|---|",
            *rows,
            "",
            "The shortest lines in which they lose; in bold the moves that gave the game away:",
            "",
            "| player | moving | line |",
            "|---|---|---|",
            *lines,
            "",
        ]
    )


#: The generated pages by file name.
PAGES: dict[str, Callable[[], str]] = {"commands.md": commands, "certificates.md": certificates}


if __name__ == "__main__":
    for name, page in PAGES.items():
        (HERE / name).write_text(page(), encoding="utf-8")
        print(f"wrote docs/{name}")
