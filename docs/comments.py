"""Read what the code says of itself: the comments of fields, and docstrings as Markdown."""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from functools import cache
from typing import is_typeddict


def markdown(text: str) -> str:
    """Return a docstring's markup as Markdown, its paragraphs on lines of their own."""
    text = re.sub(r":\w+:`~?([^`]+)`", r"``\1``", text)
    paragraphs = re.split(r"\n\s*\n", text.replace("``", "`"))
    return "\n\n".join(map(_paragraph, paragraphs))


def anchor(title: str) -> str:
    """Return the name of the place of a heading on its page."""
    return re.sub(r"[^\w-]", "", title.lower())


def _paragraph(text: str) -> str:
    """Return a paragraph on one line; a list or an indented block stays as it is."""
    return text if re.search(r"^(    |[-*] )", text, re.MULTILINE) else " ".join(text.split())


def first_sentence(text: str | None) -> str:
    """Return the first paragraph of a docstring, on one line."""
    return markdown(inspect.cleandoc(text or "").partition("\n\n")[0])


@cache
def comments(kind: type) -> dict[str, str]:
    """Return what stands above each field of a class, and the docstring of each property."""
    texts: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if base.__module__.split(".")[0] == "arena":
            texts |= _comments(base)
    return texts


def _comments(kind: type) -> dict[str, str]:
    try:
        source = textwrap.dedent(inspect.getsource(kind))
    except OSError:  # a typed dict that a call declares
        return {}
    lines = source.splitlines()
    (tree,) = ast.parse(source).body
    assert isinstance(tree, ast.ClassDef)
    texts: dict[str, str] = {}
    if is_typeddict(kind):  # its method resolution order has no other typed dict
        for name in map(ast.unparse, tree.bases):
            base = getattr(sys.modules[kind.__module__], name)
            texts |= comments(base) if is_typeddict(base) else {}
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            texts[node.target.id] = markdown(_above(lines, node.lineno - 1))
        elif isinstance(node, ast.FunctionDef):
            texts[node.name] = first_sentence(ast.get_docstring(node))
    return texts


def _above(lines: list[str], index: int) -> str:
    """Return the comment of the lines that end before this one."""
    texts: list[str] = []
    while index and (text := lines[index - 1].strip()).startswith("#:"):
        texts.insert(0, text[2:].strip())
        index -= 1
    return " ".join(texts)
