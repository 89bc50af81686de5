"""What a program is run from: its file, its interpreter, a Python's library; and nothing more."""

from __future__ import annotations

import os
import sys
import venv
from pathlib import Path

import pytest

from arena.match import play_game
from arena.plugin.catalogue import Catalogue
from arena.rng import Stream
from arena.sandbox.players import program_player
from arena.sandbox.remote import Remote
from arena.sandbox.settings import PlayerLimits
from arena.sandbox.tiers import orders
from arena.sandbox.wire.json_lines import COMMAND
from tests import needs
from tests.golden import Wording

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="programs are scripts")

ANY_MOVE = Path(__file__).parents[3] / "examples" / "programs" / "any_move.py"


def folders(file: Path, text: str = "") -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)
    return file


def test_of_a_program_its_file_is_read_and_nothing_beside_it(tmp_path: Path) -> None:
    for name in ("lib/secret", "pyvenv.cfg", "bin/other"):
        folders(tmp_path / name)
    bot = folders(tmp_path / "bin/bot", "\x7fELF")
    assert orders.program_files(str(bot)) == [bot]
    assert orders.program_files("/bin/sh") == [Path("/bin/sh")]
    with pytest.raises(FileNotFoundError):
        orders.program_files(str(tmp_path / "none"))


@pytest.mark.parametrize(
    "line", ["#!{}", "#! {}", "#!\t{}\t-u", "#!{} -u -s", "#!{}\nrest", "#!{}  \n"]
)
def test_of_a_script_its_interpreter_too(tmp_path: Path, line: str, wording: Wording) -> None:
    interpreter = folders(tmp_path / "mine/interpreter")
    bot = folders(tmp_path / "bot", line.format(interpreter))
    assert orders.program_files(str(bot)) == [bot, interpreter]
    interpreter.unlink()
    with pytest.raises(FileNotFoundError) as caught:
        orders.program_files(str(bot))
    wording(caught.value.strerror, f"{str(interpreter)!r}")


@pytest.mark.parametrize("text", ["", "#", "#!", "#! \n", "#!\n/bin/sh", "\0", " #!/bin/none"])
def test_what_names_no_interpreter_has_none(tmp_path: Path, text: str) -> None:
    bot = folders(tmp_path / "bot", text)
    assert orders.program_files(str(bot)) == [bot]


def test_of_a_python_in_a_home_its_library_alone_is_read(tmp_path: Path) -> None:
    folders(tmp_path / ".ssh/id")
    folders(tmp_path / "lib/secret")
    library = folders(tmp_path / "lib/python3.14/os.py").parent
    shared = folders(tmp_path / "lib/libpython3.14.so.1.0")
    python = folders(tmp_path / "bin/python3", "\x7fELF")
    assert orders.program_files(str(python)) == [python, shared, library]
    bot = folders(tmp_path / "bot", f"#!{python}\n")
    assert orders.program_files(str(bot)) == [bot, python, shared, library]


@pytest.mark.skipif(sys.platform != "linux", reason="strong tiers are Linux's")
@pytest.mark.parametrize("tier", needs.tiers("locked", "bwrap"))
@pytest.mark.parametrize("way", ["interpreter", "script"])
def test_a_python_plays_wherever_it_is(
    catalogue: Catalogue, tmp_path: Path, tier: str, way: str
) -> None:
    venv.create(tmp_path / "own", symlinks=True)
    python = tmp_path / "own/bin/python"
    bot = folders(tmp_path / "bot", f"#!{python}\n{ANY_MOVE.read_text()}")
    name = f"cmd:{bot}" if way == "script" else f"cmd:{python} {bot}"
    player = program_player(name, PlayerLimits(tier=tier), COMMAND)
    assert isinstance(player.remote, Remote)
    players = (player, catalogue.player("monkey"))
    record = play_game(catalogue.game("tictactoe"), players, "x", (Stream(), Stream()))
    player.remote.close()
    assert record.forfeit is None


def test_a_file_that_cannot_be_read_is_a_program_all_the_same(tmp_path: Path) -> None:
    bot = folders(tmp_path / "bot", "#!/nowhere/interpreter\n")
    bot.chmod(0o111)
    if os.access(bot, os.R_OK):
        pytest.skip("this user reads everything")
    assert orders.program_files(str(bot)) == [bot]
