"""What was set for an app's agents, as turns go by it: their model, what they may cost, how they write. Pure."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from lime_desktop.protocol.calls.apps import (
    RegisterAppParams,
    RegisteredBudget,
    RegisteredSetting,
)
from lime_desktop.protocol.calls.turns import RuntimeOptions, RuntimeRequest, TaskProfile
from lime_desktop.protocol.errors import CostLimitExceeded
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.task_events import Cost

_LOW = 0.8
"""The part of a month's limit from which on it is told that little is left."""

_INDUSTRY = "industry."
MOST_PASSAGES = 100
"""Of one search, whatever is set."""

_LAYERS = {
    "organisation": "the organisation",
    "workspace": "this workspace",
    "overlay": "the app's settings",
    "user": "the person",
}
_WHO = {
    "workspace": "this workspace",
    "user": "the person",
    "tenant": "the organisation",
    "app": "the app",
    "host": "this computer",
}


@dataclass(frozen=True, slots=True)
class Retrieval:
    """How knowledge is searched, as far as somebody set it."""

    top_k: int | None = None
    min_score: float | None = None


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """The settings of one app."""

    registration: RegisterAppParams

    def model_for(self, options: RuntimeOptions) -> RegisteredSetting | None:
        """The model that a turn is to be given: what is said of its kind, else of all; an open wish of the app goes first."""
        kind = (options.task_profile or TaskProfile()).kind
        found = self._setting(f"model.tasks.{kind}") or self._setting("model.default")
        return found if found is not None and (found.is_locked or not _wishes(options)) else None

    def month_limits(self) -> Iterator[RegisteredBudget]:
        """The limits on a month; which of them is the tightest depends on what was spent."""
        return self._budgets("month")

    def task_limit(self, asked: Cost | None) -> RegisteredBudget | None:
        """The smallest limit on a task; a soft one was put to a person where the app asked for more."""
        counts = (each for each in self._budgets("task") if each.is_hard or asked is None)
        return min(counts, key=_amount, default=None)

    def wording(self) -> Iterator[tuple[str, str]]:
        """How its agents write, by key, in words for them."""
        if tone := self._setting("content.brandTone"):
            yield tone.key, f"Tone of voice, set by {_WHO[tone.source]}: {tone.value}"
        banned = self._setting("content.bannedWords")
        if banned is not None and (words := _words(banned.value)):
            yield banned.key, f"Words never to use, set by {_WHO[banned.source]}: {words}"
        for rule in self.registration.settings:
            if rule.key.startswith(_INDUSTRY):
                name = rule.key.removeprefix(_INDUSTRY)
                yield rule.key, f"Rule “{name}”, set by {_WHO[rule.source]}: {_said(rule.value)}"

    def retrieval_of(self, template: str) -> Retrieval:
        """How the knowledge of a template is searched."""
        most = self._value(f"knowledge.{template}.retrieval.topK")
        least = self._value(f"knowledge.{template}.retrieval.minScore")
        return Retrieval(
            None
            if isinstance(most, bool) or not isinstance(most, int)
            else max(1, min(most, MOST_PASSAGES)),
            None if isinstance(least, bool) or not isinstance(least, int | float) else float(least),
        )

    def credential_of(self, tool: str) -> RegisteredSetting | None:
        """The secret that somebody chose for a tool. What the manifest itself says needs no choice."""
        found = self._setting(f"tools.{tool}.credential")
        return None if found is None or found.source == "app" else found

    def binding_of(self, template: str) -> str:
        """The template whose sources are searched in place of this one's."""
        named = self._value(f"knowledge.{template}.binding")
        return named if isinstance(named, str) else template

    @property
    def export_format(self) -> str | None:
        """The format of an export that names none."""
        wanted = self._value("export.format")
        return wanted if isinstance(wanted, str) else None

    def _value(self, key: str) -> JsonValue:
        found = self._setting(key)
        return None if found is None else found.value

    def _setting(self, key: str) -> RegisteredSetting | None:
        return next((each for each in self.registration.settings if each.key == key), None)

    def _budgets(self, window: str) -> Iterator[RegisteredBudget]:
        return (each for each in self.registration.budgets if each.window == window)


def with_model(options: RuntimeOptions, setting: RegisteredSetting) -> RuntimeOptions:
    """The turn with this model, whatever it wished for."""
    asked = options.runtime_request or RuntimeRequest()
    none = {"provider_preference": None, "model_preference": None}
    return options.model_copy(
        update={
            "provider_preference": None,
            "model_preference": str(setting.value),
            "runtime_request": asked.model_copy(update=none),
        }
    )


def with_limit(options: RuntimeOptions, limit_usd: float) -> RuntimeOptions:
    """The turn with this limit, unless its own is lower; with nothing left, only what costs nothing may do it."""
    profile = options.task_profile or TaskProfile()
    own = profile.cost_limit
    if own is not None and own.currency == "USD" and own.amount <= limit_usd:
        return options
    limited = profile.model_copy(
        update={
            "cost_limit": Cost(amount=limit_usd),
            "budget_class": profile.budget_class if limit_usd else "free",
        }
    )
    return options.model_copy(update={"task_profile": limited})


def model_fact(setting: RegisteredSetting) -> ProposedEvent:
    """That a model was chosen by somebody's setting."""
    return _fact(setting.source, f"overlay.{setting.key}", setting.value)


def limit_fact(budget: RegisteredBudget, limit_usd: float) -> ProposedEvent:
    """That a limit holds, and whose it is."""
    return _fact(budget.layer, budget.id, limit_usd)


def quota_fact(budget: RegisteredBudget, used_usd: float) -> ProposedEvent | None:
    """That little or nothing is left of a month, where that is so."""
    if budget.window != "month" or used_usd < budget.limit_usd * _LOW:
        return None
    payload: JsonObject = {
        "source": budget.layer,
        "ruleId": budget.id,
        "who": budget.who,
        "used": round(used_usd, 9),
        "limit": budget.limit_usd,
        "currency": "USD",
    }
    is_used_up = used_usd >= budget.limit_usd
    return ProposedEvent(type="quota.blocked" if is_used_up else "quota.low", payload=payload)


def used_up(budget: RegisteredBudget) -> CostLimitExceeded:
    """That no more may be spent, by whose word, and what can be done."""
    who = budget.who or _LAYERS[budget.layer]
    then = ", or wait for the next month" if budget.window == "month" else ""
    return CostLimitExceeded(
        f"The limit that {who} set for each {budget.window} is reached: {budget.text}",
        details={
            "reasonCode": "budget_reached",
            "rule": budget.id,
            "source": budget.source,
            "setupAction": f"Use a model on this computer, ask {who} for a higher limit{then}",
        },
    )


def _fact(level: str, ref: str, value: JsonValue) -> ProposedEvent:
    payload: JsonObject = {"level": level, "ref": ref, "value": value}
    return ProposedEvent(type="policy.changed", payload=payload)


def _wishes(options: RuntimeOptions) -> bool:
    asked = options.runtime_request or RuntimeRequest()
    return bool(
        options.model_preference
        or options.provider_preference
        or asked.model_preference
        or asked.provider_preference
    )


def _amount(budget: RegisteredBudget) -> float:
    return budget.limit_usd


def _said(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _words(value: JsonValue) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else ""
