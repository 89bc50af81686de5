"""Offer arena's own protocol for programs: ``cmd:node bot.js``."""

from __future__ import annotations

from arena.plugin.markers import hookimpl
from arena.plugin.registry import ProtocolRegister
from arena.sandbox.wire.json_lines import JsonLines


@hookimpl
def arena_register_protocols(register: ProtocolRegister) -> None:
    register("cmd", client=JsonLines, summary="a program")
