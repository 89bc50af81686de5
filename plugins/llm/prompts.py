"""Write the prompt of a move: the rules, what the seat knows, and its legal moves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from arena.errors import UsageError, one_line, quoted
from arena.game import Observation, Position
from arena.plugins.llm.briefing import GameWording

if TYPE_CHECKING:
    from jinja2 import Template

    from arena.plugins.llm.options import Options


def template_of(options: Options) -> str:
    """Return the text of the template: the user's, or arena's own."""
    return _default() if options.prompt is None else options.prompt.text


@cache
def _default() -> str:
    return files(__package__).joinpath("default_prompt.txt").read_text("utf-8")


def digest_of(options: Options) -> str:
    """Return what tells prompts apart in records: the digest of the template and the system
    message.
    """
    system = "" if options.system is None else options.system.text
    return sha256(f"{template_of(options)}\0{system}".encode()).hexdigest()[:12]


@cache
def _compiled(template: str) -> Template:
    """Compile a template. Raises UsageError for one that is wrong."""
    from jinja2 import StrictUndefined, TemplateError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    try:
        return environment.from_string(template)
    except TemplateError as error:
        raise UsageError(f"the template of the prompt: {one_line(str(error))}") from None


def require_template(options: Options) -> None:
    """Raise UsageError for a template that cannot be compiled, or says nothing."""
    if not template_of(options).strip():
        raise UsageError("the template of the prompt is empty")
    _compiled(template_of(options))


def prompt_of(
    options: Options,
    telling: GameWording,
    seat: int,
    seen: Position | Observation,
    moves: tuple[int, ...] | None,
) -> str:
    """Return the prompt of a move. ``moves`` are those so far, None where they are not known.

    Raises UsageError if the template fails.
    """
    from jinja2 import TemplateError

    try:
        text = _compiled(template_of(options)).render(_facts(options, telling, seat, seen, moves))
    except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
        problem = quoted(one_line(str(error)))
        raise UsageError(f"the template of the prompt fails: {problem}") from None
    return text.strip()


def _facts(
    options: Options,
    telling: GameWording,
    seat: int,
    seen: Position | Observation,
    moves: tuple[int, ...] | None,
) -> Mapping[str, Any]:
    """Return what a template may use, by name: docs/llm.md lists it."""
    return {
        "game": telling.name,
        "rules": telling.guide,
        "seat": seat + 1,
        "seats": telling.game.seats,
        "hides": not isinstance(seen, Position),
        "text": telling.text(seen),
        "picture": telling.picture(seen),
        "moves": None if moves is None else [*map(telling.word, moves)],
        "legal": telling.words(seen.legal_moves()),
        "history": options.history,
        "answer": options.answer,
    }


def correction(problem: str, options: Options) -> str:
    """Return what the model is told after an answer that is no legal move."""
    if options.answer == "json":
        return f"That is no answer: {problem}. Answer with a JSON object and nothing else."
    return f"That is no answer: {problem}. End with one line: MOVE: and one legal move."
