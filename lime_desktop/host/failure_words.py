"""Why work failed, to a person: what the program says of this very failure, or in another language what kind it is of."""

from lime_desktop.host.texts import DEFAULT_LOCALE, Texts


def failure_words(
    category: str | None, message: str | None, texts: Texts, reason_code: str | None = None
) -> str:
    """The words to show; messages are written in English, and say more where the person reads it.

    In another language the closest words there are: of the reason, or else of the kind of failure.
    """
    if message and texts.locale == DEFAULT_LOCALE:
        return message
    keys = (
        *((f"failure.{reason_code}", f"model.obstacle.{reason_code}") if reason_code else ()),
        f"failure.{category}",
    )
    return next((words for key in keys if (words := texts(key)) != key), message or "")
