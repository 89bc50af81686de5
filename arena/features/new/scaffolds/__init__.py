"""Begin a project that passes its tests at once: a player, a game, a tournament and so on.

Each file of a project is a template next to this module. In it ``@name@`` and ``@module@`` stand
for the names of the project and of its module.
"""

from __future__ import annotations

import keyword
import re
from importlib.resources import files
from pathlib import Path

from arena.errors import UnknownName, UsageError, quoted
from arena.files import new_folder, write_atomically

#: The files of every project: where each lies, and the template that it is made of.
_COMMON = {".gitignore": "gitignore.txt", ".github/workflows/test.yml": "test.yml.txt"}


def _installed(kind: str) -> dict[str, str]:
    """Return the files of a project that is a plugin."""
    return {
        "pyproject.toml": "pyproject.toml.txt",
        "README.md": f"{kind}-readme.md.txt",
        "@module@.py": f"{kind}.py.txt",
        "tests/test_@module@.py": f"{kind}-test.py.txt",
        **_COMMON,
    }


#: The files of each kind of project.
LAYOUTS = {
    "player": _installed("player"),
    "game": _installed("game"),
    "plugin": _installed("plugin"),
    "tournament": {
        "pyproject.toml": "tournament-pyproject.toml.txt",
        "README.md": "tournament-readme.md.txt",
        "tournament.toml": "tournament.toml.txt",
        "entrants/first_free.py": "first_free.py.txt",
        "entrants/wins_at_once.py": "wins_at_once.py.txt",
        "tests/test_tournament.py": "tournament-test.py.txt",
        **_COMMON,
    },
    "contest": {
        "pyproject.toml": "contest-pyproject.toml.txt",
        "README.md": "contest-readme.md.txt",
        "contest.toml": "contest.toml.txt",
        "names.txt": "contest-names.txt.txt",
        "entrants.md": "contest-entrants.md.txt",
        "poster.html": "contest-poster.html.txt",
        "example/bot.py": "first_free.py.txt",
        "tests/test_contest.py": "contest-test.py.txt",
        **_COMMON,
    },
    "league": {
        "pyproject.toml": "league-pyproject.toml.txt",
        "README.md": "league-readme.md.txt",
        "league.toml": "league.toml.txt",
        "entrants/example/bot.py": "first_free.py.txt",
        "entrants/example/OWNER": "league-owner.txt",
        "tests/test_league.py": "league-test.py.txt",
        ".gitignore": "league-gitignore.txt",
        ".github/workflows/enter.yml": "league-enter.yml.txt",
        ".github/workflows/preview.yml": "league-preview.yml.txt",
        ".github/workflows/publish.yml": "league-publish.yml.txt",
        ".github/workflows/season.yml": "league-season.yml.txt",
    },
}

#: The files of variants: a game with luck and secrets, and a player that is a module, in C.
LAYOUTS_OF_VARIANTS = {
    "hidden": _installed("hidden-game"),
    "c": {
        "pyproject.toml": "wasm-pyproject.toml.txt",
        "README.md": "wasm-readme.md.txt",
        "@name@.c": "wasm-player.c.txt",
        "player.h": "wasm-player.h.txt",
        "build.py": "wasm-build.py.txt",
        "tests/test_@module@.py": "wasm-test.py.txt",
        ".gitignore": "gitignore.txt",
        ".github/workflows/test.yml": "wasm-test.yml.txt",
    },
}

#: A workflow that is added to a project, not a project.
CI = "ci"
KINDS = (*LAYOUTS, CI)

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
MAX_PROJECT_NAME = 40

_SUMMARIES = {
    "player": "A player for arena",
    "game": "A game for arena",
    "plugin": "A plugin for arena",
}


def begin(kind: str, name: str, where: Path, variant: str = "") -> list[Path]:
    """Write a project of that kind into the new folder ``where / name``, and return its files.

    The folder is there as a whole or not at all. ``ci`` adds one workflow to the project that
    ``where`` is. A variant is one of LAYOUTS_OF_VARIANTS. Raises UsageError if something of that
    name is there, or the name is not one.
    """
    require_name(kind, name)
    layout = LAYOUTS_OF_VARIANTS[variant] if variant else LAYOUTS.get(kind, {})
    if kind == CI:
        return [_add_workflow(name, where)]
    folder = where / name
    if folder.exists() or folder.is_symlink():
        raise UsageError(f"{quoted(name)} is there already")
    with new_folder(folder) as beside:
        for path, template in layout.items():
            file = beside / _filled(path, kind, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(_filled(_template(template), kind, name), encoding="utf-8")
    return [folder / _filled(path, kind, name) for path in layout]


def require_name(kind: str, name: str) -> None:
    """Raise UsageError for a kind of project that is not one, and for a name that cannot be one."""
    if kind not in KINDS:
        raise UnknownName("kind of project", kind, KINDS)
    if not _NAME.fullmatch(name) or len(name) > MAX_PROJECT_NAME:
        raise UsageError(
            f"{quoted(name)} is not a name: begin with a letter from a to z; letters, digits and"
            f" single hyphens follow, {MAX_PROJECT_NAME} at most"
        )
    if keyword.iskeyword(name):
        raise UsageError(f"{quoted(name)} is a keyword of Python: choose another name")


def _add_workflow(name: str, where: Path) -> Path:
    if not (where / "pyproject.toml").is_file() and not (where / "setup.cfg").is_file():
        raise UsageError(
            "ci adds a workflow to a project, and here is neither pyproject.toml nor setup.cfg"
        )
    file = where / ".github" / "workflows" / f"{name}.yml"
    if file.exists():
        raise UsageError(f"{str(file.relative_to(where))!r} is there already")
    file.parent.mkdir(parents=True, exist_ok=True)
    text = files("arena.features.regress").joinpath("nightly.yml").read_text(encoding="utf-8")
    write_atomically(file, text.replace("name: nightly", f"name: {name}", 1))
    return file


def _template(name: str) -> str:
    return files("arena.features.new.scaffolds").joinpath(name).read_text(encoding="utf-8")


def _filled(text: str, kind: str, name: str) -> str:
    words = {
        "@name@": name,
        "@module@": f"arena_{name.replace('-', '_')}",
        "@summary@": f"{_SUMMARIES.get(kind, '')}: {name}",
    }
    for word, value in words.items():
        text = text.replace(word, value)
    return text
