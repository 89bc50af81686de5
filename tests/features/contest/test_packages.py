"""What a hand-in may be: a Python file, or a zip of a folder; everything else is refused."""

from __future__ import annotations

import stat
import struct
from io import BytesIO
from zipfile import ZIP_BZIP2, ZIP_LZMA, ZIP_STORED, ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.features.contest import packages
from arena.features.contest.packages import MAX_DEPTH, HandInRefused, player_of, unpack
from arena.inputs.hand_in_rules import HandInRules
from tests.features.contest.packages import BOT, lying_about_its_size, zipped
from tests.golden import Wording

RULES = HandInRules(size=100_000, unpacked=200_000, files=10)

NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,8}\.(py|json|txt)", fullmatch=True)
FOLDERS = st.lists(st.from_regex(r"[a-z]{1,5}", fullmatch=True), max_size=3)
PATHS = st.builds(lambda folders, name: "/".join([*folders, name]), FOLDERS, NAMES)


def refusal_of(content: bytes, rules: HandInRules = RULES) -> str:
    with pytest.raises(HandInRefused) as refused:
        unpack(content, rules)
    message = str(refused.value)
    assert message.isprintable()
    assert len(message) < 300
    return message


def test_a_python_file_is_a_bot() -> None:
    assert unpack(BOT, RULES) == {"bot.py": BOT}
    assert unpack("\N{SNOWMAN}".encode(), RULES) == {"bot.py": "\N{SNOWMAN}".encode()}


@pytest.mark.slow
@given(st.dictionaries(PATHS, st.binary(max_size=50), max_size=8), st.sampled_from(["", "alice/"]))
def test_a_zip_is_its_files_in_a_folder_or_not(files: dict[str, bytes], folder: str) -> None:
    files = {"bot.py": BOT, **files}
    inside = {f"{folder}{path}": content for path, content in files.items()}
    litter = {"__MACOSX/._bot.py": b"?", f"{folder}__pycache__/bot.pyc": b"?"}
    for method in (ZIP_STORED, 8):
        assert unpack(zipped({**inside, **litter}, method=method), RULES) == files
    assert player_of(files) == "bot.py"


@pytest.mark.parametrize(
    ("files", "player_file"),
    [
        (["bot.py", "other.py"], "bot.py"),
        (["kim.py", "_helper.py", "data/x.py"], "kim.py"),
        (["kim.py", "leo.py"], " bot.py"),
        (["_kim.py", "bot.js"], ""),
    ],
)
def test_the_player_is_the_only_file_or_bot(
    files: list[str], player_file: str, wording: Wording
) -> None:
    content = zipped(dict.fromkeys(files, BOT))
    if player_file in files:
        assert player_of(unpack(content, RULES)) == player_file
    else:
        wording(refusal_of(content), player_file)


EVIL_NAMES = [
    *("/etc/passwd", "../bot.py", "a/../../bot.py", "a//bot.py", "./bot.py", "C:\\bot.py", "c:/b"),
    *("a\nb.py", "a\x1b[2Jb.py", "<script>.py", 'a"b.py', "a&b.py", "\u202ebot.py", ""),
    *("x" * 101, "-" + "$(id)", "a`b`.py", "~/bot.py\t", "/".join("a" * (MAX_DEPTH + 1))),
]


@pytest.mark.parametrize("name", EVIL_NAMES)
def test_names_that_lead_elsewhere_or_mean_something_are_refused(name: str) -> None:
    refusal_of(zipped({"bot.py": BOT, name: b"x"}))


KINDS = ["S_IFLNK", "S_IFCHR", "S_IFBLK", "S_IFIFO", "S_IFSOCK"]


@pytest.mark.parametrize("kind", KINDS)
def test_links_and_devices_are_refused(kind: str, wording: Wording) -> None:
    mode = getattr(stat, kind) | 0o777
    wording(refusal_of(zipped({"bot.py": b"/etc/passwd"}, mode)))


def encrypted() -> bytes:
    content = bytearray(zipped({"bot.py": BOT}))
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


