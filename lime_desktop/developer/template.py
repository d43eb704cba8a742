"""What can a new app begin from? Imports nothing of weight: the command line lists them."""

from enum import StrEnum


class Template(StrEnum):
    """A folder of `resources/templates`."""

    PLAIN = "plain"
    """Pages without a build."""
    TYPESCRIPT = "typescript"
    """The same, written in TypeScript."""
    CHAT = "chat"
    """An expert to talk with, and a page that asks an agent."""
    WORKFLOW = "workflow"
    """A process with a person's review in it."""
