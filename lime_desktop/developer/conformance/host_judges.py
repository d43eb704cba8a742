"""Demands on the host that it can answer for itself, here and now: by its tables, and by trying its own gates."""

import json
from collections import Counter
from collections.abc import Callable, Mapping

from lime_desktop.developer.conformance.report import ExaminingHost, Finding, fails, holds
from lime_desktop.projection.host_profile import THIS_HOST
from lime_desktop.protocol.bridge.envelope import PROTOCOL, VERSION
from lime_desktop.protocol.bridge.from_app import APP_MESSAGES
from lime_desktop.protocol.bridge.reading import parse_app_message
from lime_desktop.protocol.calls.handshake import PROTOCOL_VERSION
from lime_desktop.protocol.capabilities import CAPABILITIES
from lime_desktop.protocol.errors import ALL_ERRORS, AppError, CapabilityNotAvailable
from lime_desktop.protocol.runtime.events import SCHEMA_VERSION

_GREETING: Mapping[str, object] = {
    "protocol": PROTOCOL,
    "version": VERSION,
    "type": "app:ready",
    "requestId": "1",
    "appId": "probe",
    "payload": {},
}
_STRANGE: Mapping[str, Mapping[str, object]] = {
    "another protocol": {"protocol": "other"},
    "another version": {"version": VERSION + 1},
    "no app": {"appId": ""},
    "an unknown type": {"type": "app:anything"},
}


def describe_host() -> ExaminingHost:
    """This host, as apps meet it."""
    refused = _refused()
    return ExaminingHost(
        version=THIS_HOST.host_version,
        platform=THIS_HOST.platform,
        manifest_versions=THIS_HOST.manifest_versions,
        bridge=f"{PROTOCOL} {VERSION}",
        app_server=PROTOCOL_VERSION,
        runtime_profile=SCHEMA_VERSION,
        offered=tuple(each.name for each in CAPABILITIES if each.name not in refused),
        refused={name: reason for name, (_, reason) in refused.items()},
    )


def _refused() -> dict[str, tuple[str, str]]:
    """Each capability that is refused whole: by which code, for which reason."""
    return {
        each.name: (CapabilityNotAvailable.code, each.unavailable_reason)
        for each in CAPABILITIES
        if each.unavailable_reason is not None
    }


def _errors_are_stable() -> Finding:
    times = Counter(each.code for each in ALL_ERRORS)
    broken = [code for code, count in times.items() if count > 1]
    mute = [each.code for each in ALL_ERRORS if not (each.stable_code and each.user_action)]
    if broken or mute:
        return fails("A refusal has no code of its own, or no words.", *broken, *mute)
    return holds(
        "Every refusal has one code, a stable name and what a person can do.",
        *(f"{each.code} {each.stable_code}" for each in ALL_ERRORS),
    )


def _strangers_are_refused() -> Finding:
    answers = {name: _answer({**_GREETING, **changed}) for name, changed in _STRANGE.items()}
    seen = [f"{name}: {answer or 'taken'}" for name, answer in answers.items()]
    if not all(answers.values()) or _answer(_GREETING):
        return fails("The bridge took a message that it should refuse, or none at all.", *seen)
    return holds("Each of these was tried on the bridge's reader and refused.", *seen)


def _answer(message: Mapping[str, object]) -> str:
    """The code that a message is refused by; nothing where it is taken."""
    try:
        parse_app_message(json.dumps(message))
    except AppError as error:
        return error.code
    return ""


def _absence_is_refused() -> Finding:
    refused = _refused()
    mute = [name for name, (code, reason) in refused.items() if not (code and reason)]
    if mute:
        return fails("A capability is absent, and nothing says why.", *mute)
    return holds(
        "Each absent capability is refused by a stable code, with its reason.",
        *(f"{name}: {code} {reason}" for name, (code, reason) in refused.items()),
    )


def _capabilities_are_offered() -> Finding:
    refused = _refused()
    offered = [each for each in CAPABILITIES if each.name not in refused]
    if mute := [each.name for each in offered if not each.methods]:
        return fails("A capability is offered that has no method.", *mute)
    return holds(
        "Each is offered with its contract version and methods.",
        *(f"{each.name} {each.version}: {', '.join(each.methods)}" for each in offered),
    )


def _speaks_one_protocol() -> Finding:
    return holds(
        "Clients speak versioned messages and nothing else.",
        f"bridge {PROTOCOL} {VERSION}: "
        + ", ".join(str(each.model_fields["type"].default) for each in APP_MESSAGES),
        f"App Server {PROTOCOL_VERSION}",
        f"runtime facts {SCHEMA_VERSION}",
    )


HOST_JUDGES: Mapping[str, Callable[[], Finding]] = {
    "APP-21": _errors_are_stable,
    "APP-24": _strangers_are_refused,
    "APP-25": _absence_is_refused,
    "APP-26": _capabilities_are_offered,
    "RT-06": _speaks_one_protocol,
}
