"""Values put into a text, with the space that Chinese writes between its characters and other letters or digits.

What is filled in may be of either script (an app is called Notes or 笔记), so the text alone cannot have the space
right: it is there or not by what stands on both sides of the seam.
"""

import re
from collections.abc import Mapping

_PLACE = re.compile(r"( ?)\{(\w+)\}( ?)")
_HAN = re.compile(r"[\u3400-\u9fff]")
_HAN_OR_SIGN = re.compile(r"[\u3400-\u9fff\u3000-\u303f\uff00-\uffef“”‘’…]")
_LETTER_OR_DIGIT = re.compile(r"[A-Za-z0-9]")


def fill(text: str, values: Mapping[str, object]) -> str:
    """The text with its places filled. Only seams with Chinese in the text are touched."""
    if _HAN.search(text) is None:
        return text.format_map(values)

    def put(place: re.Match[str]) -> str:
        before, after = text[: place.start()][-1:], text[place.end() :][:1]
        value = str(values[place[2]])
        head = _space(before, value[:1], is_written=bool(place[1]))
        tail = _space(after, value[-1:], is_written=bool(place[3]))
        return f"{head}{value}{tail}"

    return _PLACE.sub(put, text)


def _space(of_text: str, of_value: str, *, is_written: bool) -> str:
    if _HAN.match(of_text):
        if _HAN_OR_SIGN.match(of_value):
            return ""
        if _LETTER_OR_DIGIT.match(of_value):
            return " "
    return " " if is_written else ""
