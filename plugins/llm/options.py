"""Read the options of a language model: ``llm,model=NAME,temperature=0:http://127.0.0.1:8000/v1``."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import field, fields
from fractions import Fraction
from typing import Any

from arena.dataclass import dataclass
from arena.errors import UsageError, did_you_mean, one_line, quoted
from arena.files import read_bytes
from arena.kinds import Kind, Number, OneOf, Ratio, Whole

#: Bytes of a file with a prompt.
MAX_PROMPT_BYTES = 1 << 20

#: Names of variables of the environment.
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


@dataclass(frozen=True)
class PromptFile:
    """The text of a file that the user names."""

    path: str
    text: str = field(repr=False)


def _prompt_file(path: str) -> PromptFile:
    try:
        return PromptFile(os.path.abspath(path), read_bytes(path, MAX_PROMPT_BYTES).decode())
    except UsageError as error:
        raise ValueError(f"a file with text ({error})") from None
    except UnicodeDecodeError:
        raise ValueError("a file with text in UTF-8") from None


def _price_file(path: str) -> Mapping[str, Mapping[str, Any]]:
    """Return what a file has for each model: ``[NAME]`` with ``in`` and ``out``."""
    try:
        content = tomllib.loads(read_bytes(path, MAX_PROMPT_BYTES).decode())
    except UsageError as error:
        raise ValueError(f"a file with prices ({error})") from None
    except ValueError as error:
        raise ValueError(f"a file in TOML ({one_line(str(error))})") from None
    if not all(isinstance(entry, dict) for entry in content.values()):
        raise ValueError("a file with a table for each model, such as [gpt] with in and out")
    return content


def _variable(text: str) -> str:
    if not _VARIABLE.fullmatch(text):
        raise ValueError("the name of a variable of the environment, never a key itself")
    return text


def _word(text: str) -> str:
    if not text or not text.isprintable() or len(text) > 200:
        raise ValueError("a text that can be printed, of at most 200 characters")
    return text


@dataclass(frozen=True)
class Options:
    """How a model is asked. What is None is not sent, so that the server decides."""

    #: The name that the server knows it by.
    model: str
    temperature: float | None = None
    #: The seed that is sent: a number, or ``game`` for one of each game.
    seed: str | None = None
    #: The most tokens of an answer.
    max_tokens: int | None = None
    #: How much a model should reason, in the server's words.
    effort: str | None = None
    #: The system message, and the template of the prompt.
    system: PromptFile | None = None
    prompt: PromptFile | None = None
    #: What the prompt shows of the game: the ``moves`` so far, the ``board``, or ``both``.
    history: str = "both"
    #: The form of an answer: a last ``line``, or ``json``.
    answer: str = "line"
    #: How often a move is asked for again after an answer that is none, and whether the model is
    #: told what was wrong.
    rethink: int = 2
    tell: str = "yes"
    #: Seconds that an answer may take.
    timeout: float = 120.0
    #: How often a request is sent again that the network or the server failed.
    retries: int = 5
    #: Prices of a million tokens of prompts and of answers.
    price_in: Fraction | None = None
    price_out: Fraction | None = None
    #: The variable of the environment that has the key of the service.
    key: str = ""
    #: The most requests and tokens of a minute.
    rpm: int | None = None
    tpm: int | None = None
    #: Whether the answer comes in pieces.
    stream: str = "no"
    #: The seed of other words for the game, None for its own.
    disguise: int | None = None

    @property
    def prices(self) -> tuple[Fraction, Fraction] | None:
        """The prices of a token of a prompt and of an answer, None if the user names none."""
        if self.price_in is None or self.price_out is None:
            return None
        return self.price_in / 1_000_000, self.price_out / 1_000_000


_MANY = 1_000_000_000

#: The kinds of the options, by their names on the command line.
MODEL_OPTIONS: Mapping[str, Callable[[str], Any]] = {
    "model": _word,
    "temperature": Number(0, 10).read,
    "seed": lambda text: text if text == "game" else str(Whole(0, (1 << 31) - 1)(text)),
    "max-tokens": Whole(1, _MANY),
    "effort": _word,
    "system": _prompt_file,
    "prompt": _prompt_file,
    "history": OneOf(("moves", "board", "both")),
    "answer": OneOf(("line", "json")),
    "rethink": Whole(0, 20),
    "tell": OneOf(("yes", "no")),
    "timeout": Number(0.001, 1_000_000).read,
    "retries": Whole(0, 100),
    "price-in": Ratio(),
    "price-out": Ratio(),
    "prices": _price_file,
    "key": _variable,
    "rpm": Whole(1, _MANY),
    "tpm": Whole(1, _MANY),
    "stream": OneOf(("yes", "no")),
    "disguise": Whole(0, (1 << 31) - 1),
}

_FIELDS = {entry.name for entry in fields(Options)}
assert _FIELDS | {"prices"} == {name.replace("-", "_") for name in MODEL_OPTIONS}


def read_llm_options(texts: Mapping[str, str]) -> Options:
    """Return the options of these texts. Raises UsageError that names the wrong one."""
    values = {}
    for name, text in texts.items():
        if (read := MODEL_OPTIONS.get(name)) is None:
            hint = did_you_mean(name, MODEL_OPTIONS)
            raise UsageError(f"no option {quoted(name)}{hint} (it has: {', '.join(MODEL_OPTIONS)})")
        try:
            values[name.replace("-", "_")] = read(text)
        except ValueError as error:
            hint = read.hint(text) if isinstance(read, Kind) else ""
            value = "this" if name == "key" else quoted(text)
            raise UsageError(f"{name} must be {error}, not {value}{hint}") from None
    if "model" not in values:
        raise UsageError("write which model: llm,model=NAME:URL")
    if ("price_in" in values) != ("price_out" in values):
        raise UsageError("price-in and price-out go together")
    if (listed := values.pop("prices", None)) is not None:
        if "price_in" in values:
            raise UsageError("prices come from a file, or from price-in and price-out: not both")
        values["price_in"], values["price_out"] = _listed(listed, values["model"])
    return Options(**values)


def _listed(prices: Mapping[str, Mapping[str, Any]], model: str) -> tuple[Fraction, Fraction]:
    """Return the prices that a file has for a model. Raises UsageError without."""
    if model not in prices:
        hint = did_you_mean(model, prices)
        raise UsageError(f"the file of prices has no model {quoted(model)}{hint}")
    try:
        price_in, price_out = (Ratio().check(prices[model].get(key)) for key in ("in", "out"))
    except ValueError as error:
        raise UsageError(f"in and out of [{model}] in the file of prices must be {error}") from None
    return price_in, price_out
