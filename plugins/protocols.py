"""Offer the protocols that come with arena: what stands before the colon in ``uci:stockfish``.

The clients are imported when a player has one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from arena.player.clients import Client
from arena.plugin.markers import hookimpl
from arena.plugin.registers import ProtocolRegister

if TYPE_CHECKING:
    from arena.player import PlayerInfo
    from arena.player.time_left import TimeLimits
    from arena.plugins.checkpoint import CheckpointPlayer
    from arena.plugins.kaggle import Agent
    from arena.plugins.textarena import TextAgent


def cmd(options: Mapping[str, str]) -> Client:
    from arena.sandbox.wire.json_lines import JsonLines

    return JsonLines(options)


def uci(options: Mapping[str, str]) -> Client:
    from arena.plugins.uci import Uci

    return Uci(options)


def gtp(options: Mapping[str, str]) -> Client:
    from arena.plugins.gtp import Gtp

    return Gtp(options)


def gomocup(options: Mapping[str, str]) -> Client:
    from arena.plugins.gomocup import Gomocup

    return Gomocup(options)


def kaggle(path: str, is_isolated: bool) -> Agent:
    from arena.plugins.kaggle import Agent

    return Agent(path, is_isolated)


def textarena(path: str, is_isolated: bool) -> TextAgent:
    from arena.plugins.textarena import TextAgent

    return TextAgent(path, is_isolated)


def command_of_agent(path: str) -> tuple[str, ...]:
    """Return the program that an agent's file is to a referee."""
    from arena.plugins import agent_file

    return (sys.executable, "-P", os.path.realpath(agent_file.__file__), path)


def checkpoint(
    path: str, is_isolated: bool, options: Mapping[str, str], files: tuple[str, ...]
) -> CheckpointPlayer:
    from arena.plugins.checkpoint import CheckpointPlayer

    return CheckpointPlayer(path, is_isolated, options, files)


def files_of_checkpoint(options: Mapping[str, str]) -> tuple[str, ...]:
    from arena.plugins.checkpoint import files_of

    return files_of(options)


def certified(name: str, path: str, plugins: tuple[str, ...]) -> PlayerInfo:
    from arena.plugins.certified import player_of

    return player_of(name, path, plugins)


def solved(name: str, path: str, plugins: tuple[str, ...]) -> PlayerInfo:
    from arena.plugins.strategies import solved_player

    return solved_player(name, path, plugins)


def best_response(name: str, path: str, plugins: tuple[str, ...]) -> PlayerInfo:
    from arena.plugins.strategies import best_response_player

    return best_response_player(name, path, plugins)


def http(name: str, limits: TimeLimits) -> PlayerInfo:
    from arena.plugins.http_bot.player import player_of

    return player_of(name, limits)


def llm(name: str, limits: TimeLimits) -> PlayerInfo:
    from arena.plugins.llm.player import player_of

    return player_of(name, limits)


@hookimpl
def arena_register_protocols(register: ProtocolRegister) -> None:
    register("cmd", client=cmd, summary="a program", takes_observations=True)
    register(
        "uci",
        client=uci,
        games=("chess", "chess960", "openspiel:crazyhouse", "chess-*"),
        summary="a chess engine",
    )
    register("gtp", client=gtp, summary="an engine that speaks the Go Text Protocol")
    register("gomocup", client=gomocup, games=("mnk-*",), summary="a gomoku engine")
    register("certified", data=certified, summary="the moves of a certificate")
    register("solved", data=solved, summary="the strategies that arena solve wrote")
    summary = "what takes the most from a player, as arena certify wrote it"
    register("best-response", data=best_response, summary=summary)
    for scheme in ("http", "https"):
        register(
            scheme,
            address=http,
            form=f"{scheme}://HOST",
            summary="a server",
            takes_observations=True,
        )
    register(
        "llm",
        address=llm,
        form="llm,model=NAME:URL",
        summary="a language model",
        takes_observations=True,
        needs_guide=True,
    )
    register(
        "checkpoint",
        file=checkpoint,
        files=files_of_checkpoint,
        summary="what a factory makes of a file",
        form="checkpoint,by=FACTORY:FILE",
    )
    register(
        "kaggle",
        file=kaggle,
        command=command_of_agent,
        games=("tictactoe", "connect4", "connect-*[0-9]", "rock-paper-scissors-*"),
        summary="an agent as on Kaggle",
    )
    register(
        "textarena",
        file=textarena,
        command=command_of_agent,
        summary="an agent as of TextArena",
        takes_observations=True,
        needs_guide=True,
    )
