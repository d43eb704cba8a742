"""The rules of whoever governs here, one line each: what it says, and what becomes of a call it speaks of."""

from PySide6.QtWidgets import QWidget

from lime_desktop.host.wording.texts import Texts
from lime_desktop.policy.policy_file import PolicyFile
from lime_desktop.policy.rules import Effect
from lime_desktop.shell.settings.section import group
from lime_desktop.shell.widgets.parts import Tone, label, pill, row

_TONES: dict[Effect, Tone] = {
    "deny": "danger",
    "ask": "warning",
    "audit": "info",
    "allow": "ok",
}


def rules_group(title: str, policy: PolicyFile, texts: Texts) -> QWidget:
    """A card with every rule and what holds for everything else, or with a word that there is none."""
    rest = texts("settings.organisation.rule.rest")
    lines = [
        *(_line(rule.ref.text, rule.effect, texts) for rule in policy.rules),
        *(_line(rest, default.effect, texts) for default in policy.defaults),
    ]
    none = label(texts("settings.organisation.rules.none"), "muted")
    return group(title, *(lines or [none]))


def _line(words: str, effect: Effect, texts: Texts) -> QWidget:
    state = pill(texts(f"settings.organisation.rule.{effect}"), _TONES[effect])
    return row(label(words), state, stretch_at=0)
