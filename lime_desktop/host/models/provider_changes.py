"""What a person changes of a provider: some fields, as they write them, while the rest stays as it is. Pure."""

from collections.abc import Iterable, Mapping
from typing import cast

from pydantic import JsonValue, ValidationError

from lime_desktop.protocol.calls.model_providers import ProviderModel, ProviderSettings
from lime_desktop.protocol.errors import InvalidInput

ORDER = "rank"
MONTHLY_COST, TASK_COST = "limits.monthlyCost", "limits.taskCost"
PER_MINUTE = "limits.requestsPerMinute"
PROXY, CA_FILE = "network.proxyUrl", "network.caFile"


def changed(
    settings: ProviderSettings, changes: Mapping[str, str | int | None]
) -> ProviderSettings:
    """The settings with some fields changed, each by its path; None or an empty text takes a value away.

    Raises:
        InvalidInput: a value will not do; `wrong_fields` names it.
    """
    raw = settings.to_wire()
    for path, value in changes.items():
        *above, name = path.split(".")
        part = _object(raw[above[0]]) if above else raw
        part.pop(name, None)
        if value not in {None, ""}:
            part[name] = {"amount": value} if path in {MONTHLY_COST, TASK_COST} else value
    try:
        return ProviderSettings.model_validate(raw)
    except ValidationError as error:
        raise InvalidInput.from_validation(error) from None


def wrong_fields(error: InvalidInput, changes: Iterable[str]) -> list[str]:
    """Which of the changed fields an error of `changed` is about."""
    fields = cast("list[dict[str, str]]", error.details.get("fields", []))
    named = [f"{field['path']}." for field in fields]
    return [path for path in changes if any(each.startswith(f"{path}.") for each in named)]


def with_first_model(settings: ProviderSettings, model_id: str) -> ProviderSettings:
    """The settings with this model as the one a turn gets that names none; one not listed so far is added."""
    known = {model.model_id: model for model in settings.models}
    first = known.pop(model_id, None) or ProviderModel(model_id=model_id)
    return settings.model_copy(update={"models": (first, *known.values())})


def _object(value: JsonValue) -> dict[str, JsonValue]:
    return value if isinstance(value, dict) else {}
