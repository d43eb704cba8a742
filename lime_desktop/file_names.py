"""How a file gets its name: the one place where words of an app, a site, a server or a person become part of a path.

Three ways, for three needs. None ever gives a name that leads elsewhere, means a device, or differs from itself on
another system:

- `stored_name`: where something is kept under an identity. Different identities never share a name, on systems that
  take upper and lower case or composed letters for one another too.
- `shown_name`, `last_name`: what a person sees and may change. Close to what was meant; two may be alike, so it needs a
  folder of its own or a question.
- `plain_name`: an identity that has been checked to be a name already, and stays as it is.

Pure, and below everything: every package may ask.
"""

import hashlib
import re
import unicodedata
from urllib.parse import unquote

_READABLE_CHARACTERS = 40
_SHOWN_BYTES = 200
"""File systems take 255; something is often put before or behind."""
_PLAIN_CHARACTERS = 120
_UNFIT = re.compile(r'[<>:"/\\|?*]')
# A device name stays a device with any extension: `nul.txt` is `NUL`.
_DEVICE = re.compile(
    r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)\s*(\..*)?", re.IGNORECASE
)
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Controls, marks that turn a name around or are not seen, halves of letters, ends of lines."""


class UnfitName(ValueError):
    """This can't be the name of a file as it stands."""


def stored_name(identity: str, ending: str = "") -> str:
    """A name that is one identity's alone: a readable part, then a hash of the whole; `ending` is the program's own."""
    readable = re.sub(r"[^a-z0-9]+", "-", identity.lower()).strip("-")[:_READABLE_CHARACTERS]
    digest = hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return f"{readable or 'app'}-{digest}{ending}"


def shown_name(title: str, ending: str = "", *, otherwise: str = "file") -> str:
    """A name to show or propose for something with a title, without what misleads a person or a file system."""
    visible = "".join(map(_visible, unicodedata.normalize("NFC", title)))
    named = _UNFIT.sub("_", visible).strip(" .") or otherwise
    whole = f"{named}{ending}"
    return _shortened(f"_{whole}" if _DEVICE.fullmatch(whole) else whole)


def last_name(location: str) -> str:
    """The same for something at a path or an address, whose last part is its name."""
    last = unquote(location, errors="replace").replace("\\", "/").rstrip("/").rpartition("/")[2]
    return shown_name(last, otherwise="download")


def is_plain_name(text: str) -> bool:
    """Whether a text can be a name everywhere just as it is."""
    is_plain = len(text) <= _PLAIN_CHARACTERS and _PLAIN.fullmatch(text) is not None
    return is_plain and not text.endswith(".") and _DEVICE.fullmatch(text) is None


def plain_name(text: str) -> str:
    """The text itself, where it can be a name everywhere.

    Raises:
        UnfitName: it can't.
    """
    if not is_plain_name(text):
        raise UnfitName("not a plain name")
    return text


def is_hidden(character: str) -> bool:
    """Whether a character is not seen, or changes how others are seen."""
    return unicodedata.category(character) in _HIDDEN_CATEGORIES


def _visible(character: str) -> str:
    return "_" if is_hidden(character) else character


def _shortened(name: str) -> str:
    """At most so many bytes, and the ending stays: it says what the file is."""
    if len(name.encode()) <= _SHOWN_BYTES:
        return name
    stem, dot, ending = name.rpartition(".")
    if not dot or len(ending.encode()) > 20:
        stem, dot, ending = name, "", ""
    room = _SHOWN_BYTES - len(f"{dot}{ending}".encode())
    return f"{stem.encode()[:room].decode(errors='ignore').rstrip(' .')}{dot}{ending}"
