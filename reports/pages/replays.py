"""Lay out one game."""

from __future__ import annotations

from collections.abc import Sequence

from arena.errors import counted
from arena.records.replays import ReplayReport, SeenGame
from arena.reports.page import Block, MarkBoard, Page, Rows, Table, flat, page
from arena.reports.pages.completions import asked_at, asked_last
from arena.reports.pages.forfeits import forfeit_of
from arena.reports.pages.prints import printed_at, printed_last


@page.register
def _replay_report_page(replay: ReplayReport) -> Page:
    if replay.referee is not None:
        return [headline(replay), *forfeit_of(replay), str(replay.referee), verdict(replay)]
    parts: list[str | Table | Block] = [
        headline(replay),
        *forfeit_of(replay),
        MarkBoard(replay.pictures[0]),
    ]
    written, thoughts = replay.written or replay.moves, dict(replay.thoughts)
    for ply, (move, picture) in enumerate(zip(written, replay.pictures[1:], strict=True)):
        caption = f"{ply + 1}. {replay.mover(ply)} plays {move}"
        if ply in thoughts:
            caption += f" ({thoughts[ply].short})"
        parts += [caption, *asked_at(replay, ply), *printed_at(replay, ply), MarkBoard(picture)]
    return [*parts, *asked_last(replay), *printed_last(replay), verdict(replay)]


def headline(replay: ReplayReport) -> str:
    """Name the players, the game and the opening."""
    opening = f", from the opening {replay.opening}" * bool(replay.opening)
    return f"{seated(replay.players)} at {replay.game}{opening}"


def seated(players: Sequence[str]) -> str:
    """Name the players with their seats.

    >>> seated(["anna", "bert"]), seated(["anna", "bert", "carl"])
    ('anna (first) against bert (second)', 'anna (seat 1), bert (seat 2), carl (seat 3)')
    """
    if len(players) == 2:
        return f"{players[0]} (first) against {players[1]} (second)"
    return ", ".join(f"{player} (seat {seat})" for seat, player in enumerate(players, start=1))


def verdict(replay: ReplayReport) -> str:
    """Say how the game ended."""
    if replay.outcome is None:
        return "unfinished"
    ended = f"{replay.winner} wins" if replay.winner else "Draw"
    if len(replay.players) > 2 and not replay.winner:
        ended = "Over"
    if replay.payoffs is not None:
        unit = "" if replay.rules is None else f"{replay.rules.payoffs.unit}: "
        paid = zip(replay.players, replay.payoffs, strict=True)
        ended += f"; {unit}{', '.join(f'{player} {payoff}' for player, payoff in paid)}"
    return f"{ended}, by the scores ({replay.adjudicated})" if replay.adjudicated else ended


@flat.register
def _replay_rows(replay: ReplayReport) -> Rows:
    return [
        ["ply", "player", "move"],
        *([i + 1, replay.mover(i), move] for i, move in enumerate(replay.moves)),
    ]


@page.register
def _seen_game_page(game: SeenGame) -> Page:
    who = game.players[game.seat]
    parts: list[str | Table | Block] = [f"{seated(game.players)} at {game.game}, as {who} knew it"]
    for view in game.views:
        parts.append(f"after {counted(view.ply, 'move')}: {view.observation}")
        if view.picture != view.observation:
            parts.append(MarkBoard(view.picture))
    return [*parts, _ended(game)]


def _ended(game: SeenGame) -> str:
    """Say how the game ended, and what it paid."""
    ended = {
        "over": "Over",
        "first": f"{game.players[0]} wins",
        "second": f"{game.players[1]} wins",
        "draw": "Draw",
    }
    words = ended.get(game.outcome or "", "unfinished")
    if game.payoffs is None:
        return words
    paid = zip(game.players, game.payoffs, strict=True)
    return f"{words}; {', '.join(f'{player} {payoff}' for player, payoff in paid)}"


@flat.register
def _seen_game_rows(game: SeenGame) -> Rows:
    return [["ply", "observation"], *([view.ply, view.observation] for view in game.views)]
