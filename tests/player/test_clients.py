"""The constructor of clients of protocols."""

from __future__ import annotations

import pytest

import arena
from arena.plugin.registers import ProtocolRegister
from arena.testing import ScriptedTalk, turn_at


class Plain(arena.plugin.Client):
    def choose(self, talk: arena.plugin.Talk, turn: arena.plugin.Turn) -> int:
        return turn.game.parse_move(talk.hear())


def test_a_client_without_a_constructor_registers_and_takes_no_options() -> None:
    ProtocolRegister("plain", "plain")("plain", client=Plain)
    turn = turn_at(arena.get_game("tictactoe").start())
    assert Plain({}).choose(ScriptedTalk("5"), turn) == 4
    with pytest.raises(arena.UsageError, match="'last'"):
        Plain({"last": "on"})


def test_a_client_without_its_move_is_refused() -> None:
    class Silent(arena.plugin.Client):
        pass

    with pytest.raises(TypeError, match="choose"):
        Silent({})  # type: ignore[abstract]
