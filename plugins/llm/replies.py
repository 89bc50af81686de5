"""Read what a server of chat completions answers, whole or in pieces."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from arena.errors import one_line, quoted

#: The keys under which servers put what a model thinks before it answers.
_REASONING = ("reasoning_content", "reasoning")

#: The type of an answer in pieces: https://html.spec.whatwg.org/multipage/server-sent-events.html
EVENT_STREAM = "text/event-stream"


#: The ends of lines of an event stream, which are fewer than those of Python.
_END = re.compile(r"\r\n|\n|\r")


class ModelReply(NamedTuple):
    """The answer of a model."""

    text: str
    reasoning: str = ""
    #: The words with which the model refuses to answer; empty if it does not.
    refusal: str = ""
    #: Why it ended: ``stop``, ``length``, ``content_filter``; empty if the server does not say.
    finish: str = ""
    #: Tokens of the prompt and of the answer, None if the server does not count.
    tokens_in: int | None = None
    tokens_out: int | None = None
    #: Seconds that it took.
    seconds: float = 0.0

    def without(self, secret: str) -> ModelReply:
        """Return the reply with another word for a secret that the server repeats."""
        if not secret:
            return self
        return self._replace(
            text=self.text.replace(secret, HIDDEN_KEY),
            reasoning=self.reasoning.replace(secret, HIDDEN_KEY),
            refusal=self.refusal.replace(secret, HIDDEN_KEY),
            finish=self.finish.replace(secret, HIDDEN_KEY),
        )


#: What stands for a secret.
HIDDEN_KEY = "[key]"


class ReplyError(Exception):
    """The server answered something that is not a chat completion."""


def read_reply(body: bytes, kind: str, seconds: float) -> ModelReply:
    """Return the reply in the body of an answer of that content type. Raises ReplyError."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise ReplyError("its answer is not UTF-8") from None
    if kind == EVENT_STREAM:
        return _assembled(map(_object, _events(text)), seconds)
    answer = _object(text)
    choice = _choice(answer)
    message = choice.get("message")
    if not isinstance(message, dict):
        raise ReplyError(f"its answer has no message: {quoted(one_line(text))}")
    return _reply([message], choice.get("finish_reason"), answer.get("usage"), seconds)


def _assembled(pieces: Iterator[dict[str, Any]], seconds: float) -> ModelReply:
    deltas, finish, usage = [], None, None
    for piece in pieces:
        usage = piece.get("usage") or usage
        if not piece.get("choices"):
            continue
        choice = _choice(piece)
        delta = choice.get("delta")
        if isinstance(delta, dict):
            deltas.append(delta)
        finish = choice.get("finish_reason") or finish
    if finish is None:
        raise ReplyError("its answer ends before the model has ended")
    return _reply(deltas, finish, usage, seconds)


def _reply(messages: list[dict[str, Any]], finish: Any, usage: Any, seconds: float) -> ModelReply:
    reasoning = next((text for key in _REASONING if (text := _text(messages, key))), "")
    tokens = usage if isinstance(usage, dict) else {}
    return ModelReply(
        text=_text(messages, "content"),
        reasoning=reasoning,
        refusal=_text(messages, "refusal"),
        finish=finish if isinstance(finish, str) else "",
        tokens_in=_count(tokens.get("prompt_tokens")),
        tokens_out=_count(tokens.get("completion_tokens")),
        seconds=seconds,
    )


def _text(messages: list[dict[str, Any]], key: str) -> str:
    texts = [message[key] for message in messages if message.get(key) is not None]
    if not all(isinstance(text, str) for text in texts):
        raise ReplyError(f"its {key} is not a text")
    return "".join(texts)


def _count(number: Any) -> int | None:
    """Return a number of tokens, None for anything that is not one."""
    is_count = isinstance(number, int) and not isinstance(number, bool)
    return number if is_count and 0 <= number < 1 << 40 else None


def _choice(answer: Mapping[str, Any]) -> dict[str, Any]:
    choices = answer.get("choices")
    if not (isinstance(choices, list) and choices and isinstance(choices[0], dict)):
        raise ReplyError("its answer has no choices")
    choice: dict[str, Any] = choices[0]
    return choice


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise ReplyError(f"its answer is not JSON: {quoted(one_line(text))}") from None
    if not isinstance(value, dict):
        raise ReplyError("its answer is no object")
    return value


def _events(text: str) -> Iterator[str]:
    """Yield the data of server-sent events, up to the one that ends a completion."""
    for line in _END.split(text):
        data = line.removeprefix("data:").strip() if line.startswith("data:") else ""
        if data == "[DONE]":
            return
        if data:
            yield data


def problem_in(body: bytes) -> str:
    """Return what a server says of an error: its ``error.message``, or the body."""
    text = body.decode("utf-8", "replace")
    try:
        error = json.loads(text)["error"]
        text = error["message"] if isinstance(error, dict) else error
    except (ValueError, LookupError, TypeError, RecursionError):
        pass
    return one_line(str(text))
