"""Write the generated pages of the documentation: ``python docs/generate.py`` from anywhere."""

from __future__ import annotations

import contextlib
import io
import os
import runpy
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from pathlib import Path

from markdown_tables import markdown

import arena
from arena.cli.help import ALL, ISOLATION
from arena.errors import PlayerFault
from arena.features.check.questions import reachable
from arena.features.commands import COMMANDS
from arena.games.lines import VARIANTS
from arena.games.worth import describe
from arena.main import main
from arena.plugin.manager import load_catalogue
from arena.proof.draws import is_certain_draw
from arena.proof.values import given_away, value

HERE = Path(__file__).parent

#: The distribution that the built-in players come with.
PACKAGE = "proving-arena"


def commands() -> str:
    """Return the output of ``--help`` for every command."""
    parts = ["# Commands\n\nGenerated from `--help` by `python docs/generate.py`.\n"]
    for argv in ([], *([name] for name in COMMANDS)):
        title = " ".join(["arena", *argv])
        parts.append(f"## {title}\n\n```text\n{_help(argv)}```\n")
    _, title, text = _help(["fight"], ALL).partition(ISOLATION)
    text = text.partition("\noptions:")[0]
    parts.append(f"## Options about {ISOLATION}\n\n```text\n{title}{text}```\n")
    return "\n".join(parts)


def _help(argv: list[str], option: str = "--help") -> str:
    out, columns = io.StringIO(), os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "80"  # argparse takes it as the width of the terminal
    try:
        with contextlib.redirect_stdout(out):
            main([*argv, option])
    finally:
        del os.environ["COLUMNS"]
        if columns is not None:
            os.environ["COLUMNS"] = columns
    return out.getvalue()


def certificates() -> str:
    """Return the proofs about every built-in player of tictactoe."""
    catalogue = load_catalogue()
    game = catalogue.game("tictactoe")
    rows, lines = [], []
    for name, info in catalogue.players:
        if info.package != PACKAGE or info.only_named or not info.plays(game):
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
            "The shortest lines in which they lose; moves that lose value are bold:",
            "",
            "| player | moving | line |",
            "|---|---|---|",
            *lines,
            "",
        ]
    )


def variants() -> str:
    """Return how other lines change the values, the players and the recognition of draws."""
    catalogue = load_catalogue()
    games = [catalogue.game(name) for name in ("tictactoe", *VARIANTS)]
    players = [
        info for _, info in catalogue.players if info.package == PACKAGE and not info.only_named
    ]
    players = [info for info in players if all(map(info.plays, games))]
    return VARIANTS_PAGE.format(
        values=markdown(
            ["game", "winning lines", "positions with a move to make", "value"],
            (
                [game.name, len(game.lines), len(_positions(game)), describe(value(game.start()))]
                for game in games
            ),
        ),
        **_breaks(players, games),
        triples=markdown(
            ["game", "positions", "no legal answer", "wins not taken", "threats not stopped"],
            ([game.name, *_slips(catalogue.player("triples"), game)] for game in games),
        ),
        draws=markdown(
            [
                "game",
                "positions",
                "with a move to make",
                "full boards drawn",
                "by lines",
                "exactly",
            ],
            ([game.name, *_draws(game)] for game in games),
        ),
        free=markdown(
            ["game", "free squares", "positions", "by lines", "exactly"],
            (row for game in games for row in _early_draws(game)),
        ),
    )


VARIANTS_PAGE = """# Variants of tic-tac-toe

Generated by `python docs/generate.py`.

Exercise 10.4 of Simply Scheme (Harvey and Wright) asks what happens to a program when the rules
change: when three squares in an L in a corner win as well (`tictactoe-corners`), when diagonals do
not win (`tictactoe-straight`), and when four squares in a corner win as well (`tictactoe-squares`).
This page covers every position.

## Who wins

Under perfect play, for the side that moves first:

{values}

## Players that still play perfectly

A player holds the value of a game if it never gets less against any opponent: it never loses a
drawn game, and always wins a won one. (In a lost game no player gets less.) The players hold it
when moving first, second, both or neither:

{holds}

These are the shortest lines that get less than the value; moves that lose value are bold:

{lines}

## The triple strategy

The exercise asks if the program follows the modified rules when only its list of combinations
changes. The player `triples` is that program: the game's lines are its list. Its faults, over all
positions with a move to make:

{triples}

With four squares in a combination, two marks are no longer one move from a win, and the two free
squares 4 and 5 of such a "triple" are read as the move 45, which is not a move: in the arena a
forfeit. There it does not conform, as `arena check` says; `arena exact` without names and a new
baseline of `arena regress` leave it out with the reason.

With three squares everywhere it follows the rules, takes every win and stops every threat that it
can. But its only answer to a fork is a threat of its own. Where diagonals do not win, o in the
centre alone against 6 and 8 has no line to threaten with, takes the first corner and loses:
something does break that the book expects to hold.

## Early draws

A position in which neither side can win any more is a draw before the board is full (exercise
10.3). Two tests recognise it. The book's test is by lines: every line holds both marks
(`position.is_dead_draw()`). The exact test is that no sequence of legal moves leads to a win
(`arena.proof.draws.is_certain_draw(position)`, in any game). The table counts the positions that
can occur, the full boards that are drawn, and the positions that each test finds:

{draws}

The same by the number of free squares:

{free}
"""


