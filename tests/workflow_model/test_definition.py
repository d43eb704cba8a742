"""Definitions of every kind are built, and each flaw is found with its place (the standard names kinds and recovery; the rest is ours)."""

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lime_desktop.workflow_model import states
from lime_desktop.workflow_model.definition import DescribedWorkflow, definition_from
from lime_desktop.workflow_model.drawing import draw
from lime_desktop.workflow_model.flaws import FlawKind
from lime_desktop.workflow_model.kinds import KNOWN_STATE_KINDS
from lime_desktop.workflow_model.recovery import Do, GoTo, Retry

RECOVERY = {
    "onTimeout": "retry_with_longer_timeout",
    "onError": "show_error_and_allow_retry",
    "maxRetries": 3,
    "saveCheckpoint": True,
}
EVERY_KIND: list[dict[str, object]] = [
    {"key": "begin", "kind": "start", "next": "ask"},
    {
        "key": "ask",
        "kind": "user-input",
        "form": {"type": "object", "properties": {"topic": {"type": "string"}}},
        "deadline": "3d",
        "onDeadline": "fail",
        "next": "search",
    },
    {"key": "search", "kind": "knowledge-search", "query": "$.states.ask.output.topic", "topK": 3, "next": "write"},
    {
        "key": "write",
        "kind": "agent-task",
        "prompt": "Write on ${ $.states.ask.output.topic } with ${ $.states.search.output }",
        "timeout": "60s",
        "retry": {"max": 2, "wait": "1s", "factor": 3, "longest": "30s"},
        "onError": "show_error_and_retry",
        "next": "fork",
    },
    {"key": "fork", "kind": "parallel", "branches": ["judge", "look-up"], "next": "review"},
    {"key": "judge", "kind": "eval", "eval": "tone", "subject": "$.states.write.output"},
    {"key": "look-up", "kind": "tool-call", "uses": ["dictionary"], "input": {"word": "$.input.word"}, "next": "review"},
    {
        "key": "review",
        "kind": "human-review",
        "content": {"draft": "$.states.write.output", "verdict": "$.states.judge.output"},
        "next": {"approve": "choose", "modify": "write", "reject": "end"},
    },
    {
        "key": "choose",
        "kind": "branch",
        "cases": [{"when": "length($.input.list) > 0", "next": "each"}, {"else": "keep"}],
    },
    {"key": "each", "kind": "parallel", "over": "$.input.list", "do": "note", "limit": 4, "next": "keep"},
    {"key": "note", "kind": "evidence-record", "event": "noted", "data": {"item": "$.item"}},
    {"key": "keep", "kind": "storage-write", "table": "posts", "value": "$.states.review.output", "mode": "insert", "next": "make"},
    {
        "key": "make",
        "kind": "artifact-create",
        "artifactKind": "post",
        "artifactTitle": "Post ${ $.run.id }",
        "content": "$.states.review.output",
        "compensate": {"uses": ["dictionary"], "input": {"id": "$.states.keep.output.id"}},
        "next": "rest",
    },
    {"key": "rest", "kind": "wait", "for": "2h", "next": "inner"},
    {"key": "inner", "kind": "sub-workflow", "workflow": "publish", "input": {"post": "$.states.make.output"}, "next": "done"},
    {"key": "done", "kind": "end", "status": "succeeded", "output": "$.states.inner.output"},
]  # fmt: skip


DECLARED = {
    "tool": ["dictionary", "t"],
    "entry": ["writer"],
    "eval": ["tone"],
    "knowledge": ["handbook"],
    "workflow": ["publish"],
}


def described(*listed: Mapping[str, object], **fields: object) -> DescribedWorkflow:
    written = {"states": list(listed), "recovery": RECOVERY, **fields}
    return definition_from(
        written, key="w", is_schema=lambda schema: "bad" not in schema, declared=DECLARED
    )


def flaws(
    *listed: Mapping[str, object], **fields: object
) -> list[tuple[str, tuple[str | int, ...]]]:
    return [(each.kind.value, each.path) for each in described(*listed, **fields).flaws]


