"""The licence texts that go with the release: ours, Qt's, Chromium's, ICU's, Python's and those of the wheels.

The wheels of Qt hold no licence text, so those lie here in `licence_texts`. Everything is put into one file for people to
read, beside the program and in the package's documentation.
"""

from collections.abc import Iterable
from pathlib import Path

from release.checkout import ROOT
from release.components import Component, python_licence

TEXTS = Path(__file__).with_name("licence_texts")
NAME = "LICENCES.txt"
_RULE = "=" * 100
_HEAD = """Lime Desktop is licensed under the Apache License 2.0. It brings the parts below, each under its own licence.

Qt {qt} and Qt for Python are used under the GNU Lesser General Public License, version 3. They lie beside the program as
shared libraries (_internal/PySide6) which you may replace by versions of your own: the program does not check them. The
source of exactly this version of Qt, of Qt WebEngine with Chromium, and of Qt for Python is published by the Qt Project
in its archive under the same version numbers; whoever gave you this program has to give it to you on request as well.
"""


def add_licences(tree: Path, components: list[Component]) -> bytes:
    """Put the texts into the tree and give them."""
    texts = licence_notices(components).encode("utf-8")
    (tree / NAME).write_bytes(texts)
    return texts


def licence_notices(components: Iterable[Component]) -> str:
    """Everything in one text: who is in it, then the licences."""
    known = list(components)
    qt = next((each.version for each in known if each.name == "qt"), "")
    table = "\n".join(f"  {each.name} {each.version}: {each.licence}" for each in known)
    parts = [_HEAD.format(qt=qt), f"What is in it:\n\n{table}\n"]
    parts += [_section("Lime Desktop", _read(ROOT / "LICENSE"))]
    parts += [_section(path.stem, _read(path)) for path in sorted(TEXTS.glob("*.txt"))]
    python = python_licence()
    if python is not None:
        parts.append(_section("Python", _read(python)))
    for each in known:
        for path in each.licence_files:
            parts.append(
                _section(f"{each.name} {each.version} ({Path(path).name})", _read(Path(path)))
            )
    return "\n".join(parts)


def _section(title: str, text: str) -> str:
    return f"{_RULE}\n{title}\n{_RULE}\n\n{text.rstrip()}\n"


def _read(path: Path) -> str:
    return path.read_text("utf-8", errors="replace")
