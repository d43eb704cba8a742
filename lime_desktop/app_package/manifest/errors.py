"""The app's own error codes."""

from typing import Annotated

from pydantic import Field

from lime_desktop.app_package.manifest.values import ManifestModel, Text


class ErrorDeclaration(ManifestModel):
    """One error: its stable code, what to tell the user, and whether to try again."""

    code: Text
    message: str | None = None
    recovery: str | None = None
    user_action: str | None = None
    retryable: bool | None = None
    max_retries: Annotated[int, Field(ge=0)] | None = None