def test_a_definition_with_every_kind_of_state_is_whole() -> None:
    found = described(*EVERY_KIND, outputs={"post": "$.states.make.output"}, timeoutMs=5_000)
    assert found.flaws == ()
    made = found.definition
    assert made is not None
    assert {each.kind.value for each in made.states.values()} == KNOWN_STATE_KINDS
    write, review, each = made.states["write"], made.states["review"], made.states["each"]
    assert isinstance(write, states.AgentTaskState)
    assert (write.timeout_s, write.retry) == (60, Retry(2, 1, 3, 30))
    assert write.on_error == Do("show_error_and_retry")
    assert isinstance(review, states.HumanReviewState)
    assert (review.approve, review.modify, review.reject) == ("choose", "write", "end")
    assert isinstance(each, states.ParallelState)
    assert isinstance(each.ways, states.ForEach)
    assert (made.first, made.recovery.most_retries, made.limits.duration_s) == ("begin", 3, 5)


def test_a_review_with_one_way_on_leads_there_by_yes_and_by_change() -> None:
    found = described({"key": "r", "kind": "human-review", "content": "x", "next": "end"})
    assert found.definition is not None
    review = found.definition.states["r"]
    assert isinstance(review, states.HumanReviewState)
    assert (review.approve, review.modify, review.reject) == ("end", "end", None)


def test_recovery_may_lead_to_a_state() -> None:
    ask = {"key": "ask", "kind": "human-review", "content": "x"}
    found = described({"key": "go", "kind": "wait", "for": "1s"}, ask, recovery={"onError": "ask"})
    assert found.definition is not None
    assert found.definition.recovery.on_error == GoTo("ask")


WAIT = {"key": "go", "kind": "wait", "for": "1s"}


@pytest.mark.parametrize(
    ("listed", "fields", "flaw"),
    [
        ([], {}, ("states-missing", ())),
        ([{"key": "a"}], {}, ("state-malformed", ("states", 0))),
        ([WAIT, WAIT], {}, ("key-twice", ("states", 1))),
        ([{"key": "a", "kind": "teleport"}], {}, ("kind-unknown", ("states", 0))),
        ([{"key": "a", "kind": "tool-call"}], {}, ("field-missing", ("states", 0))),
        ([{"key": "a", "kind": "wait", "for": "soon"}], {}, ("field-unfit", ("states", 0, "for"))),
        ([{**WAIT, "until": "$.input.t"}], {}, ("field-unfit", ("states", 0, "until"))),
        ([{"key": "a", "kind": "end", "next": "end"}], {}, ("field-unfit", ("states", 0, "next"))),
        (
            [{"key": "a", "kind": "evidence-record", "event": "e", "data": {"x": ["${ 1 + }"]}}],
            {},
            ("expression-invalid", ("states", 0, "data", "x", 0)),
        ),
        (
            [{"key": "a", "kind": "user-input", "form": {"bad": 1}}],
            {},
            ("schema-invalid", ("states", 0, "form")),
        ),
        ([WAIT], {"inputs": {"type": 3, "bad": 1}}, ("schema-invalid", ("inputs",))),
        ([{**WAIT, "next": "gone"}], {}, ("target-missing", ("states", 0))),
        (
            [{**WAIT, "next": ["b", "end"]}, {**WAIT, "key": "b"}],
            {},
            ("transition-ambiguous", ("states", 0, "next")),
        ),
        (
            [{**WAIT, "next": "end"}, {**WAIT, "key": "island"}],
            {},
            ("state-unreachable", ("states", 1)),
        ),
        ([WAIT], {"recovery": None}, ("recovery-missing", ("states",))),
        ([WAIT], {"recovery": {"onError": "pray"}}, ("recovery-unknown", ("recovery", "onError"))),
        (
            [{"key": "a", "kind": "branch", "cases": [{"when": "true", "next": "end"}]}],
            {},
            ("field-missing", ("states", 0)),
        ),
        (
            [{"key": "a", "kind": "evidence-record", "event": "e", "data": "$.states.a.output"}],
            {},
            ("read-unanswered", ("states", 0, "data")),
        ),
        (
            [{"key": "a", "kind": "evidence-record", "event": "e", "data": "$.item"}],
            {},
            ("read-unanswered", ("states", 0, "data")),
        ),
        ([WAIT], {"outputs": {"x": "$.states.gone.output"}}, ("read-unanswered", ("outputs", "x"))),
        ([WAIT], {"outputs": {"x": {"type": "string"}}}, ("output-unwritten", ("outputs", "x"))),
        (
            [{"key": "a", "kind": "tool-call", "uses": ["tt"]}],
            {},
            ("name-undeclared", ("states", 0, "uses")),
        ),
        (
            [{"key": "a", "kind": "agent-task", "entry": "writter"}],
            {},
            ("name-undeclared", ("states", 0, "entry")),
        ),
        (
            [{"key": "a", "kind": "knowledge-search", "query": "q", "template": "x"}],
            {},
            ("name-undeclared", ("states", 0, "template")),
        ),
        (
            [{"key": "a", "kind": "sub-workflow", "workflow": "x"}],
            {},
            ("name-undeclared", ("states", 0, "workflow")),
        ),
        ([WAIT], {"artifactOutputs": ["post"]}, ("output-unwritten", ("artifactOutputs", 0))),
    ],
)
def test_a_flaw_is_found_at_its_place(
    listed: list[Mapping[str, object]],
    fields: dict[str, object],
    flaw: tuple[str, tuple[str | int, ...]],
) -> None:
    assert flaws(*listed, **fields) == [flaw]
    harmless = {"state-unreachable", "output-unwritten"}
    assert (described(*listed, **fields).definition is not None) is (flaw[0] in harmless)


