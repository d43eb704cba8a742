"""A command line as people read it: the program by its own name, then every word. Paths of this machine stay out."""

from collections.abc import Sequence

_MOST_SHOWN = 4_000
"""Characters after the program's name; nobody reads more before they decide."""


def program_name(words: Sequence[str]) -> str:
    """What a program is called, without where it lies."""
    return words[0].replace("\\", "/").rpartition("/")[2]


def shown_words(words: Sequence[str]) -> tuple[str, ...]:
    """The whole command line; of one that nobody could read, its beginning and how much more there is."""
    if not words:
        return ()
    room = _MOST_SHOWN
    shown: list[str] = []
    for word in words[1:]:
        shown.append(word[:room])
        room -= len(word)
        if room < 0:
            left = sum(map(len, words[1:])) - _MOST_SHOWN
            shown.append(f"… ({left} more characters)")
            break
    return (program_name(words), *shown)
