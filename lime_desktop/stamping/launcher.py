"""What a product without a runtime starts with: a script of the system's shell with the product's needs and words in it, and a page for people whose desktop has no dialog."""

import re
import shlex
from collections.abc import Iterator
from html import escape

from lime_desktop.executables import WITHOUT_WINDOW
from lime_desktop.host.wording.texts import PRODUCT_NAME, TextTable, read_texts
from lime_desktop.registration.version_ranges import upper_end
from lime_desktop.resources import resources_folder
from lime_desktop.stamping.brand import Brand
from lime_desktop.stamping.runtime_needs import RuntimeNeeds

PAGE = "needs-lime.html"
_PLACE = re.compile(r"@[A-Z_]+@")
_SCRIPT = "launcher/runtime-backed.sh"
_PREFIX = "launcher."
_NOT_AT_START = (f"{_PREFIX}range.", f"{_PREFIX}page.")
_LANGUAGES = {"en": "en", "zh": "zh-CN"}
"""As the script tells them apart, and as the tables are called."""
_LATER = {"version": "xVERSIONx", "file": "xFILEx"}
"""What only the start knows. Letters, so that Chinese has its spaces around them."""


def launcher_script(brand: Brand, needs: RuntimeNeeds) -> str:
    """The script; nothing in it that a package says is code there."""
    required = needs.required
    releases = (f"{each.program_sha256}:{each.sidecar_sha256}" for each in needs.releases)
    said = {
        "@ID@": brand.id,
        # In a comment: one line of letters, as names are.
        "@NAME@": brand.name,
        "@SAID_NAME@": shlex.quote(brand.name),
        "@SCHEME@": shlex.quote(brand.scheme),
        "@LINK@": shlex.quote(needs.link),
        "@LOWEST@": shlex.quote(required.min_version),
        "@HIGHEST@": shlex.quote(required.max_version or ""),
        "@SIDECAR@": shlex.quote(WITHOUT_WINDOW),
        "@PLATFORMS@": shlex.quote(" ".join(needs.platforms)),
        "@VERIFIED@": "yes" if needs.is_hash_required else "''",
        "@RELEASES@": shlex.quote(" ".join(releases)),
        "@WORDS@": "\n".join(_words(brand, needs)),
    }
    text = (resources_folder() / _SCRIPT).read_text("utf-8")
    # In one go: what is filled in is not looked at again.
    return _PLACE.sub(lambda place: said[place[0]], text)


def _words(brand: Brand, needs: RuntimeNeeds) -> Iterator[str]:
    for language, locale in _LANGUAGES.items():
        texts = _texts(locale)
        values = _values(texts, brand, needs)
        keys = (each for each in texts.table if each.startswith(_PREFIX))
        for key in sorted(each for each in keys if not each.startswith(_NOT_AT_START)):
            text = texts(key, **values)
            name = key.removeprefix(_PREFIX)
            yield f"    {language}:{name}) printf '%s' {shlex.quote(text)} ;;"


def _values(texts: TextTable, brand: Brand, needs: RuntimeNeeds) -> dict[str, str]:
    lowest, highest = needs.required.min_version, needs.required.max_version
    wanted = texts(f"{_PREFIX}range.open", lowest=lowest)
    if highest is not None:
        wanted = texts(f"{_PREFIX}range.closed", lowest=lowest, highest=upper_end(highest))
    return {
        "product": brand.name,
        "runtime": PRODUCT_NAME,
        "range": wanted,
        "link": needs.link,
        "sidecar": WITHOUT_WINDOW,
        **_LATER,
    }


def _texts(locale: str) -> TextTable:
    return read_texts(resources_folder() / "locales", [locale])


def missing_page(brand: Brand, needs: RuntimeNeeds) -> str:
    """A page of both languages that loads nothing from anywhere."""
    parts: list[str] = []
    for locale in _LANGUAGES.values():
        texts, values = _texts(locale), _values(_texts(locale), brand, needs)
        said = [texts(f"{_PREFIX}runtime-missing{part}", **values) for part in ("", "-advice")]
        link = texts(f"{_PREFIX}get-button", **values)
        check = texts(f"{_PREFIX}page.check")
        parts.append(
            f'<section lang="{locale}"><p>{escape(said[0])}</p><p>{escape(said[1])}</p>'
            f'<p><a href="{escape(needs.link)}">{escape(link)}</a></p>'
            f"<p>{escape(check)} <code>{brand.id} --check</code></p></section>"
        )
    style = "body{font:16px/1.6 sans-serif;max-width:40em;margin:4em auto;padding:0 1em}"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(brand.name)}</title>'
        f"<style>{style}</style></head><body><h1>{escape(brand.name)}</h1>{''.join(parts)}</body></html>\n"
    )