TOOL = {"kind": "tool-call", "uses": ["t"]}


def test_a_circle_needs_a_wait_a_person_or_a_limit() -> None:
    spin = [{"key": "a", **TOOL, "next": "b"}, {"key": "b", **TOOL, "next": "c"}]
    assert flaws(*spin, {"key": "c", **TOOL, "next": "a"}) == [("cycle-endless", ("states", 0))]
    assert flaws(*spin, {"key": "c", "kind": "wait", "for": "1m", "next": "a"}) == []
    assert flaws(*spin, {"key": "c", "kind": "human-review", "content": "x", "next": "a"}) == []
    assert flaws(*spin, {"key": "c", **TOOL, "next": "a"}, maxDuration="1h") == []
    assert flaws({"key": "a", **TOOL, "onError": "a"}) == [("cycle-endless", ("states", 0))]


def test_only_what_can_have_run_before_is_read() -> None:
    read = {"kind": "evidence-record", "event": "e", "data": "$.states.late.output"}
    late = {"key": "late", **TOOL}
    assert flaws({"key": "early", **read, "next": "late"}, late) == [
        ("read-unanswered", ("states", 0, "data"))
    ]
    assert flaws({**late, "next": "after"}, {"key": "after", **read}) == []


def test_what_recovery_does_not_know_is_told_with_what_it_knows() -> None:
    found = described(WAIT, recovery={"onTimeout": "retry_with_longer_timout"})
    (flaw,) = found.flaws
    assert flaw.kind is FlawKind.RECOVERY_UNKNOWN
    assert "Did you mean retry_with_longer_timeout?" in flaw.message
    assert "`show_error_and_allow_retry`" in flaw.message


def test_the_picture_puts_each_state_after_all_that_lead_to_it_and_marks_ways_back() -> None:
    found = described(*EVERY_KIND)
    picture = draw(found.outline)
    ranks = {each.state.key: each.rank for each in picture.states}
    assert [each for each in ranks if ranks[each] == ranks["judge"]] == ["judge", "look-up"]
    assert ranks["review"] == ranks["judge"] + 1
    back = [(each.way.source, each.way.target) for each in picture.ways if each.is_back]
    assert back == [("review", "write")]
    forward = [each.way for each in picture.ways if not each.is_back]
    assert all(ranks[way.source] < ranks[way.target] for way in forward)
    # What a parallel state does has no `next` of its own: it leads to where the branches meet.
    assert ("judge", "review") in [(way.source, way.target) for way in forward]
    assert ("note", "keep") in [(way.source, way.target) for way in forward]


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from([*KNOWN_STATE_KINDS, "a", "b", "$.item"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["key", "kind", "next", "states", "recovery", "cases", "over", "do", "uses"]),
        inner,
    ),
)  # fmt: skip


@given(st.dictionaries(st.sampled_from(["states", "recovery", "outputs", "inputs"]), _json))
@settings(max_examples=60)
def test_any_json_is_read_and_drawn(written: dict[str, object]) -> None:
    draw(definition_from(written, key="w", is_schema=lambda _: True, declared=DECLARED).outline)


def test_a_large_tangle_is_read_in_time() -> None:
    keys = [f"s{at}" for at in range(2_000)]
    first: dict[str, object] = {"key": "first", "kind": "agent-task", "tools": keys * 20}
    others = ({"key": key, "kind": "branch", "next": keys, "onError": "no"} for key in keys)
    tangle = [first, *others]
    found = described(*tangle)
    assert found.definition is None
    draw(found.outline)
