"""Somebody else's words as a person may safely read them: plain, bounded, and showing what they would hide.

Titles, reasons, labels and addresses come from packages, pages, tool servers and models. Whatever draws or prints them
takes them through here, so that no text can forge a line, turn its direction, hide letters, or pass for another name.
Knows no widget and no terminal; whether markup is read as such is for whoever draws.
"""

import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import SplitResult, urlsplit

LINE = 300
"""So many characters of one line are shown."""
NAME = 80
"""So many of a name."""
TEXT = 4_000
"""So many of a text of several lines."""
ADDRESS = 200
"""So many of an address."""

_CUT = "…"
_MOST_MARKS = 3
"""Accents on one letter; more would be drawn over the lines above and below."""
_BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Drawn as nothing, though they count as letters, marks or signs."""
_JOINERS = "\u200c\u200d"
_JOINED_SCRIPTS = frozenset(
    {"ARABIC", "BENGALI", "DEVANAGARI", "GUJARATI", "GURMUKHI", "KANNADA", "MALAYALAM", "ORIYA"}
    | {"SINHALA", "SYRIAC", "TAMIL", "TELUGU", "MONGOLIAN", "KHMER"}
)
"""Scripts that cannot be written without joiners."""
_WRITTEN_TOGETHER = frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL"})
"""Words of these mix with Latin letters in every honest text."""
_LOOK_LATIN = frozenset("асԁеғһіјкӏмոорԛѕтυνԝхуάαικνορτυχγ" + "АВСЕНІЈКМОРЅТХУΑΒΕΖΗΙΚΜΝΟΡΤΥΧ")
"""Cyrillic, Greek and Armenian letters that a person reads as Latin ones."""
_PLAIN = re.compile(
    "[ -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u058f\u2010-\u2027\u2030-\u205e\u20a0-\u20cf"
    "\u2100-\u27ff\u3000-\u3029\u3030-\u3098\u309b-\u3163\u3165-\ua4cf\uac00-\ud7a3\uff01-\uff9f]*"
)
"""What is plain whatever stands beside it: nearly every line is nothing else."""
_WORD = re.compile(r"[^\W\d_]+")


def plain_line(text: str, most: int = LINE) -> str:
    """One line: no line breaks, no control or hidden characters, no longer than `most`."""
    return _bounded(_plain(" ".join(_beginning(text, most).split())), most)


def plain_text(text: str, most: int = TEXT) -> str:
    """Several lines, each plain; as many as fit."""
    lines = _beginning(text, most).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return _bounded("\n".join(_plain(line.replace("\t", "    ")) for line in lines), most)


def visible_line(text: str, most: int = LINE) -> str:
    """A text that stays as it is, its spaces too, with everything visible that would break or turn its line."""
    return _bounded(_plain(_beginning(text, most)), most)


def plain_name(text: str, most: int = NAME) -> str:
    """A name in one line; letters that would make it pass for another name are named behind it."""
    strange = strange_letters(text[:most])
    shown = plain_line(text, most)
    return f"{shown} ⟨{strange}⟩" if strange else shown


def strange_letters(name: str) -> str:
    """Which letters of a name are not what they look like, such as `о: Cyrillic`; empty for an honest name."""
    found: dict[str, str] = {}
    for word in _WORD.findall(name):
        found |= dict(_odd_letters(word))
    return ", ".join(f"{letter}: {script.capitalize()}" for letter, script in found.items())


def plain_address(url: str, most: int = ADDRESS) -> str:
    """An address that says where it leads: its host as the network knows it, and the rest shortened.

    Whoever stands before an `@` is no host, and is set apart; letters that only look Latin are written as the network
    writes them (`xn--…`).
    """
    try:
        parts = urlsplit(url)
        host = address_host(url)
    except ValueError:
        return plain_line(url, most)
    if not host:
        return plain_line(url, most)
    user = f"⟨{plain_line(_user_of(parts), 24)}⟩@" if parts.username is not None else ""
    rest = url.partition("://")[2].partition(parts.netloc)[2] if parts.netloc else ""
    shown_rest = plain_line(rest, max(most - len(host) - len(user), 40)).replace(" ", "%20")
    return f"{parts.scheme}://{user}{host}{shown_rest}"


def address_host(url: str) -> str:
    """The host and port of an address as the network knows them; empty where it names none.

    Raises:
        ValueError: it is no address.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    if not host.isascii():
        host = host.encode("idna").decode("ascii")
    port = f":{parts.port}" if parts.port is not None else ""
    return plain_line(f"[{host}]{port}" if ":" in host else f"{host}{port}", 255)


def _user_of(parts: SplitResult) -> str:
    return parts.netloc.rpartition("@")[0].partition(":")[0]


def _beginning(text: str, most: int) -> str:
    """What is looked at letter by letter: a text may be megabytes long."""
    return text if len(text) <= 4 * most else f"{text[: 4 * most]}{_CUT}"


def _bounded(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}{_CUT}"


def _plain(line: str) -> str:
    return line if _PLAIN.fullmatch(line) else "".join(_shown(line))


def _shown(line: str) -> Iterator[str]:
    marks = 0
    for index, character in enumerate(line):
        if character.isascii() and character.isprintable():
            marks = 0
            yield character
            continue
        category = unicodedata.category(character)
        marks = marks + 1 if category in {"Mn", "Me"} else 0
        if category == "Zs":
            # Not the wide space of Chinese text: it looks like what it is.
            yield character if character == "\u3000" else " "
        elif marks > _MOST_MARKS or not _is_seen(character, category, line, index):
            yield _escaped(character)
        else:
            yield character


def _is_seen(character: str, category: str, line: str, index: int) -> bool:
    if character in _JOINERS or "\ufe00" <= character <= "\ufe0f":
        return _is_joined(line[max(index - 2, 0) : index])
    is_drawn = not category.startswith("C") and category not in {"Zl", "Zp"}
    return is_drawn and character not in _BLANK_LETTERS


def _is_joined(before: str) -> bool:
    """Whether a joiner or a choice of form follows something that has forms: a picture, or a letter that joins."""
    return any(
        unicodedata.category(each) in {"So", "Sk"} or each in "#*0123456789" or _joins(each)
        for each in before[-2:]
    )


def _joins(letter: str) -> bool:
    return _script_of(letter) in _JOINED_SCRIPTS


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def _odd_letters(word: str) -> Iterator[tuple[str, str]]:
    scripts = {letter: _script_of(letter) for letter in word}
    kinds = set(scripts.values()) - _WRITTEN_TOGETHER
    if "LATIN" in kinds and len(kinds) > 1:
        for letter, kind in scripts.items():
            if kind in kinds and kind != "LATIN":
                yield letter, kind
    elif "LATIN" not in kinds and len(word) > 1 and all(map(_passes_for_latin, word)):
        yield from scripts.items()


def _passes_for_latin(letter: str) -> bool:
    styled = unicodedata.normalize("NFKC", letter)
    is_styled = letter != styled and styled.isascii() and not "\uff00" <= letter <= "\uffef"
    return letter in _LOOK_LATIN or is_styled


def _script_of(letter: str) -> str:
    """The first word of a letter's name, which is its script."""
    return unicodedata.name(letter, "UNNAMED").partition(" ")[0]
