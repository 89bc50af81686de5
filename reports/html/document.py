"""Make one HTML file that stands alone: its style, script, pictures and data are in it.

Every text that goes through a template is escaped twice: characters that do not print, and those
with a meaning in HTML. A policy in the file forbids the browser to load or send anything, and to
run any script but arena's.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from arena import escape
from arena.dataclass import dataclass
from arena.pictures.style import style_of
from arena.reports.html import charts, cross, paths
from arena.reports.html.markup import trusted
from arena.reports.html.trends import trend

_HERE = Path(__file__).parent

#: Addresses and their names.
Links = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Section:
    """A part of a page: its heading, the template that shows it, and what the template gets."""

    title: str
    template: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    #: Whether it begins a new part of the page, such as another run.
    is_part: bool = False
    #: A line below the heading.
    lead: str = ""


#: The title of a page, a line below it, and its sections.
PageParts = tuple[str, str, Sequence[Section]]

#: The link to the games of the fight in this place of a record, or None if the page lacks them.
GamesLink = Callable[[int], str | None]


def document(
    title: str,
    subtitle: str,
    sections: Sequence[Section],
    games: str = "",
    opened: str = "",
    links: Links = (),
    more: str = "",
) -> str:
    """Return the file. ``games`` are those to replay, as :mod:`arena.reports.html.packing` packs
    them. ``opened`` is the address of those that the page opens with. A page of a server has
    ``links`` to its other pages, and ``more`` script that may ask the server.
    """
    script = page_script() + more
    values = {
        "title": title,
        "subtitle": subtitle,
        "sections": sections,
        "style": style(),
        "script": trusted(script),
        "policy": f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none';"
        f" form-action 'none'; script-src 'sha256-{digest(script)}'"
        + ("; connect-src 'self'" if more else ""),
        "games": games,
        "opened": opened,
        "links": links,
    }
    return rendered("document.html", values, is_scripted=True)


def rendered(template: str, values: Mapping[str, Any], is_scripted: bool = False) -> str:
    """Return a template with its values, in which each section comes with its markup.

    The sections may leave work to the script of a page that has it.
    """
    sections = [(part, trusted(_section(part, is_scripted))) for part in values.get("sections", ())]
    return environment().get_template(template).render({**values, "sections": sections})


def style() -> Markup:
    """Return the style sheet of pages, with that of boards."""
    return trusted(read("style.css") + style_of())


def _section(part: Section, is_scripted: bool) -> str:
    if not part.template:
        return ""
    values = {**part.values, "is_scripted": is_scripted}
    return environment().get_template(part.template).render(values)


@cache
def environment(*folders: Path) -> Environment:
    """Return the renderer of the templates in these folders, and after them in this one."""
    renderer = Environment(
        loader=FileSystemLoader([*folders, _HERE]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    renderer.globals |= {"charts": charts, "pack": cross.pack, "paths": paths, "trend": trend}
    return renderer


def _printable(value: Any) -> Any:
    """Escape what does not print in a text. Markup stays as it is."""
    if value is None:
        return ""
    is_foreign = isinstance(value, str) and not hasattr(value, "__html__")
    return escape.block(value) if is_foreign else value


@cache
def read(name: str) -> str:
    """Return a file of this folder."""
    return (_HERE / name).read_text(encoding="utf-8")


def page_script() -> str:
    """Return the script of a page."""
    return read("common.js") + read("report.js")


def digest(script: str) -> str:
    """Return the digest by which a policy names a script."""
    return base64.b64encode(sha256(script.encode()).digest()).decode()
