"""The page of licences names every library, and says what the library says of itself."""

from __future__ import annotations

import re
from configparser import ConfigParser
from importlib.metadata import PackageNotFoundError, files, metadata

import pytest

from tests.docs.reading import ROOT

PAGE = (ROOT / "docs" / "licences.md").read_text()

#: What a library calls each licence, as a part of its own words.
WORDS = {
    "Apache-2.0": "apache",
    "BSD-2-Clause": "bsd",
    "BSD-3-Clause": "bsd",
    "LGPL-3.0": "lgpl",
    "LGPL-3.0-or-later": "lgpl",
    "MIT": "mit",
    "MPL-2.0 and MIT": "mpl-2.0",
    "PSF-based": "python software foundation",
}


def requirements(*extras: str) -> set[str]:
    """Return the names of the libraries that setup.cfg has for arena, or for extras."""
    config = ConfigParser()
    config.read(ROOT / "setup.cfg")
    texts = [config["options.extras_require"][extra] for extra in extras]
    lists = texts or [config["options"]["install_requires"]]
    return {re.split(r"[ \[<>=]", line)[0] for text in lists for line in text.split("\n") if line}


def named() -> dict[str, str]:
    """Return the licence of each library that the page names."""
    rows = dict(re.findall(r"^\| ([\w-]+) \| ([\w. -]+) \|", PAGE, re.MULTILINE))
    del rows["library"], rows["extra"]
    extras = re.findall(r"([\w-]+) \(([\w.-]+)\)", PAGE.partition("| extra |")[2])
    return rows | dict(extras)


def test_every_library_of_arena_and_its_extras_is_on_the_page() -> None:
    extras = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    config = ConfigParser()
    config.read(ROOT / "setup.cfg")
    assert {*extras, "test"} == {*config["options.extras_require"]}
    assert named().keys() == requirements() | requirements(*extras)


@pytest.mark.parametrize(("name", "licence"), named().items())
def test_a_library_has_the_licence_that_the_page_says(name: str, licence: str) -> None:
    try:
        words = metadata(name)
    except PackageNotFoundError:
        pytest.skip(f"needs {name}: pip install {name}")
    fields = ("License-Expression", "License", "Classifier")
    texts = [value for field in fields for value in words.get_all(field, [])]
    # Some say it at the beginning of a file alone.
    licences = [file for file in files(name) or () if file.name.startswith("LICEN")]
    text = " ".join([*texts, *(file.read_text()[:100] for file in licences)])
    assert WORDS[licence] in text.lower()
