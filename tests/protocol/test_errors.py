"""The catalogue of expected failures is complete, ordered, and survives a trip between processes."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from lime_desktop.protocol import errors
from lime_desktop.protocol.errors import ALL_ERRORS, RANGES, AppError, InvalidInput, UnknownError
from lime_desktop.protocol.errors.root import ErrorData
from lime_desktop.protocol.wire import WireModel

SDK_STABLE_CODE = {
    "APP_RUNTIME_UNSUPPORTED": "capability_unavailable",
    "CAPABILITY_BLOCKED": "capability_unavailable",
    "CAPABILITY_NOT_DECLARED": "capability_unavailable",
    "ENTRY_NOT_FOUND": "readiness_blocked",
    "FEATURE_DISABLED": "capability_unavailable",
    "HOST_ACTION_FAILED": "upstream_failed",
    "INVALID_CAPABILITY_INPUT": "schema_invalid",
    "INVALID_PAYLOAD": "schema_invalid",
    "PERMISSION_DENIED": "permission_denied",
    "POLICY_DENIED": "policy_denied",
    "READINESS_BLOCKED": "readiness_blocked",
    "SECRET_REQUIRED": "secret_required",
    "SOURCE_UNVERIFIED": "source_unverified",
    "STORAGE_KEY_NOT_FOUND": "conflict",
    "TASK_NOT_FOUND": "conflict",
    "TIMEOUT": "timeout",
    "UI_ENTRY_UNSUPPORTED": "capability_unavailable",
    "UNSUPPORTED_CAPABILITY": "capability_unavailable",
    "UNSUPPORTED_CAPABILITY_METHOD": "capability_unavailable",
    "UNTRUSTED_URL": "policy_denied",
    "WORKFLOW_POLICY_VIOLATION": "policy_denied",
    "WORKFLOW_RUNTIME_DISABLED": "capability_unavailable",
}
"""What the published SDK makes of each cause it knows."""

CAUSES_THE_SDK_LACKS = {
    "CANCELLED": "cancelled",
    "CONFLICT": "conflict",
    "UNKNOWN_MESSAGE": "schema_invalid",
}
"""It has no cause for these; `stableCode` beside them keeps them from becoming upstream_failed."""

EXAMPLE_CATALOGUE = {
    "APP_E001": "CapabilityNotAvailable",
    "APP_E002": "PermissionDenied",
    "APP_E003": "KnowledgeNotBound",
    "APP_E004": "SdkVersionMismatch",
    "APP_E101": "TaskFailed",
    "APP_E102": "TaskTimedOut",
    "APP_E103": "TaskCancelled",
    "APP_E104": "CostLimitExceeded",
    "APP_E201": "StorageQuotaExceeded",
    "APP_E202": "StorageMigrationRequired",
    "APP_E203": "StorageSchemaMismatch",
    "APP_E301": "WorkflowInvalidState",
    "APP_E302": "WorkflowReviewTimedOut",
    "APP_E999": "UnknownError",
}

LOCALES = Path(__file__).parents[2] / "resources/locales"
TEXTS: dict[str, dict[str, str]] = {
    each: json.loads((LOCALES / f"{each}.json").read_text("utf-8")) for each in ("en", "zh-CN")
}

every_error = pytest.mark.parametrize("error", ALL_ERRORS, ids=lambda error: error.__name__)


def _leaves(branch: type[AppError]) -> set[type[AppError]]:
    return {leaf for child in branch.__subclasses__() for leaf in _leaves(child)} or {branch}


def test_every_class_of_the_tree_is_listed_once() -> None:
    """Ours: a class that nobody listed has no reference entry and cannot be rebuilt."""
    assert _leaves(AppError) == set(ALL_ERRORS)
    assert len(set(ALL_ERRORS)) == len(ALL_ERRORS)


def test_codes_are_unique_and_in_order() -> None:
    """Ours."""
    codes = [error.code for error in ALL_ERRORS]
    assert codes == sorted(set(codes))


@every_error
def test_what_to_do_is_said_in_every_language_of_the_window(error: type[AppError]) -> None:
    """English is written once more in its file: the two may not say different things."""
    key = f"error.action.{error.code}"
    assert TEXTS["en"][key] == error.user_action
    assert not TEXTS["zh-CN"][key].isascii()


@every_error
def test_a_code_lies_in_the_range_of_its_branch(error: type[AppError]) -> None:
    """The standard fixes the ranges."""
    digit = dict(zip(RANGES, "01239", strict=True))
    assert re.fullmatch(r"APP_E\d{3}", error.code)
    assert error.code[5] == next(digit[branch] for branch in RANGES if issubclass(error, branch))


@pytest.mark.parametrize(("code", "name"), EXAMPLE_CATALOGUE.items())
def test_codes_that_the_standard_names_keep_their_meaning(code: str, name: str) -> None:
    """The standard's example catalogue."""
    assert errors.error_for_code(code).__name__ == name


