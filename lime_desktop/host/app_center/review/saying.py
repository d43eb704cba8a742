"""Something to be said to a person, before it is known in which language."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from lime_desktop.host.texts import Texts


@dataclass(frozen=True, slots=True)
class Said:
    """A key of the shell's texts, and what goes into it."""

    key: str
    values: Mapping[str, str] = field(default_factory=dict[str, str])

    def words(self, texts: Texts) -> str:
        """The sentence in the person's language."""
        return texts(self.key, **self.values)
