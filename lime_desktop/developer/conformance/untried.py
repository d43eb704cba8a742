"""Demands that a report does not try, each with the reason. The product's own tests show them where it is built."""

from collections.abc import Mapping

_REASONS: Mapping[str, tuple[str, ...]] = {
    "It takes an installation, an update or a removal, and a report changes nothing that is installed.": (
        *("APP-06", "APP-13", "APP-45", "APP-47", "APP-51"),
    ),
    "It takes an organisation's policy, overlays or a rule of the person's own, and a report brings none.": (
        *("APP-15", "APP-16", "APP-18", "RT-52"),
    ),
    "It takes a real model or an external agent, and a report comes out the same without one.": (
        *("APP-33", "APP-49", "RT-08", "RT-17", "RT-19", "RT-43", "RT-47"),
    ),
    "It takes a key of a provider or a tool that needs one, and a report asks nobody for one.": (
        *("APP-40", "RT-46"),
    ),
    "It takes work that the scripted agent does not do: large output, processes, hooks, benchmarks, effects outside.": (
        *("APP-38", "RT-18", "RT-38", "RT-50", "RT-56"),
    ),
    "It takes the loss of the App Server in the middle of what is examined.": ("RT-30", "RT-33"),
    "It takes a connection that was not introduced yet, and the window's has been.": ("RT-35",),
    "It takes a collector of telemetry, and none is set up.": ("APP-39", "RT-58"),
    "It is about how the product is built; nothing that it does would show it.": (
        *("APP-50", "RT-01", "RT-04", "RT-05", "RT-07", "RT-09"),
        *("RT-13", "RT-34", "RT-59", "RT-60"),
    ),
    "Nobody has written a way to try it from outside.": (
        *("APP-37", "APP-43", "RT-12", "RT-21", "RT-32"),
        *("RT-41", "RT-42", "RT-45", "RT-51"),
    ),
}

UNTRIED: Mapping[str, str] = {
    demand_id: reason for reason, demand_ids in _REASONS.items() for demand_id in demand_ids
}
"""Demand → why nobody looks."""
