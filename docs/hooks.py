"""Bring the files outside ``docs`` that pages link to into the site.

On the site, a link that leads out of ``docs`` on a checkout leads to a copy of that file. A folder
gets a page that lists its files.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]

#: Pages outside ``docs`` that are pages of the site.
PAGES = ("SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md")

#: Files that the site has as they are, and folders of which it has every file.
COPIED = (
    "examples",
    "plugins/uci.py",
    "plugins/gtp.py",
    "plugins/gomocup.py",
    "plugins/http_bot/__init__.py",
    "plugins/llm/default_prompt.txt",
    "LICENSE",
    "CITATION.cff",
)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages, the files, and a page for each folder."""
    from mkdocs.structure.files import File

    for name in PAGES:
        files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    copied = [path for name in COPIED for path in (ROOT / name, *(ROOT / name).rglob("*"))]
    for path in copied:
        name = path.relative_to(ROOT).as_posix()
        if path.is_file() and "__pycache__" not in name and path.suffix != ".md":
            files.append(File.generated(config, name, abs_src_path=str(path)))
        elif path.is_dir() and not path.name.startswith(("__", ".")):
            files.append(File.generated(config, f"{name}/index.md", content=listing(path)))
    return files


def listing(folder: Path) -> str:
    """Return a page with a link to everything in a folder."""
    name = folder.relative_to(ROOT).as_posix()
    entries = sorted(path for path in folder.iterdir() if not path.name.startswith(("__", ".")))
    links = [
        f"- [{path.name}]({path.name + '/index.md' if path.is_dir() else path.name})"
        for path in entries
        if path.suffix != ".md"
    ]
    return "\n".join([f"# {name}", "", *links, ""])


def on_page_markdown(markdown: str, *, page: Page, **_: object) -> str:
    """Have links out of ``docs``, and those into it from outside, lead to pages of the site."""
    if page.file.src_uri in PAGES:
        return re.sub(r"\]\(docs/", "](", markdown)
    inside = "../" * page.file.src_uri.count("/")
    markdown = re.sub(rf"\]\({re.escape(inside)}\.\./(?=\w)", f"]({inside}", markdown)
    return re.sub(r"\]\(examples/([\w-]+)\)", r"](examples/\1/index.md)", markdown)
