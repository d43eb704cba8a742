"""What the parts of an app's data are called."""

from lime_desktop.host.wording.texts import Texts


def part_words(name: str, texts: Texts) -> str:
    """A part of an app's data in words; one that has none keeps its name."""
    words = texts(f"uninstall.part.{name}")
    return name if words == f"uninstall.part.{name}" else words
