"""modelProvider/* and modelProviderKey/*: where models come from. Keys go in here and never come out."""

from typing import Annotated, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from lime_desktop.network.hosts import is_near
from lime_desktop.protocol.calls.models import ModelCapability, ModelObstacle, TokenPrice
from lime_desktop.protocol.errors import UnfitValue
from lime_desktop.protocol.ids import NonEmpty, Timestamp
from lime_desktop.protocol.task_events import Cost, TokenUsage
from lime_desktop.protocol.wire import HostOnlyParams, Maybe, Method, SecretText, WireModel

ProviderProtocol: TypeAlias = Literal["openai-compatible", "anthropic-compatible", "gemini-native"]
PROVIDER_ID = r"^[a-z0-9][a-z0-9._-]{0,63}$"
ProviderId: TypeAlias = Annotated[str, Field(pattern=PROVIDER_ID)]


def _plain_address(text: str) -> str:
    """An http(s) address with nothing in it that is no address."""
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise UnfitValue("not an http or https address")
    if parts.username or parts.password:
        raise UnfitValue("credentials do not belong in an address")
    if parts.query or parts.fragment:
        raise UnfitValue("a query does not belong in an address")
    return text.rstrip("/")


def _base_address(text: str) -> str:
    address = _plain_address(text)
    if address.startswith("http://") and not is_near(address):
        raise UnfitValue("a key would travel unencrypted: use https")
    return address


class ProviderModel(WireModel):
    """A model as its provider is known to offer it."""

    model_id: NonEmpty[str]
    title: Maybe[str] = None
    capabilities: tuple[ModelCapability, ...] = ("text", "tools", "structured_output")
    context_tokens: Maybe[int] = Field(default=None, gt=0)
    max_output_tokens: Maybe[int] = Field(default=None, gt=0)
    price: Maybe[TokenPrice] = None
    """What the user pays; where absent, published prices are used if they are known."""
    latency: Literal["fast", "normal", "slow"] = "normal"


class NetworkSettings(WireModel):
    """How to reach the provider from here."""

    proxy_url: Maybe[Annotated[str, AfterValidator(_plain_address)]] = None
    ca_file: Maybe[NonEmpty[str]] = Field(default=None, max_length=4_096)
    """Certificates to trust beside the usual ones, as a PEM file."""
    connect_timeout_s: float = Field(default=10.0, gt=0, le=120)
    silence_timeout_s: float = Field(default=120.0, gt=0, le=600)
    """How long a stream may say nothing."""


class ProviderLimits(WireModel):
    """How much may be asked of the provider."""

    monthly_cost: Maybe[Cost] = None
    """In US dollars. Reached, its models stop until the month is over or the limit is raised."""
    task_cost: Maybe[Cost] = None
    """The most one task may cost, where the task itself allows no less."""
    requests_per_minute: Maybe[int] = Field(default=None, ge=1)
    max_retries: int = Field(default=3, ge=0, le=10)
    """How often a round is asked again after a failure that may pass."""
    max_retry_wait_s: float = Field(default=60.0, ge=0, le=600)
    """A provider that wants a longer wait than this is given up."""


class ProviderSettings(WireModel):
    """Everything about a provider but its key."""

    title: Annotated[str, Field(min_length=1, max_length=200)]
    protocol: ProviderProtocol
    base_url: Annotated[str, Field(max_length=2_000), AfterValidator(_base_address)]
    is_enabled: bool = True
    needs_key: bool = True
    rank: int = Field(default=100, ge=0, le=500)
    """The user's order among providers: lower is preferred."""
    models: tuple[ProviderModel, ...] = Field(default=(), max_length=1_000)
    """The first is what a turn gets that names none."""
    network: NetworkSettings = Field(default_factory=NetworkSettings)
    limits: ProviderLimits = Field(default_factory=ProviderLimits)


class ProviderUsage(WireModel):
    """What was used of a provider in a month."""

    month: str
    """As `2026-11`, in UTC."""
    requests: int = 0
    usage: TokenUsage = Field(default_factory=TokenUsage)
    cost: Cost = Field(default_factory=lambda: Cost(amount=0))
    unpriced_requests: int = 0
    """Requests whose price nobody knows; they are missing from `cost`."""


