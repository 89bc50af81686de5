"""Three checkers refuse each lie: by arrays, in plain Python, and in C."""

from __future__ import annotations

import lzma
import random
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import arena
from arena.certificates import checking, plain
from arena.certificates.writing import write_by_position
from arena.proof.checker import CertificateError
from tests import needs
from tests.certificates.files import certificate, claims_of, packed, plies, unpacked
from tests.golden import Wording
from tests.samples import few

ROOT = Path(__file__).parent.parent.parent

#: Games of every kind that a key has, won and drawn, and one without keys.
KEYED = ("connect-2-2-2", "tictactoe", "tictactoe-misere", "connect-3-3-3", "mnk-4-3-3")
GAMES = (*KEYED, "nim")

MOST = 100_000

find_game = cache(arena.get_game)

Verdict = Callable[[Path], str]


def verdict_of(check: Callable[[], object]) -> str:
    try:
        check()
    except arena.ArenaError as error:
        return f"refused: {error}"
    return "holds"


def by_arrays(file: Path) -> str:
    return verdict_of(lambda: checking.check(file, find_game, MOST))


def in_python(file: Path) -> str:
    return verdict_of(lambda: plain.check(file, find_game, MOST))


@pytest.fixture(scope="session")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> Verdict:
    """Compile the checker in C, and return what asks it."""
    program = tmp_path_factory.mktemp("c") / "check"
    source = ROOT / "examples" / "checkers" / "check.c"
    options = ["-O2", "-Wall", "-Wextra", "-Werror", "-o"]
    header = subprocess.run(["cc", "-E", "-"], input=b"#include <lzma.h>", capture_output=True)
    if header.returncode:
        pytest.skip(f"needs lzma.h: apt-get install {needs.LZMA}")
    subprocess.run(["cc", *options, str(program), str(source), "-llzma"], check=True)

    def ask(file: Path) -> str:
        ran = subprocess.run([str(program), str(file)], capture_output=True, text=True)
        assert ran.returncode in (0, 1, 2), ran
        return "holds" if not ran.returncode else f"refused: {ran.stdout}"

    return ask


def word(verdict: str) -> str:
    return verdict.partition(":")[0]


def agreed(file: Path, content: bytes, *checkers: Verdict) -> str:
    """Return what all checkers say of a file with that content."""
    file.write_bytes(content)
    messages = [check(file) for check in checkers]
    assert len(set(map(word, messages))) == 1, messages
    return messages[0]


