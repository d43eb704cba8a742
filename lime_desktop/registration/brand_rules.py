"""What a brand may be called and look like: the same rules when a product is made, and when an installed Lime Desktop is asked to be it."""

import re
import unicodedata
from urllib.parse import urlsplit

from lime_desktop.product import PRODUCT_ID, FileType, Product
from lime_desktop.registration import reserved

_MOST_WORDS = 60
_MOST_ID = 40
_SIGNS = frozenset(" .-_&'()+!,·")
_BUNDLE_PART = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?")
COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_SCHEME = re.compile(r"[a-z][a-z0-9-]{1,39}")
_EXTENSION = re.compile(r"[a-z0-9][a-z0-9-]{1,31}")


def id_of(bundle_id: str) -> str:
    """The one name that is safe as a folder, a program and a package: com.example.notes is example-notes."""
    parts = bundle_id.lower().split(".")
    return "-".join(parts[1:] if len(parts) > 2 else parts)


def is_bundle_id(text: str) -> bool:
    """Whether it names a product in a way that is safe everywhere."""
    parts = text.split(".")
    own = id_of(text)
    is_sound = len(parts) > 1 and all(_BUNDLE_PART.fullmatch(each) for each in parts)
    return is_sound and bool(PRODUCT_ID.fullmatch(own)) and len(own) <= _MOST_ID


def is_taken_id(bundle_id: str) -> bool:
    """Whether the product would be called like Lime Desktop, or like what lies beside a program."""
    own = id_of(bundle_id)
    is_limes = own.startswith("lime-desktop") or bundle_id.lower().startswith("lime.")
    return is_limes or own in reserved.IDS


def is_taken_name(name: str) -> bool:
    """Whether it is the name of the program that products run on."""
    return name.casefold() in reserved.NAMES


def is_plain_name(words: object) -> bool:
    """Whether menus, installers and terminals read it as what it is."""
    if not isinstance(words, str) or not 0 < len(words) <= _MOST_WORDS:
        return False
    is_normal = unicodedata.normalize("NFC", words) == words == words.strip()
    return is_normal and all(each.isalnum() or each in _SIGNS for each in words)


def is_own_scheme(text: str) -> bool:
    """Whether links may begin with it: it is one, and nobody else's."""
    return bool(_SCHEME.fullmatch(text)) and text not in reserved.SCHEMES


def is_own_extension(text: object) -> bool:
    """Whether files of a product may end with it: common ones belong to other programs."""
    is_sound = isinstance(text, str) and _EXTENSION.fullmatch(text)
    return bool(is_sound) and text not in reserved.EXTENSIONS


def is_https(text: str) -> bool:
    """Whether it is a whole https address."""
    if not text.isascii() or not text.isprintable() or " " in text or len(text) > 500:
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme == "https" and bool(parts.hostname) and not parts.username


def mime_type(own: str, extension: str) -> str:
    """The type of a product's own files."""
    return f"application/vnd.{own}.{extension}"


def broken_rule(product: Product) -> str:
    """Which field of a product's file breaks a rule; nothing where all hold."""
    held = {
        "bundleId": is_bundle_id(product.bundle_id) and not is_taken_id(product.bundle_id),
        "id": product.id == id_of(product.bundle_id),
        "name": is_plain_name(product.name) and not is_taken_name(product.name),
        "brandName": product.brand_name == product.name,
        "windowTitle": is_plain_name(product.window_title)
        and not is_taken_name(product.window_title),
        "scheme": is_own_scheme(product.scheme),
        "publisher": not product.publisher or is_plain_name(product.publisher),
        "accent": product.accent is None or bool(COLOUR.fullmatch(product.accent)),
        "supportUrl": product.support_url is None or is_https(product.support_url),
        "fileTypes": all(_is_sound_type(product.id, each) for each in product.file_types),
    }
    return next((field for field, holds in held.items() if not holds), "")


def _is_sound_type(own: str, each: FileType) -> bool:
    is_own = each.mime_type == mime_type(own, each.extension)
    return is_own and is_own_extension(each.extension) and is_plain_name(each.name)
