"""The name that a person reads above a field: what the app's schema calls it, else the field's own name in plain words."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lime_desktop.host.appearance.package_face import in_language
from lime_desktop.host.wording.actions import readable_name
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.runtime.threads import FieldTitle

_TITLED = {
    **{each: each for each in ("headline", "title", "subject", "summary", "text")},
    **dict.fromkeys(("markdown", "md"), "text"),
}
"""Fields that most apps have, by the name of their title in the texts."""


@dataclass(frozen=True, slots=True)
class FieldTitles:
    """The titles of one content, or of a part of it."""

    texts: Texts
    given: Sequence[FieldTitle] = ()
    """What the app calls its fields, by their path."""
    under: str = ""

    def within(self, name: str) -> "FieldTitles":
        """Those of what stands in a field."""
        return replace(self, under=f"{self.under}{name}/")

    def of(self, name: str) -> str:
        """The title of a field."""
        path = f"{self.under}{name}"
        for each in self.given:
            if each.path == path:
                return in_language(each.by_language, self.texts.locale) or each.title
        if (known := _TITLED.get(name)) is not None:
            return self.texts(f"asking.field.{known}")
        words = readable_name(name)
        return words[:1].upper() + words[1:]
