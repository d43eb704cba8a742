"""What a person decided and could not be written is told, and does not hold (a bug demanded it)."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from lime_desktop.host.approvals.calls import ApprovalStore
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.user_profile.unsaved_decisions import UnsavedDecision, UnsavedDecisions
from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.decision import NeedsApproval, Question, Risk, RuleRef
from tests.host.app_center.opened import center_of, installed

SAMPLES = Path(__file__).parents[3] / "sample_apps"
HELLO = "hello-lime"
GRANTED = frozenset({"keep-greeting"})


@pytest.mark.parametrize(
    ("kind", "decide", "holds"),
    [
        ("grant", AppRegistry.grant, frozenset[str]()),
        ("revoke", AppRegistry.revoke, GRANTED),
        ("never", AppRegistry.refuse, GRANTED),
    ],
)
def test_a_decision_that_cannot_be_written_is_told_and_changes_nothing(
    tmp_path: Path,
    kind: str,
    decide: Callable[[AppRegistry, str, str], None],
    holds: frozenset[str],
) -> None:
    async def scenario() -> None:
        told: list[UnsavedDecision] = []
        async with center_of(tmp_path) as center:
            await installed(center, SAMPLES / HELLO, *holds)
            registry = AppRegistry("en")
            registry.unkept.watch(told.append)
            await registry.follow(center)
            # As when the disk is full or gone: nothing more can be written.
            await center.close()
            decide(registry, HELLO, "keep-greeting")
            await registry.close()
            app = registry.app(HELLO)
            assert app is not None
            assert app.granted == holds
            assert registry.refusals(HELLO) == ()
        assert [(each.app_id, each.kind) for each in told] == [(HELLO, kind)]
        assert told[0].error.code

    asyncio.run(scenario())


CALL = PolicyCall(
    app_id=HELLO,
    capability="lime.storage",
    method="set",
    arguments_digest="d",
    workspace_id="w",
)


def needed() -> NeedsApproval:
    rule = RuleRef(id="house.ask", layer="organisation", source="house", text="Asked about.")
    question = Question(
        kind="tool_confirmation",
        title="Write?",
        subject=CALL.subject,
        reasons=(rule,),
        risk=Risk("low"),
        leaves_machine=(),
        arguments_summary="",
        suggestions=(),
        if_refused=(),
        remember_scopes=("workspace",),
    )
    return NeedsApproval(rule=rule, question=question, would_change="a yes")


def test_a_yes_or_never_that_cannot_be_written_is_told_and_the_yes_holds_once(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        told: list[UnsavedDecision] = []
        unkept = UnsavedDecisions()
        unkept.watch(told.append)
        given = ApprovalStore(unkept)
        async with center_of(tmp_path) as center:
            await installed(center, SAMPLES / HELLO)
            given.follow(center)
            await center.close()
            given.give(CALL, needed(), "workspace", 1)
            given.refuse(CALL)
            await given.close()
            assert [fact.scope for fact in given.facts(HELLO, 1)] == ["call"]
            assert center.permissions.refusals(HELLO) == ()
        assert [each.kind for each in told] == ["yes", "never"]

    asyncio.run(scenario())
