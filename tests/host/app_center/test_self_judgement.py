"""No line of a manifest makes an app look smaller in its review than it is."""

from typing import Any

import pytest

from lime_desktop.app_package.manifest import Manifest, Permission
from lime_desktop.app_package.trust.verdict import Verdict
from lime_desktop.host.app_center.review.asked_permissions import in_words, is_broad
from lime_desktop.host.app_center.review.programs import declared_programs
from lime_desktop.host.app_center.review.risk import rate
from tests.readiness.test_wording import IDENTITY


@pytest.mark.parametrize(
    ("permission", "reaches_far"),
    [
        ({"scope": "network", "domains": ["*"]}, True),
        ({"scope": "network"}, True),
        ({"scope": "network", "domains": ["*.com"]}, True),
        ({"scope": "network", "domains": ["api.example.com", "*.org"]}, True),
        ({"scope": "network", "domains": ["*.example.com", "localhost"]}, False),
        ({"scope": "filesystem", "paths": ["/home/**"]}, True),
        ({"scope": "filesystem", "paths": ["/etc"]}, True),
        ({"scope": "filesystem", "paths": ["~/**"]}, True),
        ({"scope": "filesystem", "paths": ["**/*.md"]}, True),
        ({"scope": "filesystem", "paths": ["~/Documents/notes/**"]}, False),
        ({"scope": "filesystem", "paths": ["notes"]}, False),
    ],
)
def test_a_permission_that_names_next_to_nothing_is_not_ticked_beforehand(
    permission: dict[str, Any],
    reaches_far: bool,  # noqa: FBT001 - a row of the table
) -> None:
    """A hole: `*.com` and `/home/**` counted as narrow, and were suggested."""
    asked = Permission.model_validate({"key": "x", **permission})
    assert is_broad(asked) is reaches_far


@pytest.mark.parametrize(
    ("command", "runs_anything"),
    [
        ("sh -c", True),
        ("python3.13", True),
        ("CMD.EXE /c", True),
        ("timeout 60 sh -c", True),
        ("env -i LANG=C perl", True),
        ("nice", True),
        ("find", True),
        ("git", True),
        ("tar", True),
        ("rsync -e bash", True),
        ("npx", True),
        ("pdftotext -layout", False),
        ("ledger view", False),
        ("convert", False),
    ],
)
def test_a_program_that_starts_others_is_told_as_one_that_runs_anything(
    command: str,
    runs_anything: bool,  # noqa: FBT001 - a row of the table
) -> None:
    """A hole: a shell behind `timeout 60`, and `find` with its `-exec`, were rated as one harmless program."""
    adapter = {"kind": "cli", "command": command}
    integration = {"key": "x", "provider": "P", "role": "r", "adapter": adapter}
    manifest = Manifest.model_validate({**IDENTITY, "integrations": [integration]})
    [program] = declared_programs(manifest)
    assert program.runs_anything is runs_anything
    reasons = {each.words.key for each in rate(manifest, Verdict.VERIFIED).reasons}
    assert ("review.risk.runs-anything" in reasons) is runs_anything


@pytest.mark.parametrize(("command", "runs_programs"), [({}, False), ({"command": "sync"}, True)])
def test_a_schedule_counts_as_a_program_only_where_it_names_one(
    command: dict[str, str],
    runs_programs: bool,  # noqa: FBT001 - a row of the table
) -> None:
    """A bug: the review said of an app with nothing but a schedule that it includes programs."""
    service = {"key": "daily", "kind": "scheduler", "schedule": "every 1d", **command}
    manifest = Manifest.model_validate({**IDENTITY, "services": [service]})
    reasons = {each.words.key for each in rate(manifest, Verdict.VERIFIED).reasons}
    assert ("review.risk.runs-programs" in reasons) is runs_programs


@pytest.mark.parametrize(
    ("permission", "words"),
    [
        # A request carries data out, whatever its author calls it; and policy does not ask for the method.
        (
            {"scope": "network", "domains": ["a.example.com"], "access": "read"},
            "network.named.change",
        ),
        ({"scope": "network", "access": "read"}, "network.anywhere.change"),
        ({"scope": "tool", "access": "read"}, "tool.change"),
        ({"scope": "secret", "access": "read"}, "secret.change"),
        # Left out, it is held to reading for files alone.
        ({"scope": "storage"}, "storage.change"),
        ({"scope": "workspace"}, "workspace.change"),
        ({"scope": "tenant"}, "tenant.change"),
        ({"scope": "filesystem", "paths": ["~/a/b"]}, "filesystem.named.read"),
        ({"scope": "storage", "access": "read"}, "storage.read"),
    ],
)
def test_a_permission_is_told_by_what_it_lets_an_app_do(
    permission: dict[str, Any], words: str
) -> None:
    """A hole: `access: read` made a site that data may be sent to read as one that data is fetched from."""
    asked = Permission.model_validate({"key": "x", **permission})
    assert in_words(asked).key == f"review.ask.{words}"


def test_what_reaches_an_organisation_or_secrets_is_broad_unless_it_is_held_to_reading() -> None:
    far = {"scope": "tenant"}, {"scope": "secret"}, {"scope": "secret", "access": "read"}
    asked = [Permission.model_validate({"key": "x", **each}) for each in far]
    assert all(map(is_broad, asked))
    held = {"key": "x", "scope": "tenant", "access": "read"}
    assert not is_broad(Permission.model_validate(held))


@pytest.mark.parametrize("plane", ["client-local", "cloud-remote"])
def test_a_service_names_its_program_wherever_it_is_said_to_run(plane: str) -> None:
    """A hole: a service said to run in the cloud kept its program out of the review."""
    service = {"key": "x", "kind": "worker", "executionPlane": plane, "command": "sh -c evil"}
    manifest = Manifest.model_validate({**IDENTITY, "services": [service]})
    assert [each.line for each in declared_programs(manifest)] == ["sh -c evil"]
