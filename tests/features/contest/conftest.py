"""A contest in a folder of its own, which nobody plays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.features.contest.hosted import HostedContest
from arena.features.contest.setup import ContestSetup
from arena.features.contest.tokens import Tokens, add_tokens
from arena.inputs.hand_in_rules import HandInRules
from arena.player.names import NamedSpec
from arena.sandbox.settings import Isolation
from arena.store.sql import Store

Open = Callable[..., HostedContest]


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Open the contest ``c.toml`` of alice, bob and carol, against monkey, with these rules."""
    monkeypatch.chdir(tmp_path)
    add_tokens(Path("tokens.csv"), ["alice", "bob", "carol"])

    def open_contest(
        store: str = "c.db",
        *,
        file_players: Sequence[NamedSpec] = (NamedSpec("monkey", "monkey"),),
        folder: Path = tmp_path / "c.db.hand-ins",
        **rules: Any,
    ) -> HostedContest:
        setup = ContestSetup(
            file="c.toml",
            text="",
            store=store,
            folder=folder,
            game="tictactoe",
            file_players=tuple(file_players),
            isolation=Isolation(tier="locked"),
            rules=HandInRules(**rules),
        )
        return HostedContest(setup, Store(store, create=True), Tokens("tokens.csv"))

    return open_contest


@pytest.fixture
def contest(opened: Open) -> HostedContest:
    return opened()
