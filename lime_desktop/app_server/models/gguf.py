"""What a GGUF file says about itself, read from its head alone. Untrusted: every length is bounded."""

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_MAX_FIELDS = 4_096
_MAX_TEXT = 1 << 20
_MAX_ITEMS = 1 << 20
_TEXT, _LIST = 8, 9
_NUMBERS = {
    0: "<B",
    1: "<b",
    2: "<H",
    3: "<h",
    4: "<I",
    5: "<i",
    6: "<f",
    7: "<?",
    10: "<Q",
    11: "<q",
    12: "<d",
}


class NotGgufError(Exception):
    """The file is no GGUF file, or its head is damaged."""


@dataclass(frozen=True, slots=True)
class GgufHead:
    """The few facts that are used."""

    architecture: str
    name: str | None
    context_tokens: int | None
    """How much text the model was made for."""
    has_chat_template: bool


def read_head(path: Path) -> GgufHead:
    """Read the head of a file.

    Raises:
        NotGgufError: it is something else, or damaged.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        try:
            fields = _read_fields(file)
        except (struct.error, UnicodeDecodeError) as error:
            raise NotGgufError("The head of the file is damaged.") from error
    architecture = fields.get("general.architecture")
    if not isinstance(architecture, str):
        raise NotGgufError("The file does not say what kind of model it holds.")
    name = fields.get("general.name")
    context = fields.get(f"{architecture}.context_length")
    return GgufHead(
        architecture=architecture,
        name=name if isinstance(name, str) and name.strip() else None,
        context_tokens=context if isinstance(context, int) and context > 0 else None,
        has_chat_template=isinstance(fields.get("tokenizer.chat_template"), str),
    )


def _read_fields(file: BinaryIO) -> dict[str, object]:
    if file.read(4) != _MAGIC:
        raise NotGgufError("This is not a GGUF file.")
    version = _number(file, "<I")
    if version not in _VERSIONS:
        raise NotGgufError(f"GGUF version {version} is not known.")
    _number(file, "<Q")  # how many tensors
    count = _bounded(_number(file, "<Q"), _MAX_FIELDS)
    fields: dict[str, object] = {}
    for _ in range(count):
        key = _text(file)
        fields[key] = _value(file, int(_number(file, "<I")))
    return fields


def _value(file: BinaryIO, kind: int) -> object:
    if kind == _TEXT:
        return _text(file)
    if kind == _LIST:
        return _skip_list(file)
    if kind not in _NUMBERS:
        raise NotGgufError("The head of the file holds a value of an unknown kind.")
    return _number(file, _NUMBERS[kind])


def _skip_list(file: BinaryIO) -> None:
    """Vocabularies are long and not needed here."""
    kind = int(_number(file, "<I"))
    count = _bounded(_number(file, "<Q"), _MAX_ITEMS)
    if kind in _NUMBERS:
        file.seek(count * struct.calcsize(_NUMBERS[kind]), 1)
        return
    if kind != _TEXT:
        raise NotGgufError("The head of the file holds a list of an unknown kind.")
    for _ in range(count):
        file.seek(_bounded(_number(file, "<Q"), _MAX_TEXT), 1)


def _text(file: BinaryIO) -> str:
    length = _bounded(_number(file, "<Q"), _MAX_TEXT)
    raw = file.read(length)
    if len(raw) < length:
        raise NotGgufError("The file ends in the middle of its head.")
    return raw.decode("utf-8")


def _number(file: BinaryIO, form: str) -> float:
    return struct.unpack(form, file.read(struct.calcsize(form)))[0]


def _bounded(value: float, most: int) -> int:
    if not 0 <= value <= most:
        raise NotGgufError("The head of the file names an impossible length.")
    return int(value)
