"""The files of hand-ins: a player reads them, whichever user it is, and strangers do not."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.features.contest.checking import check
from arena.features.contest.folders import lay_out
from arena.features.hand_in.record import PASSED, REFUSED, HandIn
from arena.sandbox.settings import Isolation
from tests import needs
from tests.features.contest.packages import zipped
from tests.golden import Wording
from tests.sandbox.wasm.modules import ANY, text_of, write

if TYPE_CHECKING:
    from arena.features.contest.hosted import HostedContest

FILES = {
    "bot.py": b"from pathlib import Path\n"
    b"\n"
    b"ORDER = Path(__file__).with_name('data').joinpath('order.txt').read_text()\n"
    b"\n"
    b"def choose(position, rng):\n"
    b"    return min(position.legal_moves(), key=ORDER.index(str('0')).__add__)\n",
    "data/order.txt": b"0",
}


@pytest.fixture
def narrow() -> Iterator[None]:
    """Have new files be for their owner alone."""
    before = os.umask(0o077)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    every = (folder, *folder.rglob("*"))
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in every}


def checked(contest: HostedContest, name: str, content: bytes) -> HandIn:
    """Return what alice hands in once it is checked."""
    hand_in = contest.hand_in("alice", name, content)
    assert contest.take(hand_in)
    lock = contest.lock()
    try:
        asyncio.run(check(contest, hand_in, lock))
    finally:
        os.close(lock)
    return contest.hand_ins("alice")[0]


def test_all_users_may_read_a_hand_in_within_the_servers_folder(
    tmp_path: Path, narrow: None
) -> None:
    folder = tmp_path / "alice" / "1"
    expected = {"1": 0o755, "data": 0o755, "order.txt": 0o644, "bot.py": 0o644}
    assert lay_out(folder, FILES).data == str(folder)
    assert modes(folder) == expected
    assert modes(folder.parent)["alice"] == 0o700
    for path in (folder / "data", folder):  # as an earlier arena left it
        path.chmod(0o700)
    lay_out(folder, FILES)
    assert modes(folder) == expected


@pytest.mark.slow
@pytest.mark.parametrize("tier", needs.tiers("locked", "bwrap"))
def test_a_hand_in_with_data_passes_its_check(
    contest: HostedContest, tier: str, narrow: None
) -> None:
    contest.setup = replace(contest.setup, isolation=Isolation(tier=tier))
    result = checked(contest, "alice.zip", zipped(FILES))
    assert (result.state, result.problem) == (PASSED, "")
    assert stat.S_IMODE(contest.setup.folder.stat().st_mode) == 0o700


@pytest.mark.slow
def test_a_contest_of_modules_takes_them_alone(
    contest: HostedContest, tmp_path: Path, wording: Wording
) -> None:
    contest.setup = replace(contest.setup, isolation=Isolation(tier="wasm", fuel=10_000_000))
    write(tmp_path / "any.wasm", text_of(ANY))
    passed = checked(contest, "any.wasm", (tmp_path / "any.wasm").read_bytes())
    assert (passed.state, passed.problem) == (PASSED, "")
    refused = checked(contest, "bot.py", FILES["bot.py"])
    assert refused.state == REFUSED
    wording(refused.problem, "wasm")
