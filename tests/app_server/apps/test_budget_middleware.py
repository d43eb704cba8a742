"""What was set for an app's agents acts: their model, what they may cost, how they write; each names who said it.

The standard: a value has one source, and what policy locked no request changes. The cost limits are ours.
"""

from pathlib import Path
from typing import Any

from lime_desktop.app_server.apps.spending import open_spending
from lime_desktop.protocol.ids import JsonObject
from tests.app_server.agent_tasks.tasks_at_work import Tasks, run, says, started, tasks_at_work
from tests.app_server.runtime_core.runtime import event

MODEL = {"key": "model.default", "value": "acme/large", "source": "tenant"}
TONE = {"key": "content.brandTone", "value": "Calm and short", "source": "workspace"}
BANNED = {"key": "content.bannedWords", "value": ["synergy"], "source": "tenant"}
RULE = {"key": "industry.retention", "value": "Name no patient", "source": "tenant"}


def budget(window: str, limit: float, **more: Any) -> JsonObject:
    line = {"id": f"overlay.{window}", "layer": "overlay", "source": "tenant overlay"}
    text = f"At most {limit} for each {window}."
    return {**line, "text": text, "window": window, "limitUsd": limit, **more}


def costing(*amounts: float) -> list[Any]:
    """A turn that tells the sum of what it spent after each round."""
    facts = [event("cost.recorded", {"amount": each, "currency": "USD"}) for each in amounts]
    return [*facts, *says("done")]


async def govern(tasks: Tasks, **said: Any) -> None:
    """Tell the server what was set, as the host does when it changes."""
    await tasks.ask("app/register", **tasks.registration, **said)


async def facts_of(tasks: Tasks, task: dict[str, Any], kind: str) -> list[JsonObject]:
    """What the session of a task tells of one kind."""
    session = task["sessionId"]
    read = await tasks.ask("agentSession/read", sessionId=session, afterSequence=0)
    return [each["payload"] for each in read["events"] if each["type"] == kind]


def test_a_chosen_model_reaches_the_tasks_that_wish_for_none(tmp_path: Path) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"write": says("done")}) as tasks:
            await govern(tasks, settings=[MODEL])
            for wish in ({}, {"modelPreference": "small"}):
                await tasks.events((await tasks.start("write", **wish))["taskId"])
            own = {**MODEL, "key": "model.tasks.letter", "value": "acme/letters"}
            await govern(tasks, settings=[MODEL, own])
            await tasks.events((await tasks.start("write", taskKind="letter"))["taskId"])
            used = [each.options.model_preference for each in tasks.engine.requests]
            assert used == ["acme/large", "small", "acme/letters"]

    run(scene)


def test_no_wish_of_the_app_goes_before_a_locked_model(tmp_path: Path) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"write": says("done")}) as tasks:
            await govern(tasks, settings=[{**MODEL, "isLocked": True}])
            wish = {"modelPreference": "small", "providerPreference": "other"}
            task = await tasks.start("write", **wish)
            await tasks.events(task["taskId"])
            options = tasks.engine.requests[0].options
            assert (options.model_preference, options.provider_preference) == ("acme/large", None)
            facts = await facts_of(tasks, task, "policy.changed")
            assert facts == [
                {"level": "tenant", "ref": "overlay.model.default", "value": "acme/large"}
            ]

    run(scene)


def test_tone_and_banned_words_are_in_what_the_agent_reads(tmp_path: Path) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"write": says("done")}) as tasks:
            await govern(tasks, settings=[TONE, BANNED, RULE])
            task = await tasks.start("write")
            await tasks.events(task["taskId"])
            asked = tasks.engine.requests[0].options.runtime_request
            assert asked is not None
            read = asked.system_prompt or ""
            assert "Tone of voice, set by this workspace: Calm and short" in read
            assert "Words never to use, set by the organisation: synergy" in read
            assert "Rule “retention”, set by the organisation: Name no patient" in read
            [fact] = await facts_of(tasks, task, "context.resolved")
            assert fact["instructionRefs"] == [
                "setting:content.brandTone",
                "setting:content.bannedWords",
                "setting:industry.retention",
            ]

    run(scene)