def flipped(content: bytes, number: int) -> bytes:
    """Return the content with one bit flipped."""
    result = bytearray(content)
    result[number // 8] ^= 1 << number % 8
    return bytes(result)


def lies(name: str) -> dict[str, tuple[bytes, str]]:
    """Return contents that lie about a game, with what a message says of each."""
    head, records = unpacked(name)
    each = list(plies(records))
    full = next(at for at, record in enumerate(each) if len(record) > 4)
    other = b"second" if b"claim first" in head else b"first"
    first = other == b"second"
    swapped = head.replace(b"claim first wins", b"claim second wins")
    too_strong = head.replace(b"claim first does not lose\n", b"claim first wins\n").replace(
        b"claim second does not lose\n", b""
    )
    result = {
        "dropped": (packed(head, *each[:full], *each[full + 1 :]), ""),
        "longer": (packed(head, *each, each[0]), ""),
        "doubled ply": (packed(head, *each[: full + 1], *each[full:]), ""),
        "cut off": (packed(head, records[:-1]), ""),
        "version": (packed(head.replace(b"version 1", b"version 2")), "version"),
        "format": (packed(head.replace(b"certificate 2", b"certificate 3"), records), "format"),
        "no moves": (packed(head), ""),
        "too large a move": (packed(head, *each[:full], each[full][:4] + b"\xff" * 99), ""),
        "two streams": (certificate(name) + certificate(name), ""),
        "padding": (certificate(name) + b"\0\0\0\0", ""),
        "empty": (b"", ""),
        "no xz": (head + records, ""),
    }
    if first and swapped != head:
        result["swapped sides"] = (packed(swapped, records), "")
    if too_strong != head:
        result["too strong"] = (packed(too_strong, records), "")
    return result


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_true_certificate_holds_and_each_lie_is_refused(name: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    assert agreed(file, certificate(name), by_arrays, in_python) == "holds"
    for lie, (content, says) in lies(name).items():
        result = agreed(file, content, by_arrays, in_python)
        assert word(result) == "refused", lie
        assert says in result, lie


#: Misere games whose last ply has positions at which the game is over, and no others.
LAST_MOVES_LOSE = ("mnk-2-2-2-misere", "mnk-3-1-2-misere", "connect-3-2-3-misere")


@pytest.mark.parametrize("name", LAST_MOVES_LOSE)
def test_a_ply_of_lost_positions_has_a_record(name: str, tmp_path: Path) -> None:
    file, content = tmp_path / "file", certificate(name)
    assert agreed(file, content, by_arrays, in_python) == "holds"
    head, records = unpacked(name)
    assert word(agreed(file, packed(head, records[:-4]), by_arrays, in_python)) == "refused"


def test_a_lie_is_refused_with_the_position_and_the_reason(tmp_path: Path) -> None:
    file = tmp_path / "file"
    head, records = unpacked("tictactoe")
    each = list(plies(records))
    swap = head.replace(b"claim first does not lose\n", b"").replace(b"not lose", b"win")
    for content, says in (
        # First takes a side, and then another move than the one that draws.
        (
            packed(head, b"\1\0\0\0\1", *each[1:]),
            "but 8 positions need one, the first of them 'xx",
        ),
        (packed(head, b"\1\0\0\0\x09", *each[1:]), "at '_________' it has move 9"),
        (packed(head, b"\2\0\0\0\1\1", *each[1:]), "it has 2 moves at ply 0, but 1 positions"),
        (packed(swap, records), "is not one of first wins"),
    ):
        file.write_bytes(content)
        result = by_arrays(file)
        assert says in result, result


@pytest.mark.slow
def test_every_flipped_move_of_a_small_game_is_judged_alike(tmp_path: Path) -> None:
    file = tmp_path / "file"
    head, records = unpacked("mnk-4-3-3")
    judged = set()
    for bit in range(0, 8 * len(records), 3):  # every byte's, in turn
        judged.add(word(agreed(file, packed(head, flipped(records, bit)), by_arrays, in_python)))
    assert judged == {"refused", "holds"}  # another move may win too


def test_truncation_at_every_byte_is_refused(tmp_path: Path) -> None:
    file, content = tmp_path / "file", certificate("connect-2-2-2")
    for size in range(len(content)):
        assert word(agreed(file, content[:size], by_arrays, in_python)) == "refused"


@pytest.mark.slow
@pytest.mark.parametrize("name", few(["tictactoe", "nim"]))
def test_flipped_bits_are_refused_or_harmless(name: str, tmp_path: Path) -> None:
    file, content, rng = tmp_path / "file", certificate(name), random.Random(19)
    for _ in range(100):
        agreed(file, flipped(content, rng.randrange(8 * len(content))), by_arrays, in_python)


def bomb() -> bytes:
    """Return a file of some kilobytes that unpacks to a gigabyte of moves for one position."""
    head, _ = unpacked("tictactoe")
    xz = lzma.LZMACompressor(preset=0)
    parts = [xz.compress(head + b"\xff\xff\xff\xff")]
    parts += [xz.compress(bytes(1 << 20)) for _ in range(64)]
    return b"".join([*parts, xz.flush()])


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path, wording: Wording) -> None:
    wording(agreed(tmp_path / "file", bomb(), by_arrays, in_python), "4294967295")


@pytest.mark.slow
def test_a_need_of_much_memory_is_refused(tmp_path: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 1, "dict_size": 256 << 20}]
    content = lzma.compress(b"".join(unpacked("tictactoe")), filters=filters)
    assert "memory" in agreed(tmp_path / "file", content, by_arrays, in_python)


def test_a_strategy_that_loses_writes_no_file(tmp_path: Path) -> None:
    for name in ("tictactoe", "nim"):
        game, file = arena.get_game(name), tmp_path / "file"
        worst = dict.fromkeys(claims_of(game), lambda position: position.legal_moves()[-1])
        with pytest.raises(CertificateError):
            write_by_position(file, game.start(), worst, "the last move")
        assert not list(tmp_path.iterdir())


@pytest.mark.needs("cc")
class TestInC:
    @pytest.mark.parametrize("name", KEYED)
    def test_the_lies(self, name: str, tmp_path: Path, in_c: Verdict) -> None:
        file = tmp_path / "file"
        assert agreed(file, certificate(name), by_arrays, in_python, in_c) == "holds"
        for lie, (content, _) in lies(name).items():
            assert word(agreed(file, content, by_arrays, in_python, in_c)) == "refused", lie

    @pytest.mark.parametrize("name", LAST_MOVES_LOSE)
    def test_a_ply_of_lost_positions(self, name: str, tmp_path: Path, in_c: Verdict) -> None:
        assert agreed(tmp_path / "file", certificate(name), by_arrays, in_c) == "holds"

    def test_truncation_at_every_byte(self, tmp_path: Path, in_c: Verdict) -> None:
        file, content = tmp_path / "file", certificate("tictactoe")
        for size in range(len(content)):
            assert word(agreed(file, content[:size], by_arrays, in_python, in_c)) == "refused"

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "name",
        [
            *("connect-2-2-2", "tictactoe"),
            *(pytest.param(name, marks=pytest.mark.nightly) for name in KEYED[2:]),
        ],
    )
    def test_a_thousand_flipped_bits(self, name: str, tmp_path: Path, in_c: Verdict) -> None:
        file, rng = tmp_path / "file", random.Random(19)
        content, inside = certificate(name), b"".join(unpacked(name))
        for _ in range(1000):
            bits = flipped(content, rng.randrange(8 * len(content)))
            agreed(file, bits, by_arrays, in_python, in_c)
            agreed(
                file,
                packed(flipped(inside, rng.randrange(8 * len(inside)))),
                by_arrays,
                in_python,
                in_c,
            )

    def test_a_bomb(self, tmp_path: Path, in_c: Verdict) -> None:
        assert word(agreed(tmp_path / "file", bomb(), by_arrays, in_python, in_c)) == "refused"
