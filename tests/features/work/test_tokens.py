"""The tokens of volunteers: a file of names, which get a token each."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.features.work.tokens import WorkerTokens
from tests.golden import Wording


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tokens.txt"


def test_names_get_tokens_once(file: Path) -> None:
    file.write_text("anna\n\n  ben  \n")
    assert WorkerTokens(file).give() == ["anna", "ben"]
    before = file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    tokens = WorkerTokens(file)
    assert tokens.give() == []
    assert file.read_text() == before
    for name, token in map(str.split, before.splitlines()):
        assert tokens.identify(token) == name
    for wrong in ("", "anna", before, "é", "\udcff"):
        assert tokens.identify(wrong) is None


def test_a_name_that_comes_later_keeps_the_others(file: Path) -> None:
    file.write_text("anna\n")
    tokens = WorkerTokens(file)
    tokens.give()
    [line] = file.read_text().splitlines()
    file.write_text(f"{line}\nben\n")
    assert tokens.give() == ["ben"]
    assert tokens.identify(line.split()[1]) == "anna"
    file.write_text("ben " + "x" * 30 + "\n")  # read again, for it has changed
    assert tokens.identify(line.split()[1]) is None
    assert tokens.identify("x" * 30) == "ben"


@pytest.mark.parametrize(
    "text",
    ["", "anna\nanna\n", "anna short\n", "a b c\n", "# me\n", f"a {'x' * 30}\nb {'x' * 30}\n"],
)
def test_a_file_without_sense_is_named(text: str, file: Path, wording: Wording) -> None:
    file.write_text(text)
    file.chmod(0o600)
    with pytest.raises(UsageError) as caught:
        WorkerTokens(file)
    wording(str(caught.value).replace(str(file), "FILE"))


def test_a_file_that_is_none(file: Path, wording: Wording) -> None:
    with wording.raises(UsageError):
        WorkerTokens(file)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="UTF-8"):
        WorkerTokens(file)


def test_tokens_that_others_may_read_are_refused(file: Path, wording: Wording) -> None:
    file.write_text("anna\n")
    tokens = WorkerTokens(file)  # a name is no secret
    tokens.give()
    token = file.read_text().split()[1]
    file.chmod(0o644)
    for read in (lambda: WorkerTokens(file), lambda: tokens.identify(token)):
        with pytest.raises(UsageError) as caught:
            read()
        wording(str(caught.value).replace(str(file), "FILE"), "chmod 600")
    file.chmod(0o600)
    assert tokens.identify(token) == "anna"
