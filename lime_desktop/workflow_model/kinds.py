"""The kinds of states that a workflow may have: declared here and nowhere else."""

from collections.abc import Mapping
from enum import StrEnum


class StateKind(StrEnum):
    """What a state does. The specification names nine; its own examples, and we, use the others."""

    START = "start"
    AGENT_TASK = "agent-task"
    TOOL_CALL = "tool-call"
    HUMAN_REVIEW = "human-review"
    USER_INPUT = "user-input"
    STORAGE_WRITE = "storage-write"
    ARTIFACT_CREATE = "artifact-create"
    KNOWLEDGE_SEARCH = "knowledge-search"
    EVAL = "eval"
    EVIDENCE_RECORD = "evidence-record"
    BRANCH = "branch"
    PARALLEL = "parallel"
    WAIT = "wait"
    SUB_WORKFLOW = "sub-workflow"
    END = "end"


KNOWN_STATE_KINDS = frozenset(kind.value for kind in StateKind)
PAUSES = frozenset({StateKind.WAIT, StateKind.HUMAN_REVIEW, StateKind.USER_INPUT})
"""Kinds that wait for time, an event or a person: a circle through one cannot spin."""
WITHOUT_OUTPUT = frozenset({StateKind.START, StateKind.BRANCH, StateKind.END})
"""Kinds that only lead on: there is nothing of them to read."""
NEEDED_CAPABILITIES: Mapping[StateKind, str] = {
    StateKind.AGENT_TASK: "lime.agent",
    StateKind.STORAGE_WRITE: "lime.storage",
    StateKind.ARTIFACT_CREATE: "lime.artifacts",
    StateKind.KNOWLEDGE_SEARCH: "lime.knowledge",
    StateKind.EVIDENCE_RECORD: "lime.evidence",
}
"""What an app declares for a kind that makes a call of its: without it the state is refused whenever a run comes to it."""
