"""What has to happen for an app to start something, in a person's language."""

from lime_desktop.host.wording.joining import listed
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.workflow_model.triggers.trigger import Trigger


def trigger_words(trigger: Trigger, texts: Texts) -> str:
    """The event as a sentence."""
    name = plain_line(trigger.names)
    if trigger.kind == "storage":
        changes = listed(texts, (texts(f"trigger.change.{each}") for each in _ordered(trigger)))
        place = "rows" if trigger.is_table else "keys"
        return texts(f"trigger.on.storage.{place}", name=name, changes=changes)
    if trigger.kind == "folder" and trigger.names == "*":
        return texts("trigger.on.folder.any")
    return texts(f"trigger.on.{trigger.kind}", name=name)


def _ordered(trigger: Trigger) -> list[str]:
    return [each for each in ("insert", "update", "set", "delete") if each in trigger.changes]
