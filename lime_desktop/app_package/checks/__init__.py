"""Everything about a package that a single field cannot show: one module per subject.

A check is a function from facts to problems. It reads the package's text and runs nothing of it.
"""

from collections.abc import Callable, Iterator
from itertools import islice

from lime_desktop.app_package.checks import (
    api_documents,
    entries,
    file_contents,
    identity,
    installation,
    keys,
    languages,
    lifecycle,
    local_files,
    operations,
    references,
    retention,
    schedules,
    secret_uses,
    services,
    storage,
    triggers,
    workflows,
)
from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.problems import MAX_OF_A_KIND, Problem

CHECKS: tuple[Callable[[PackageFacts], Iterator[Problem]], ...] = (
    identity.check,
    identity.check_dates,
    keys.check_unique,
    keys.check_names,
    entries.check,
    references.check,
    secret_uses.check,
    lifecycle.check,
    api_documents.check,
    api_documents.check_sign_in,
    local_files.check,
    file_contents.check_bypassing,
    services.check,
    workflows.check,
    schedules.check,
    triggers.check,
    storage.check,
    retention.check,
    languages.check,
    operations.check,
    installation.check,
    file_contents.check_credentials,
)


def run_checks(facts: PackageFacts) -> Iterator[Problem]:
    """What the checks find, in the order of the table, and not without end."""
    for check in CHECKS:
        yield from islice(check(facts), MAX_OF_A_KIND)
