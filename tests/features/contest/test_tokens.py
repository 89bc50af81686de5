"""Tokens: who has which, that nobody else reads them, and that none is ever changed."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

import arena
from arena.features.contest.tokens import Identity, Tokens, add_tokens, read_names, read_tokens
from arena.inputs import token_file
from tests.golden import Wording


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tokens.csv"


def test_everybody_gets_one_that_nobody_guesses(file: Path) -> None:
    assert add_tokens(file, ["alice", "Bob Ü."]) == ["owner", "alice", "Bob Ü."]
    rows = read_tokens(file)
    assert [who for who, _ in rows] == [
        Identity("owner", True),
        Identity("alice"),
        Identity("Bob Ü."),
    ]
    known = Tokens(file)
    assert known.entrants == ["alice", "Bob Ü."]
    for who, token in rows:
        assert known.identify(token) == who
        for wrong in (token[:-1], token + "x", token.swapcase(), "", f" {token}", "\udcff"):
            assert known.identify(wrong) is None


def test_a_name_that_cannot_be_one_is_told_by_its_line_as_it_was_written(
    tmp_path: Path, wording: Wording
) -> None:
    names = tmp_path / "names.txt"
    names.write_text("alice\n\na/b\n")
    with wording.raises(arena.UsageError, match="line 3: .*'a/b'"):
        read_names(names)


def test_only_its_owner_may_read_the_file(file: Path, wording: Wording) -> None:
    before = os.umask(0)
    try:
        add_tokens(file, ["alice"])
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for mode in (0o640, 0o604, 0o620, 0o660):
        file.chmod(mode)
        with wording.raises(arena.UsageError, match="600"):
            Tokens(file)


def test_who_has_a_token_keeps_it(file: Path) -> None:
    add_tokens(file, ["alice"])
    before = read_tokens(file)
    known = Tokens(file)
    assert add_tokens(file, ["alice"]) == []
    assert add_tokens(file, ["carol", "alice"]) == ["carol"]
    assert read_tokens(file)[:2] == before
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert known.entrants == ["alice", "carol"]  # without being opened again


def test_an_entrant_may_be_called_owner(file: Path) -> None:
    assert add_tokens(file, ["owner"]) == ["owner", "owner"]
    assert [who.is_owner for who, _ in read_tokens(file)] == [True, False]
    assert add_tokens(file, ["owner"]) == []


@pytest.mark.parametrize(
    "name",
    [
        "<b>",
        "a&b",
        'a"',
        "a/b",
        "..",
        "a\tb",
        "a\nb",
        "a:b",
        "a,b",
        "-x",
        "",
        "a=b",
        "x" * 65,
        "a.py",
    ],
)
def test_names_that_mean_something_are_refused(file: Path, name: str) -> None:
    with pytest.raises(arena.UsageError) as refused:
        add_tokens(file, ["alice", name])
    assert str(refused.value).isprintable()
    assert not file.exists()


@pytest.mark.parametrize("names", [["alice", "alice"], ["alice", "ALICE"]])
def test_a_name_is_of_one(file: Path, names: list[str], wording: Wording) -> None:
    with wording.raises(arena.UsageError):
        add_tokens(file, names)


HEAD = "name,role,token\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "alice,1\n",
        f"{HEAD}alice\n",
        f"{HEAD}alice,king,{'x' * 32}\n",
        f"{HEAD}alice,entrant,short\n",
        f"{HEAD}alice,entrant,{'x' * 32}\nbob,entrant,{'x' * 32}\n",
        f'{HEAD}"alice',
        f"{HEAD}\udcff",
    ],
)
def test_a_spoilt_file_is_said_in_one_line(file: Path, text: str, wording: Wording) -> None:
    file.write_bytes(text.encode(errors="surrogateescape"))
    file.chmod(0o600)
    for use in (Tokens, lambda file: add_tokens(file, ["dora"])):
        with wording.raises(arena.UsageError) as refused:
            use(file)
        assert "\n" not in str(refused.value)
    assert file.read_bytes() == text.encode(errors="surrogateescape")


def test_a_missing_file_is_said(file: Path, wording: Wording) -> None:
    with wording.raises(arena.UsageError):
        Tokens(file)


def test_a_token_is_compared_by_its_digest_alone(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text that somebody sends is hashed before anything is compared with it."""
    add_tokens(file, ["alice"])
    known = Tokens(file)
    compared: list[bytes] = []

    def compare(kept: bytes, digest: bytes) -> bool:
        compared.append(digest)
        return kept == digest

    monkeypatch.setattr(token_file, "compare_digest", compare)
    (_, token) = read_tokens(file)[1]
    for text in (token, "x", token[:-1]):
        known.identify(text)
    assert all(len(digest) == 32 for digest in compared)
    assert len(set(compared)) == 3
    assert not [each for each in vars(known).values() if token in repr(each)]


def test_names_are_lines(tmp_path: Path, wording: Wording) -> None:
    file = tmp_path / "names.txt"
    file.write_bytes("\ufeffalice\r\n\n  Bob Ü. \n".encode())
    assert read_names(file) == ["alice", "Bob Ü."]
    file.write_bytes(b"\xff")
    with wording.raises(arena.UsageError):
        read_names(file)
    with wording.raises(arena.UsageError):
        read_names(tmp_path / "nothing")
