"""What is remembered of a self-test, and when it is not believed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.sandbox import choice as tiers
from arena.sandbox.selftest import pass_cache
from arena.sandbox.selftest.pass_cache import remember, was_passed
from arena.sandbox.selftest.probes import Probe
from arena.sandbox.tiers.box import Tier


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    tiers._failed.cache_clear()
    pass_cache._circumstances.cache_clear()
    return tmp_path / "arena"


def test_what_passed_is_remembered_for_this_tier(folder: Path) -> None:
    assert not was_passed("process")
    remember("process", passed=True)
    assert was_passed("process")
    assert not was_passed("locked")
    assert [file.stat().st_mode & 0o777 for file in folder.iterdir()] == [0o600]
    remember("process", passed=False)
    assert not was_passed("process")
    assert list(folder.iterdir()) == []


def test_only_the_self_test_of_this_start_counts(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember("process", passed=True)
    (before,) = folder.iterdir()
    (tmp_path / "boot").write_text("another start")
    monkeypatch.setattr(pass_cache, "_BOOT", tmp_path / "boot")
    pass_cache._circumstances.cache_clear()
    assert not was_passed("process")
    remember("process", passed=True)
    assert was_passed("process")
    assert not before.exists()


def test_what_others_may_have_written_is_not_believed(folder: Path) -> None:
    remember("process", passed=True)
    (file,) = folder.iterdir()
    file.chmod(0o666)
    assert not was_passed("process")
    file.unlink()
    file.symlink_to("/dev/null")
    assert not was_passed("process")
    remember("process", passed=True)  # and it is not written through
    assert file.is_symlink()


def test_where_nothing_can_be_kept_it_is_tested_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", os.devnull)
    remember("process", passed=True)
    assert not was_passed("process")
    monkeypatch.setattr(pass_cache, "_BOOT", Path("/nowhere"))
    pass_cache._circumstances.cache_clear()
    assert not was_passed("process")


def test_a_self_test_is_made_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def failures(tier: Tier) -> list[Probe]:
        made.append(tier.name)
        return []

    monkeypatch.setattr(tiers, "failures", failures)
    for _ in range(3):
        assert tiers.choose_tier("process").name == "process"
        tiers._failed.cache_clear()  # as in a process of its own
    assert made == ["process"]
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize(
    ("home", "cache_home"), [(None, None), ("", None), ("/nonexistent/home", None), (None, "here")]
)
def test_without_a_home_nothing_is_remembered_nor_written(
    home: str | None,
    cache_home: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    made: list[Path] = []
    monkeypatch.setattr(Path, "mkdir", lambda path, **_: made.append(path))
    monkeypatch.setattr("pwd.getpwuid", lambda _: (_ for _ in ()).throw(KeyError()))
    for name, value in (("HOME", home), ("XDG_CACHE_HOME", cache_home)):
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    remember("process", passed=True)
    assert not was_passed("process")
    assert all(path.is_absolute() and home for path in made)
    assert list(tmp_path.iterdir()) == []
