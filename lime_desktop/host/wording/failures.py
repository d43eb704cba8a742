"""Why work failed, to a person: what the program says of this very failure, or in another language what kind it is of."""

from lime_desktop.host.wording.texts import DEFAULT_LOCALE, Texts


def failure_words(category: str | None, message: str | None, texts: Texts) -> str:
    """The words to show; messages are written in English, and say more where the person reads it."""
    key = f"failure.{category}"
    words = texts(key)
    is_known = words != key
    if is_known and (texts.locale != DEFAULT_LOCALE or not message):
        return words
    return message or ""
