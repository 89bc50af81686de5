"""What a server answers is read strictly, whole or in pieces."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.plugins.llm.replies import (
    EVENT_STREAM,
    HIDDEN_KEY,
    ModelReply,
    ReplyError,
    problem_in,
    read_reply,
)


def whole(message: Any, **more: Any) -> bytes:
    return json.dumps({"choices": [{"message": message, "finish_reason": "stop"}], **more}).encode()


def pieces(*texts: str, raw: bool = False) -> bytes:
    """Return an event stream with these texts, written raw or with escapes."""
    events: list[dict[str, Any]] = [{"choices": [{"delta": {"content": text}}]} for text in texts]
    events.append({"choices": [{"delta": {}, "finish_reason": "stop"}]})
    events.append({"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}})
    lines = [f"data: {json.dumps(event, ensure_ascii=not raw)}\n\n" for event in events]
    return "".join([*lines, "data: [DONE]\n\n"]).encode()


@given(st.text())
def test_a_text_is_read_as_it_was_written(text: str) -> None:
    assert read_reply(whole({"content": text}), "application/json", 1.0).text == text


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=5), st.booleans())
def test_pieces_are_put_together(texts: list[str], raw: bool) -> None:
    reply = read_reply(pieces(*texts, raw=raw), EVENT_STREAM, 1.0)
    assert reply == ModelReply(
        "".join(texts), finish="stop", tokens_in=5, tokens_out=2, seconds=1.0
    )


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"[]", b"{}", b"\xff", b'{"choices": []}', b'{"choices": [5]}'),
        *(b'{"choices": [{}]}', whole("text"), whole({"content": 5}), whole({"refusal": [1]})),
        b"[" * 100_000,
    ],
)
def test_anything_else_is_garbled(body: bytes) -> None:
    with pytest.raises(ReplyError):
        read_reply(body, "application/json", 1.0)


def test_a_stream_that_ends_early_is_garbled() -> None:
    cut = pieces("MOVE: 1").partition(b'data: {"choices": [{"delta": {}')[0]
    with pytest.raises(ReplyError):
        read_reply(cut, EVENT_STREAM, 1.0)


@pytest.mark.parametrize("count", [None, -1, 1.5, "5", True, 1 << 50, [1]])
def test_what_is_no_number_of_tokens_is_not_counted(count: Any) -> None:
    usage = {"prompt_tokens": count, "completion_tokens": 3}
    reply = read_reply(whole({"content": "a"}, usage=usage), "application/json", 1.0)
    assert (reply.tokens_in, reply.tokens_out) == (None, 3)


def test_a_secret_is_hidden_in_every_text() -> None:
    reply = ModelReply("a sk-1 b", "sk-1", "sk-1!", "sk-1", 5, 6, 1.0)
    hidden = ModelReply(f"a {HIDDEN_KEY} b", HIDDEN_KEY, f"{HIDDEN_KEY}!", HIDDEN_KEY, 5, 6, 1.0)
    assert reply.without("sk-1") == hidden
    assert reply.without("") == reply


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"error": {"message": "too long"}}', "too long"),
        (b'{"error": "too long"}', "too long"),
        (b"<h1>no</h1>", "<h1>no</h1>"),
        (b"", ""),
        (b"\xff", "\ufffd"),
    ],
)
def test_what_a_server_says_of_an_error(body: bytes, words: str) -> None:
    assert problem_in(body) == words
