"""Players in files: what the tests of them share."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

import arena
from arena.errors import PlayerFileError
from arena.player_file import load_file_player

LOWEST = """
def choose(position, rng):
    '''The lowest free square.

    More about it.
    '''
    return position.legal_moves()[0]
"""
HIGHEST = LOWEST.replace("[0]", "[-1]").replace("lowest", "highest")

Write = Callable[..., Path]


def refusal(name: str) -> str:
    """Return the message that refuses a player's file: always one line that names the file."""
    with pytest.raises(PlayerFileError) as caught:
        load_file_player(name)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(f"player {name!r}: ")
    assert caught.value.exit_code == 2
    return message.removeprefix(f"player {name!r}: ")


def first_move(info: arena.PlayerInfo) -> object:
    """Return what a simple player does on the empty board."""
    return info.player(arena.get_game("tictactoe").start(), random.Random(1))
