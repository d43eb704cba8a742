"""Which rows does a developer want to see? Words that all must be there, some of them with a meaning of their own.

`is:refused`, `is:asked`, `is:open` and `is:pushed` speak of how a row stands, `rule:` of the rule behind it; every other
word is looked for in its name, its codes and what was said.
"""

import json
from collections.abc import Callable, Mapping

from lime_desktop.developer.inspection.exchanges import Exchange

_STATES: Mapping[str, Callable[[Exchange], bool]] = {
    "refused": lambda row: row.is_refused,
    "asked": lambda row: row.decision == "ask",
    "open": lambda row: row.direction == "from-app" and row.outcome is None,
    "pushed": lambda row: row.direction == "to-app",
}


def matches(row: Exchange, wanted: str) -> bool:
    """Whether a row has every word."""
    return all(_has(row, word) for word in wanted.lower().split())


def _has(row: Exchange, word: str) -> bool:
    kind, separator, rest = word.partition(":")
    if separator and kind == "is" and rest in _STATES:
        return _STATES[rest](row)
    if separator and kind == "rule":
        return row.rule is not None and rest in row.rule.id.lower()
    return word in _words(row)


def _words(row: Exchange) -> str:
    facts = (row.type, row.call, row.outcome, row.decision, row.trace_id, row.evidence_id)
    said = json.dumps([row.message, row.answer], ensure_ascii=False)
    return f"{' '.join(filter(None, facts))} {said}".lower()