@every_error
def test_an_error_says_what_it_means_and_what_to_do(error: type[AppError]) -> None:
    """The standard: a person sees the action, and the calling program has a way on."""
    assert error.__doc__
    assert error.__doc__ != AppError.__doc__
    assert error.user_action
    assert error.recovery
    assert error.retryable or error.max_retries is None


@every_error
def test_the_published_sdk_understands_the_cause(error: type[AppError]) -> None:
    """The published SDK: cause and stable code must tell the same story."""
    known = SDK_STABLE_CODE | CAUSES_THE_SDK_LACKS
    assert known[error.sdk_code] == error.stable_code


def test_the_tree_in_the_docstring_names_every_class_and_code() -> None:
    """Ours: the drawing is what a newcomer reads first."""
    drawn = re.findall(r"── (\w+) +(\d{3})\n", errors.__doc__ or "")
    assert drawn == [(error.__name__, error.code[5:]) for error in ALL_ERRORS]


@every_error
def test_an_error_survives_the_trip_to_another_process(error: type[AppError]) -> None:
    """Ours: `except TaskFailed` works across processes."""
    sent = error("It went wrong", details={"taskId": "t1"}, trace_id="trace-1")
    with pytest.raises(error) as caught:
        raise errors.error_from_data(sent.to_data())
    assert caught.value.to_data() == sent.to_data()


def test_absent_facts_are_left_out_of_the_data() -> None:
    """Ours: a reader tests for presence, never for null."""
    assert errors.EntryNotFound("No entry called x").to_data() == ErrorData(
        code="APP_E008",
        stableCode="readiness_blocked",
        sdkCode="ENTRY_NOT_FOUND",
        message="No entry called x",
        userAction="Open the app from its start page",
        recovery="Use an entry key that the manifest declares",
        retryable=False,
    )


@pytest.mark.requirement("APP-42")
def test_a_retry_limit_travels() -> None:
    """The standard: maxRetries."""
    assert errors.TaskFailed("x").to_data().get("maxRetries") == 3


def test_a_code_of_a_newer_program_is_an_unknown_error() -> None:
    """Ours."""
    assert errors.error_for_code("APP_E998") is UnknownError


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["code", "message", "details", "traceId", "x"]), inner
            )
        ),
    )
)
def test_any_data_rebuilds_to_some_error(data: object) -> None:
    """Ours: the other process may be another program."""
    assert isinstance(errors.error_from_data(data).to_data(), dict)


class _Login(WireModel):
    user_name: str
    password: int


def test_a_validation_failure_names_fields_and_never_values() -> None:
    """Ours: an argument may be a secret."""
    with pytest.raises(ValidationError) as refused:
        _Login.model_validate({"password": "hunter2"})
    error = InvalidInput.from_validation(refused.value)
    assert error.message == "The input is not valid: password, userName"
    assert error.details == {
        "fields": [
            {"path": "userName", "problem": "missing"},
            {"path": "password", "problem": "int_parsing"},
        ]
    }


def test_a_validation_failure_writes_no_alternatives_out() -> None:
    """A bug: an unknown event type was refused with the names of all others as its path."""

    class Choice(WireModel):
        chosen: Literal["a", "b", "c"] | list[int]

    with pytest.raises(ValidationError) as refused:
        Choice.model_validate({"chosen": "d"})
    details = InvalidInput.from_validation(refused.value).details
    assert details == {
        "fields": [
            {"path": "chosen", "problem": "literal_error"},
            {"path": "chosen", "problem": "list_type"},
        ]
    }


def test_a_validation_failure_stays_small_whatever_the_input() -> None:
    """Ours: the answer to a hostile message is bounded."""
    error = InvalidInput.at_fields((f"{n}" + "x" * 10_000, "missing") for n in range(1_000))
    assert len(str(error.to_data())) < 10_000


def test_a_wrong_input_as_a_whole_is_named_so() -> None:
    """Ours."""
    assert InvalidInput.at_fields([("", "model_type")]).message == (
        "The input is not valid: (the whole input)"
    )


def test_importing_the_catalogue_costs_no_models(repository: Path) -> None:
    """Ours: every command imports it, so start-up pays for it."""
    heavy = "[m for m in sys.modules if m == 'pydantic' or m.startswith('lime_desktop.protocol.')]"
    script = f"import sys; import lime_desktop.protocol.errors; print({heavy})"
    run = subprocess.run(  # noqa: S603 - our own interpreter and our own text
        [sys.executable, "-c", script], cwd=repository, capture_output=True, text=True, check=True
    )
    loaded = re.findall(r"'([\w.]+)'", run.stdout)
    assert [name for name in loaded if not name.startswith("lime_desktop.protocol.errors")] == []
