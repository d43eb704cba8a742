"""Read resolved overlay values as rules. An overlay can shut entries and domains off and set budgets; it never allows."""

from collections.abc import Iterator
from decimal import Decimal

from pydantic import JsonValue

from lime_desktop.overlay.resolve import Resolved, ResolvedValue
from lime_desktop.policy.facts import Budget, Window
from lime_desktop.policy.rules import Criterion, Match, Rule, RuleRef, parse_pattern
from lime_desktop.readiness.units import Quantity, parse_quantity

_WINDOWS: dict[str, Window] = {"budget.monthly": "month", "budget.perTask": "task"}
_ALL_NETWORK = Match((Criterion("scopes", ("network",)),))


def rules_of_overlays(resolved: Resolved) -> tuple[Rule, ...]:
    """Turn what the overlays shut off into rules that deny."""
    return tuple(rule for value in resolved.values.values() for rule in _rules(value))


def _rules(resolved: ResolvedValue) -> Iterator[Rule]:
    key, value = resolved.key, resolved.value
    if key.startswith("entries.") and key.endswith(".disabled") and value is True:
        entry = key.removeprefix("entries.").removesuffix(".disabled")
        text = f"The {resolved.source} switched the entry {entry} off."
        yield Rule(_ref(resolved, text), "deny", Match((Criterion("entries", (entry,)),)))
    elif key == "network.offline" and value is True:
        text = f"The {resolved.source} took this app off the network."
        yield Rule(_ref(resolved, text), "deny", _ALL_NETWORK)
    elif key == "network.deny" and isinstance(value, list) and value:
        text = f"The {resolved.source} shut this domain off."
        yield Rule(_ref(resolved, text), "deny", _denied_domains(value))


def _denied_domains(domains: list[JsonValue]) -> Match:
    patterns = tuple(str(domain) for domain in domains)
    if any(parse_pattern("domains", pattern) is None for pattern in patterns):
        # Which domain was meant can't be known, so none is reached until it is put right.
        return _ALL_NETWORK
    return Match((Criterion("domains", patterns),))


def budgets_of_overlays(resolved: Resolved, *, currency: str) -> tuple[Budget, ...]:
    """Turn the budgets into limits. Whoever may change the value may also exceed it on request."""
    return tuple(
        _budget(resolved.values[key], window, currency)
        for key, window in _WINDOWS.items()
        if key in resolved.values and _is_counted(resolved.values[key], currency)
    )


def _is_counted(resolved: ResolvedValue, currency: str) -> bool:
    """Whether a limit holds here: what an app wishes for itself in other money says nothing about ours."""
    return resolved.source != "app" or _amount(resolved.value, currency) is not None


def _budget(resolved: ResolvedValue, window: Window, currency: str) -> Budget:
    amount = _amount(resolved.value, currency)
    text = (
        f"The {resolved.source} set a limit of {resolved.value} for each {window}."
        if amount is not None
        else f"The limit {resolved.value} is not in {currency}, in which costs are counted here."
    )
    return Budget(
        ref=_ref(resolved, text),
        window=window,
        limit=Decimal(0) if amount is None else amount,
        is_hard=resolved.locked_by_policy or resolved.source in {"host", "tenant"},
    )


def _amount(value: JsonValue, currency: str) -> Decimal | None:
    match parse_quantity(str(value)):
        case Quantity(amount, dimension) if dimension in {"number", currency}:
            return amount
        case _:
            return None


def _ref(resolved: ResolvedValue, text: str) -> RuleRef:
    return RuleRef(f"overlay.{resolved.key}", "overlay", f"{resolved.source} overlay", text)
