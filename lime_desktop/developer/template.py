"""What can a new app begin from? Imports nothing of weight: the command line lists them."""

from collections.abc import Mapping
from enum import StrEnum


class Template(StrEnum):
    """A folder of `resources/templates`."""

    PLAIN = "plain"
    TYPESCRIPT = "typescript"
    REACT = "react"
    VUE = "vue"
    CHAT = "chat"
    WORKFLOW = "workflow"
    BACKEND_PYTHON = "backend-python"

    @property
    def about(self) -> str:
        """What it is, in a few words."""
        return _ABOUT[self]

    @property
    def is_built(self) -> bool:
        """Whether its pages are made by a bundler with a dev server, which has to be installed first."""
        return self in {Template.REACT, Template.VUE}

    @property
    def layers(self) -> tuple[str, ...]:
        """The folders that it is made of, later ones over earlier ones."""
        return ("every", "vite", self.value) if self.is_built else ("every", self.value)

    @property
    def words(self) -> Mapping[str, str]:
        """What stands for it in files that it shares with others."""
        return _WORDS.get(self, {})


_WORDS = {
    Template.REACT: {"framework": "React", "main": "main.tsx"},
    Template.VUE: {"framework": "Vue", "main": "main.ts"},
}
_ABOUT = {
    Template.PLAIN: "pages without a build",
    Template.TYPESCRIPT: "the same in TypeScript",
    Template.REACT: "React with Vite, shown while you save",
    Template.VUE: "Vue with Vite, shown while you save",
    Template.CHAT: "an expert to talk with, and a page that asks an agent",
    Template.WORKFLOW: "a business process: a limit, a review by exception, a receipt",
    Template.BACKEND_PYTHON: "a page, and a Python program in the sandbox that works for it",
}
