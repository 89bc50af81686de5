"""Make the part of a notebook that shows a record: its page, whose style stays within it.

A page with games to step through needs its script, which a notebook would not let in: it stands
whole in a frame that can reach nothing.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from arena.records.base import Record
from arena.records.explanations import Explanation
from arena.records.replays import ReplayReport
from arena.records.reports import Report
from arena.reports.html.document import rendered, style
from arena.reports.html.markup import trusted
from arena.reports.html.pages.sections import parts_of
from arena.reports.html.report import html

#: The names of notebooks for dark and light, which need not be what the reader's system is:
#: JupyterLab, Visual Studio Code, and Colab.
DARK = "[data-jp-theme-light=false] &,.vscode-dark &,html[theme=dark] &"
LIGHT = "[data-jp-theme-light=true] &,.vscode-light &,html[theme=light] &"

#: Rules of a fragment alone. It is as small as a notebook's text, and its headings are not headings
#: of the notebook.
_OWN = (
    "&{background:var(--paper);padding:.6rem .9rem;font-size:14px;border-radius:4px}"
    "tr{background:none}table{margin:0;border:0}.picture svg{max-width:none}"
    ".facts dt,.facts dd{float:none;width:auto;margin:0;padding:0}.facts dt{font-weight:400}"
    "p{margin:.35rem 0}.title{font-size:1.25rem;font-weight:650}"
    ".section{font-size:1.05rem;font-weight:650;margin-top:1.1rem}"
    "iframe{width:100%;height:36rem;border:0}"
)


def fragment(record: Record) -> str:
    """Return the part of a page, one element."""
    values: dict[str, Any] = {"style": trusted(scoped_style())}
    if _has_games(record):
        page = html(record)
        [title] = re.findall("<title>(.*?)</title>", page)
        values |= {"title": trusted(title), "frame": page}
    else:
        title, subtitle, sections = parts_of(record, lambda _: None)
        values |= {"title": title, "subtitle": subtitle, "frame": "", "sections": sections}
    return rendered("fragment.html", values)


def _has_games(record: Record) -> bool:
    game = record.game if isinstance(record, Explanation) else record
    return isinstance(record, Report) or (isinstance(game, ReplayReport) and game.rules is not None)


@cache
def scoped_style() -> str:
    """Return the style of pages within a fragment, in the colours of the notebook around it.

    The name of the class stands in it three times, because notebooks have rules for all tables.
    """
    pages = str(style())
    light, dark = re.findall(r":root\{(.*?)\}", pages)[:2]
    nested = re.sub(r"(?<![\w.-])(:root|html)(?=\{)", "&", pages)
    themes = f"{DARK}{{color-scheme:dark;{dark}}}{LIGHT}{{color-scheme:light;{light}}}"
    return f".arena-record.arena-record.arena-record{{{nested}{_OWN}{themes}}}"
