"""URLs are told from files, and shown without their passwords."""

from __future__ import annotations

import pytest

from arena.urls import is_url, passwordless, without_passwords


@pytest.mark.parametrize(
    ("text", "shown", "without"),
    [
        ("postgresql://u@h/d", "postgresql://u@h/d", "postgresql://u@h/d"),
        ("postgresql://h:5432/d", "postgresql://h:5432/d", "postgresql://h:5432/d"),
        ("postgresql://[::1]:5432/d", "postgresql://[::1]:5432/d", "postgresql://[::1]:5432/d"),
        ("postgresql://u:pw@h:1/d", "postgresql://u:***@h:1/d", "postgresql://u@h:1/d"),
        ("postgresql://u:p@w@h/d", "postgresql://u:***@h/d", "postgresql://u@h/d"),
        ("postgresql://u:12345@h/d", "postgresql://u:***@h/d", "postgresql://u@h/d"),
        ("postgresql://u:a/b?c@h/d", "postgresql://u:***@h/d", "postgresql://u@h/d"),
        ("postgresql://u:cut-off…", "postgresql://u:***", "postgresql://u"),
        (
            "postgresql:///d?host=h&password=pw&x=1",
            "postgresql:///d?host=h&password=***&x=1",
            "postgresql:///d?host=h&password=&x=1",
        ),
    ],
)
def test_passwords_are_hidden(text: str, shown: str, without: str) -> None:
    assert is_url(text)
    assert without_passwords(text) == shown
    assert without_passwords(f"store {text!r} fails") == f"store {shown!r} fails"
    assert passwordless(text) == without


@pytest.mark.parametrize("name", ["S", "./a:b@c", "c:\\S", "~/x:/y", "", "://"])
def test_a_file_is_not_a_url(name: str) -> None:
    assert not is_url(name)
    assert without_passwords(name) == name
