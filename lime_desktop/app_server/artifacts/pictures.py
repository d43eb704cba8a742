"""A deliverable that holds a picture of itself, as that picture. Pure: content in, bytes out.

What an app drew must not run where a person opens the file. A PNG cannot; of an SVG only shapes and words are let
through, never a script, a link or anything from elsewhere.
"""

import base64
import binascii
from collections.abc import Mapping
from xml.etree import ElementTree

from pydantic import JsonValue

from lime_desktop.protocol.errors import InvalidInput

_MOST_BYTES = 16 * 1024 * 1024
_PNG = b"\x89PNG\r\n\x1a\n"
_NAMESPACE = "{http://www.w3.org/2000/svg}"
_SHAPES = frozenset(
    {
        "svg",
        "g",
        "title",
        "desc",
        "rect",
        "circle",
        "ellipse",
        "line",
        "polyline",
        "polygon",
        "path",
        "text",
        "tspan",
    }
)
_ATTRIBUTES = frozenset(
    {
        "viewBox",
        "width",
        "height",
        "x",
        "y",
        "x1",
        "y1",
        "x2",
        "y2",
        "dx",
        "dy",
        "cx",
        "cy",
        "r",
        "rx",
        "ry",
        "d",
        "points",
        "transform",
        "fill",
        "stroke",
        "stroke-width",
        "stroke-linecap",
        "stroke-linejoin",
        "stroke-dasharray",
        "opacity",
        "fill-opacity",
        "font-family",
        "font-size",
        "font-weight",
        "text-anchor",
        "dominant-baseline",
        "role",
        "aria-label",
        "preserveAspectRatio",
    }
)


def png(content: JsonValue, _: str) -> bytes:
    """The picture that the content holds as `png`, in base64.

    Raises:
        InvalidInput: there is none, or it is something else.
    """
    try:
        body = base64.b64decode(_field(content, "png"), validate=True)
    except (binascii.Error, ValueError):
        raise _no_picture("png") from None
    if not body.startswith(_PNG) or len(body) > _MOST_BYTES:
        raise _no_picture("png")
    return body


def svg(content: JsonValue, _: str) -> bytes:
    """The drawing that the content holds as `svg`.

    Raises:
        InvalidInput: there is none, or it holds more than shapes and words.
    """
    text = _field(content, "svg")
    # No declarations: entities are all that could make a small text large, or read another file.
    if "<!" in text or "<?" in text or len(text) > _MOST_BYTES:
        raise _no_picture("svg")
    try:
        root = ElementTree.fromstring(text)  # noqa: S314 - without declarations there are no entities
    except ElementTree.ParseError:
        raise _no_picture("svg") from None
    if root.tag != f"{_NAMESPACE}svg" or not all(map(_is_shape, root.iter())):
        raise _no_picture("svg")
    return text.encode()


def _is_shape(element: ElementTree.Element) -> bool:
    is_known = element.tag.removeprefix(_NAMESPACE) in _SHAPES and element.tag.startswith(
        _NAMESPACE
    )
    return is_known and all(
        name in _ATTRIBUTES and "url(" not in value.lower() for name, value in element.items()
    )


def _field(content: JsonValue, name: str) -> str:
    found = content.get(name) if isinstance(content, Mapping) else None
    if not isinstance(found, str):
        raise _no_picture(name)
    return found


def _no_picture(name: str) -> InvalidInput:
    return InvalidInput.at_fields([(f"content.{name}", "not_a_picture")])
