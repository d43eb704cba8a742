"""A provider's own list of models, read for what it tells of each. Every maker of servers tells it in a place of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import AliasChoices, AliasPath, BaseModel, Field, JsonValue, ValidationError

from lime_desktop.protocol.calls.models import ModelCapability

_MAX_ID = 256


@dataclass(frozen=True, slots=True)
class ListedModel:
    """One model of a list; what the provider does not say is absent."""

    model_id: str
    context_tokens: int | None = None
    can: dict[ModelCapability, bool] = field(default_factory=dict[ModelCapability, bool])
    is_chat: bool | None = None


def read_listed(entry: Mapping[str, JsonValue], id_field: str) -> ListedModel | None:
    """One entry of a list; none where its id will not do.

    Raises:
        KeyError, TypeError: it is no entry of such a list.
    """
    model_id = str(entry[id_field]).removeprefix("models/")
    if not 0 < len(model_id) <= _MAX_ID:
        return None
    try:
        told = _Told.model_validate(entry)
    except ValidationError:
        return ListedModel(model_id)
    return ListedModel(model_id, told.context_tokens, told.abilities(), told.is_chat())


class _Told(BaseModel):
    """Where servers tell it: OpenRouter, vLLM, Groq, Mistral, LM Studio, llama.cpp, Together, Google, Anthropic."""

    context_tokens: int | None = Field(
        default=None,
        gt=0,
        validation_alias=AliasChoices(
            "max_model_len",
            "context_length",
            "context_window",
            "max_context_length",
            "inputTokenLimit",
            "max_input_tokens",
            AliasPath("meta", "n_ctx"),
            AliasPath("meta", "n_ctx_train"),
        ),
    )
    reads: list[str] | None = Field(
        default=None, validation_alias=AliasPath("architecture", "input_modalities")
    )
    parameters: list[str] | None = Field(default=None, validation_alias="supported_parameters")
    has_vision: bool | None = Field(
        default=None,
        validation_alias=AliasChoices(
            AliasPath("capabilities", "vision"),
            AliasPath("capabilities", "image_input", "supported"),
        ),
    )
    thinks: bool | None = Field(
        default=None,
        validation_alias=AliasChoices(
            "thinking",
            AliasPath("capabilities", "reasoning"),
            AliasPath("capabilities", "thinking", "supported"),
        ),
    )
    calls: bool | None = Field(
        default=None, validation_alias=AliasPath("capabilities", "function_calling")
    )
    chats: bool | None = Field(
        default=None, validation_alias=AliasPath("capabilities", "completion_chat")
    )
    methods: list[str] | None = Field(default=None, validation_alias="supportedGenerationMethods")
    kind: str | None = Field(default=None, validation_alias="type")

    def abilities(self) -> dict[ModelCapability, bool]:
        """What it can and cannot do, as far as that is told."""
        told: dict[ModelCapability, bool | None] = {
            "vision": "image" in self.reads if self.reads is not None else self.has_vision,
            "reasoning": _among(self.parameters, "reasoning", self.thinks),
            "tools": _among(self.parameters, "tools", self.calls),
        }
        return {name: is_so for name, is_so in told.items() if is_so is not None}

    def is_chat(self) -> bool | None:
        """Whether one can talk with it."""
        if self.kind is not None and self.kind.startswith(
            ("embedding", "rerank", "image", "audio")
        ):
            return False
        return _among(self.methods, "generateContent", self.chats)


def _among(told: list[str] | None, name: str, otherwise: bool | None) -> bool | None:  # noqa: FBT001 - what else is told
    return name in told if told is not None else otherwise