def _positions(game: arena.Game) -> list[arena.Position]:
    found = reachable(game, 10_000)
    assert found is not None
    return found


def _breaks(players: Sequence[arena.PlayerInfo], games: Sequence[arena.Game]) -> dict[str, str]:
    """Return which players hold the value of each game, and the lines that break it."""
    found = {
        (game.name, info.name, side): _shortfall(info, game, side)
        for game in games
        for info in players
        for side in arena.Side
    }
    words = {(False, False): "both", (False, True): "first", (True, False): "second"}
    held = [
        [
            info.name,
            *(
                words.get(
                    tuple(bool(found[game.name, info.name, side]) for side in arena.Side), "neither"
                )
                for game in games
            ),
        ]
        for info in players
    ]
    lines = [
        [game, player, ("first", "second")[side], line]
        for (game, player, side), line in found.items()
        if line
    ]
    return {
        "holds": markdown(["player", *(game.name for game in games)], held),
        "lines": markdown(["game", "player", "moving", "line"], lines),
    }


def _shortfall(info: arena.PlayerInfo, game: arena.Game, side: arena.Side) -> str:
    """Return the shortest line in which the player gets less than the value, or an empty text.

    Breadth first through all that an opponent may do and all that the player may.
    """
    worth = value(game.start()) * (1 if side == 0 else -1)
    seen: dict[arena.Position, list[str]] = {game.start(): []}
    for position in (waiting := [game.start()]):
        line, outcome = seen[position], position.outcome()
        if outcome is not None:
            score = 0 if outcome.winner is None else 1 if outcome.winner == side else -1
            if score < (worth > 0) - (worth < 0):
                return " ".join(line)
            continue
        moves: Iterable[int] = position.legal_moves()
        if position.to_move == side:
            try:
                moves = arena.distribution(info, position)
            except PlayerFault as error:
                return f"{' '.join(line)}, and then it {error.__cause__.__cause__}"
        for move in moves:
            after, text = position.play(move), game.format_move(move)
            if after not in seen:
                gave_away = position.to_move == side and given_away(position, move)
                seen[after] = [*line, f"**{text}**" if gave_away else text]
                waiting.append(after)
    return ""


def _slips(info: arena.PlayerInfo, game: arena.Game) -> list[int]:
    """Count the positions, and those with an illegal answer, a missed win, a missed threat."""
    positions = _positions(game)
    illegal = wins = threats = 0
    for position in positions:
        winning, losing = map(position.winning_moves, (position.to_move, position.to_move.other))
        try:
            move = next(iter(arena.distribution(info, position)))
        except PlayerFault:
            illegal += 1
            continue
        wins += bool(winning) and move not in winning
        threats += not winning and len(losing) == 1 and move not in losing
    return [len(positions), illegal, wins, threats]


def _draws(game: arena.Game) -> list[int]:
    """Count the positions, those with a move, full drawn boards, and the draws of each test."""
    going_on = _positions(game)
    after = {position.play(move) for position in going_on for move in position.legal_moves()}
    over = [position for position in after if position.outcome() is not None]
    return [
        len(going_on) + len(over),
        len(going_on),
        sum(position.outcome() is arena.Outcome.DRAW for position in over),
        sum(position.is_dead_draw() for position in going_on),
        sum(map(is_certain_draw, going_on)),
    ]


def _early_draws(game: arena.Game) -> Iterable[list[object]]:
    """Count, by the number of free squares, the positions and the draws of each test."""
    for ply, group in groupby(_positions(game), key=lambda position: position.ply):
        positions = list(group)
        exactly = sum(map(is_certain_draw, positions))
        if exactly:
            by_lines = sum(position.is_dead_draw() for position in positions)
            yield [game.name, game.max_plies - ply, len(positions), by_lines, exactly]


def written_by(script: str, function: str) -> Callable[[], str]:
    """Return a function of a script that stands beside this one."""

    def write() -> str:
        return runpy.run_path(str(HERE / f"{script}.py"))[function]()

    return write


#: The generated pages by file name.
PAGES: dict[str, Callable[[], str]] = {
    "api.md": written_by("api", "contents"),
    "api-functions.md": written_by("api", "functions"),
    "api-players.md": written_by("api", "players"),
    "api-games.md": written_by("api", "games"),
    "api-plugins.md": written_by("api", "plugins"),
    "api-records.md": written_by("api", "records"),
    "api-errors.md": written_by("api", "errors"),
    "api-testing.md": written_by("api", "tests"),
    "json.md": written_by("schemas", "page"),
    "schemas.json": written_by("schemas", "text"),
    "commands.md": commands,
    "certified.md": certificates,
    "variants.md": variants,
    "openspiel.md": written_by("openspiel_tables", "page"),
}


if __name__ == "__main__":
    for name, page in PAGES.items():
        try:
            (HERE / name).write_text(page(), encoding="utf-8")
        except arena.UsageError as error:  # it needs a library that is optional
            print(f"left docs/{name}: {error}")
        else:
            print(f"wrote docs/{name}")