def test_a_task_ends_where_the_limit_set_for_it_is_reached(tmp_path: Path) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"write": costing(0.5, 1.5)}) as tasks:
            await govern(tasks, budgets=[budget("task", 1), budget("task", 3)])
            for wish in ({}, {"costLimit": {"amount": 9, "currency": "USD"}}):
                task = await tasks.start("write", **wish)
                assert (await tasks.result(task["taskId"]))["subtype"] == "error_max_budget"
                [fact] = await facts_of(tasks, task, "policy.changed")
                assert fact == {"level": "overlay", "ref": "overlay.task", "value": 1.0}

    run(scene)


def test_a_soft_limit_gives_way_to_what_a_person_agreed_to(tmp_path: Path) -> None:
    """The host asks the person before such a task is started."""

    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"write": costing(1.5)}) as tasks:
            await govern(tasks, budgets=[budget("task", 1, isHard=False)])
            wish = {"costLimit": {"amount": 2, "currency": "USD"}}
            agreed = await tasks.result((await tasks.start("write", **wish))["taskId"])
            assert agreed["subtype"] == "success"
            unasked = await tasks.result((await tasks.start("write"))["taskId"])
            assert unasked["subtype"] == "error_max_budget"

    run(scene)


def test_what_is_left_of_the_month_limits_the_next_task_even_after_a_restart(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        scripts = {"write": costing(0.4, 0.7)}
        async with tasks_at_work(tmp_path, scripts) as tasks:
            await govern(tasks, budgets=[budget("month", 1)])
            first = await tasks.result((await tasks.start("write"))["taskId"])
            assert first["subtype"] == "success"
        async with tasks_at_work(tmp_path, scripts) as tasks:
            await govern(tasks, budgets=[budget("month", 1)])
            second = await tasks.result((await tasks.start("write"))["taskId"])
            assert second["subtype"] == "error_max_budget"
            third = await tasks.start("write")
            await tasks.events(third["taskId"])
            profile = tasks.engine.requests[-1].options.task_profile
            assert profile is not None
            # Nothing is left: only a model that costs nothing may still do it.
            assert (profile.budget_class, profile.cost_limit and profile.cost_limit.amount) == (
                "free",
                0,
            )
            assert await tasks.refusal("app/call", **started("unplayable")) == "APP_E104"

    run(scene)


def test_an_organisations_month_counts_every_app_and_names_the_organisation(tmp_path: Path) -> None:
    """Ten apps have no ten budgets; what is nearly spent is told, and what is spent says whose word that was."""
    limit = {"id": "organisation.month", "layer": "organisation", "source": "policy.yaml"}
    everybodys = budget("month", 1, scope="everything", who="Example Ltd", **limit)

    async def scene() -> None:
        spending = open_spending(tmp_path / "data")
        await spending.add("another-app", 0.45)
        spending.close()
        async with tasks_at_work(tmp_path, {"write": costing(0.45), "more": costing(0.6)}) as tasks:
            await govern(tasks, budgets=[everybodys, budget("month", 9)])
            first = await tasks.start("write")
            assert (await tasks.result(first["taskId"]))["subtype"] == "success"
            [low] = await facts_of(tasks, first, "quota.low")
            assert (low["who"], low["used"], low["limit"]) == ("Example Ltd", 0.9, 1.0)
            second = await tasks.start("more")
            assert (await tasks.result(second["taskId"]))["subtype"] == "error_max_budget"
            [blocked] = await facts_of(tasks, second, "quota.blocked")
            assert blocked["ruleId"] == "organisation.month"
            [failed] = await facts_of(tasks, second, "turn.failed")
            assert "The limit that Example Ltd set for each month is reached" in str(
                failed["message"]
            )
            assert "ask Example Ltd" in str(failed["recoveryHint"])

    run(scene)
