"""Which known name did somebody probably mean?"""

from collections.abc import Iterable

_LONGEST = 80
"""Longer names are no slips of the hand, and comparing them takes its time."""
_LIKENESS = 0.8


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that this one is a misspelling of, if it is one."""
    if len(name) > _LONGEST:
        return None
    import difflib  # noqa: PLC0415 - every command starts by way of here, and few are misspelt

    # Case alone is the commonest slip, and difflib counts each letter of it.
    by_small = {each.lower(): each for each in known}
    found = difflib.get_close_matches(name.lower(), by_small, n=1, cutoff=_LIKENESS)
    return by_small[found[0]] if found and by_small[found[0]] != name else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The question as a sentence with a space before it, or nothing."""
    found = nearest(name, known)
    return f" Did you mean {found}?" if found else ""