ATTACKS = {
    "empty": (b"", "is empty"),
    "blank": (b" \n", "is empty"),
    "binary": (b"\x7fELF" + bytes(100), "neither a Python file"),
    "latin": ("é".encode("latin-1"), "neither a Python file"),
    "large": (b"#" * 100_001, "more than 100000 bytes"),
    "bomb": (zipped({"bot.py": bytes(10_000_000)}), "more than 200000 bytes, unpacked"),
    "lie": (lying_about_its_size(bytes(10_000_000)), "zip that cannot be unpacked"),
    "parts": (zipped({f"{i}.txt": bytes(50_000) for i in range(5)}), "200000 bytes, unpacked"),
    "many": (zipped({f"{i}.txt": b"" for i in range(11)}), "more than 10 files"),
    "crowd": (zipped({f"{i}/": b"" for i in range(500)}), "more than 10 files"),
    "twice": (zipped({"bot.py": BOT, "Bot.py": BOT}), "twice"),
    "both": (zipped({"bot.py": BOT, "a": b"", "a/b": b""}), "as a file and as a folder"),
    "nothing": (zipped({}), "no Python file"),
    "cut": (zipped({"bot.py": BOT})[:-30], "cannot be unpacked"),
    "null": (zipped({"aXb.py": BOT}).replace(b"aXb", b"a\0b"), "a file with the name"),
    "encrypted": (encrypted(), "encrypted"),
    "lzma": (zipped({"bot.py": BOT}, method=ZIP_LZMA), "use deflate"),
    "bzip2": (zipped({"bot.py": BOT}, method=ZIP_BZIP2), "use deflate"),
    "zip in zip": (zipped({"a.zip": zipped({"bot.py": BOT})}), "no Python file"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_attacks_are_refused_in_one_line(name: str) -> None:
    content, message = ATTACKS[name]
    assert message in refusal_of(content)


def crowded(comment: bytes = b"", *, is_large: bool = False) -> bytes:
    """Return a zip with many entries, whose end record says that it has one."""
    made = bytearray(zipped({f"{i}/": b"" for i in range(200)}))
    made[-14:-10] = struct.pack("<HH", 1, 1)
    if is_large:
        directory = struct.unpack("<I", made[-10:-6])[0]
        record = len(made) - 22
        where = directory, record - directory
        large = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, *where)
        made[-22:-22] = large + struct.pack("<4sIQI", b"PK\x06\x07", 0, record, 1)
        made[-10:-2] = b"\xff" * 8
    made[-2:] = struct.pack("<H", len(comment))
    return bytes(made) + comment


CROWDS = {
    "plain": crowded(),
    "a comment": crowded(b"x" * 0xFFFF),
    "large": crowded(is_large=True),
    "large with a comment": crowded(b"x" * 100, is_large=True),
    "another end in its end": crowded(b"PK\x05\x06" + bytes(20)),
}


@pytest.mark.parametrize("name", CROWDS)
def test_a_zip_with_many_entries_is_refused_before_they_are_read(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    result = ZipFile(BytesIO(CROWDS[name])).infolist()
    assert len(result) in (0, 200)  # python finds them all, or another end
    assert unpack(zipped({"bot.py": BOT, "a.zip": zipped({"b/": b""})}), RULES)
    if result:
        monkeypatch.setattr(packages, "ZipFile", None)
        assert "more than 10 files" in refusal_of(CROWDS[name])
    else:
        refusal_of(CROWDS[name])


@given(st.data())
def test_a_zip_with_other_bytes_is_refused_or_within_the_limits(data: st.DataObject) -> None:
    content = bytearray(zipped({"a/bot.py": BOT, "a/data/w.json": b"1" * 500, "a/e/": b""}))
    places = st.integers(0, len(content) - 1)
    for place, byte in data.draw(st.lists(st.tuples(places, st.integers(0, 255)), max_size=20)):
        content[place] = byte
    try:
        files = unpack(bytes(content), RULES)
    except HandInRefused:
        refusal_of(bytes(content))
    else:
        assert sum(map(len, files.values())) <= RULES.unpacked
        assert all(".." not in path and not path.startswith("/") for path in files)
        assert player_of(files) in files
