"""The optional libraries of plugins."""

from __future__ import annotations

import configparser
from pathlib import Path

import pytest

from arena.plugins.libraries import Library
from arena.plugins.openspiel.library import OPENSPIEL
from arena.plugins.pettingzoo.library import PETTINGZOO

CONFIGURATION = Path(__file__).parents[2] / "setup.cfg"


@pytest.mark.parametrize("library", [OPENSPIEL, PETTINGZOO])
def test_the_extra_is_one_of_setup_cfg_and_no_older_than_what_is_supported(
    library: Library,
) -> None:
    parser = configparser.ConfigParser()
    parser.read(CONFIGURATION)
    wanted = parser["options.extras_require"][library.extra].split("\n")
    assert f"{library.distribution} >={'.'.join(map(str, library.oldest))}" in wanted


@pytest.mark.parametrize("library", [OPENSPIEL, PETTINGZOO])
def test_results_of_another_release_are_of_other_rules(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = []
    for release in [(1, 2, 3), (1, 2), (2, 10, 3), None]:
        monkeypatch.setattr(Library, "release", lambda _, release=release: release)
        versions.append(library.version_of_rules())
    assert versions == [10203, 10200, 21003, 0]


def test_a_module_that_does_not_import_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Library, "release", lambda _: (9, 9))
    library = Library("games", "no_such_module", "no_such_module", "openspiel", (1, 0))
    with pytest.raises(Exception, match="no_such_module") as caught:
        library.load()
    assert str(caught.value).endswith("pip install 'proving-arena[openspiel]'")
