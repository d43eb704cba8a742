"""Texts of a package or of the person's own folder, read as data: bounded, decoded, without frontmatter."""

from pathlib import Path

from lime_desktop.app_package.package import AppPackage

MAX_TEXT_CHARACTERS = 60_000


def read_package_text(package: AppPackage, path: str) -> str | None:
    """The body of a Markdown file in a package; None where it cannot be read. Blocks."""
    if path not in package.tree.files:
        return None
    try:
        return _body(package.tree.read(path))
    except OSError:
        return None


def read_own_text(path: Path) -> str | None:
    """The same of a file on this machine. Blocks."""
    try:
        with path.open("rb") as file:
            return _body(file.read(4 * MAX_TEXT_CHARACTERS))
    except OSError:
        return None


def frontmatter_of(text: str) -> str:
    """What stands between the first two lines of dashes."""
    head, found, _ = text.removeprefix("---\n").partition("\n---")
    return head if text.startswith("---\n") and found else ""


def _body(raw: bytes) -> str:
    text = raw.decode("utf-8", "replace").replace("\r\n", "\n")
    if head := frontmatter_of(text):
        text = text[len(head) + len("---\n") + len("\n---") :]
    return text.strip()[:MAX_TEXT_CHARACTERS]