class ModelProvider(WireModel):
    """A provider as it is set up."""

    provider_id: ProviderId
    settings: ProviderSettings
    has_key: bool
    key_place: Maybe[Literal["keyring", "sealed-file"]] = None
    """Where the key lies. Nothing of the key itself is ever told."""
    obstacle: Maybe[ModelObstacle] = None
    """Why it cannot be used now."""
    answered_at: Maybe[Timestamp] = None
    """When it last answered, at this address and with this key. None: nobody has tried yet."""
    month: ProviderUsage
    created_at: Timestamp
    updated_at: Timestamp


class ProviderPreset(WireModel):
    """A provider that is known well enough to set it up by choosing it."""

    preset_id: ProviderId
    settings: ProviderSettings
    about: str
    key_page: Maybe[str] = None
    """Where a person gets a key."""


class ListProvidersParams(HostOnlyParams):
    """List the providers that are set up, in the user's order."""


class ListProvidersResult(WireModel):
    """What is set up, and what could be."""

    providers: tuple[ModelProvider, ...]
    presets: tuple[ProviderPreset, ...]


class ProviderParams(HostOnlyParams):
    """Name a provider."""

    provider_id: ProviderId


class CreateProviderParams(HostOnlyParams):
    """Set a provider up, from a preset or by hand. It has no key yet."""

    provider_id: ProviderId
    preset_id: ProviderId | None = None
    """Takes the preset's settings where none are given."""
    settings: ProviderSettings | None = None


class UpdateProviderParams(ProviderParams):
    """Replace a provider's settings. Its key stays, unless the address changes: a key belongs to an address."""

    settings: ProviderSettings
    replaces: ProviderSettings | None = None
    """What the caller had read. Where somebody else has changed it since, the update is refused (`Conflict`)."""


class ProviderResult(WireModel):
    """The provider as it is now."""

    provider: ModelProvider


class DeleteProviderResult(WireModel):
    """Whether there was one."""

    was_set_up: bool


class ConnectionTestParams(ProviderParams):
    """Ask the provider something small, and say what came of it."""

    model_id: NonEmpty[str] | None = None


class ConnectionTestResult(WireModel):
    """What came of it."""

    status: Literal["ok", "failed"]
    reason_code: Maybe[str] = None
    message: str
    setup_action: Maybe[str] = None
    latency_ms: int = Field(ge=0)
    model_ids: tuple[str, ...] = ()
    """The models that it names, where it can say."""


class FetchModelsParams(ProviderParams):
    """Ask the provider which models it has."""

    save: bool = False
    """Keep those it names; what is known about a kept model stays."""


class FetchModelsResult(WireModel):
    """Their ids, and the provider with those that were kept."""

    model_ids: tuple[str, ...]
    provider: ModelProvider


class FoundServer(WireModel):
    """A model server that runs on this machine."""

    preset_id: ProviderId
    title: str
    base_url: str
    model_ids: tuple[str, ...] = ()
    """Those one can talk with, best first; none where it runs and holds none yet."""
    is_set_up: bool = False
    """Whether a provider with this address is there already."""


class FindServersResult(WireModel):
    """Those that answered."""

    servers: tuple[FoundServer, ...]


class CreateKeyParams(ProviderParams):
    """Keep a provider's key."""

    key: SecretText


LIST_PROVIDERS = Method("modelProvider/list", ListProvidersParams, ListProvidersResult)
CREATE_PROVIDER = Method("modelProvider/create", CreateProviderParams, ProviderResult)
UPDATE_PROVIDER = Method("modelProvider/update", UpdateProviderParams, ProviderResult)
DELETE_PROVIDER = Method(
    "modelProvider/delete", ProviderParams, DeleteProviderResult, "Remove a provider and its key."
)
TEST_CONNECTION = Method("modelProvider/testConnection", ConnectionTestParams, ConnectionTestResult)
FETCH_MODELS = Method("modelProvider/fetchModels", FetchModelsParams, FetchModelsResult)
FIND_SERVERS = Method(
    "modelProvider/findServers",
    HostOnlyParams,
    FindServersResult,
    "Look for model servers at their usual places on this machine, and nowhere else.",
)
UPDATE_PROVIDER_KEY = Method(
    "modelProviderKey/update",
    CreateKeyParams,
    ProviderResult,
    "Keep a provider's key; an earlier one is forgotten.",
)
