"""A text's key with its values, to be put into words once the language is known."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from lime_desktop.host.app_center.records.recalls import said_in
from lime_desktop.host.wording.joining import listed
from lime_desktop.host.wording.problems import words_for_code
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_line


@dataclass(frozen=True, slots=True)
class DeferredText:
    """A key of the shell's texts, and what goes into it."""

    key: str
    values: Mapping[str, str] = field(default_factory=dict[str, str])
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """What goes into it as several things, joined as the language joins them."""
    by_language: Mapping[str, Mapping[str, str]] = field(
        default_factory=dict[str, Mapping[str, str]]
    )
    """What goes into it in others' words, as far as they gave them in the person's language."""
    problem: str | None = None
    """The code of the problem that is the `reason` among the values, where it is one of the catalogue's."""

    def words(self, texts: Texts) -> str:
        """The sentence in the person's language."""
        values = {**self.values, **{name: listed(texts, each) for name, each in self.lists.items()}}
        for name, said in self.by_language.items():
            values[name] = plain_line(said_in(said, texts.locale))
        if self.problem is not None:
            values["reason"] = words_for_code(self.problem, self.values["reason"], texts)
        return texts(self.key, **values)
