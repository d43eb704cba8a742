"""The language of this terminal."""

import locale

from lime_desktop.host.wording.texts import Texts, read_texts
from lime_desktop.resources import resources_folder


def words() -> Texts:
    """The product's texts in the language of this terminal."""
    wanted = locale.getlocale()[0] or "en"
    return read_texts(resources_folder() / "locales", [wanted])
