"""What is known of a model whose provider only names it: whether one can talk with it, what it can do, how much it reads."""

import re
from collections.abc import Iterable

from lime_desktop.app_server.providers.listed_models import ListedModel
from lime_desktop.network.hosts import is_near
from lime_desktop.protocol.calls.model_providers import ProviderModel
from lime_desktop.protocol.calls.models import ModelCapability, ModelQuality

_NEAR_TOKENS = 32_768
"""A server on this machine or nearby seldom gives a model the whole window it was made for."""

_OTHER_WORK = {
    "embed", "embedding", "embeddings", "rerank", "reranker", "minilm", "bge", "gte", "e5", "clip",
    "whisper", "asr", "tts", "speech", "audio", "transcribe", "realtime", "live", "image", "images",
    "imagen", "dall", "diffusion", "sdxl", "flux", "sora", "veo", "lyria", "video", "moderation",
    "guard", "aqa", "babbage", "davinci", "paraformer", "cosyvoice", "wan", "wanx",
}  # fmt: skip
"""Words in the names of models that embed, rank, hear, speak or paint, and hold no conversation."""

_FAMILIES: tuple[tuple[str, int | None, tuple[ModelCapability, ...]], ...] = (
    (r"gpt-5|gpt-6", 400_000, ("vision", "reasoning")),
    (r"gpt-4\.1", 1_000_000, ("vision",)),
    (r"gpt-4o|gpt-4-turbo", 128_000, ("vision",)),
    (r"gpt-oss", 131_072, ("reasoning",)),
    (r"(^|/)o[134](-|$)", 200_000, ("vision", "reasoning")),
    (r"claude-3-7|claude-(opus|sonnet|haiku|fable)", 200_000, ("vision", "reasoning")),
    (r"claude-3", 200_000, ("vision",)),
    (r"gemini-(1|2\.0)", 1_000_000, ("vision",)),
    (r"gemini-\d", 1_000_000, ("vision", "reasoning")),
    (r"deepseek-(r\d|reasoner)", 64_000, ("reasoning",)),
    (r"deepseek", 64_000, ()),
    (r"qwq|qwen-?3.*thinking", 131_072, ("reasoning",)),
    (r"qwen.*vl", 32_768, ("vision",)),
    (r"qwen-?3|qwen-(max|plus|turbo|flash)", 32_768, ("reasoning",)),
    (r"qwen", 32_768, ()),
    (r"magistral", 40_960, ("reasoning",)),
    (r"pixtral|mistral-(small|medium|large)|ministral", 128_000, ("vision",)),
    (r"mistral|mixtral|codestral|devstral", 32_768, ()),
    (r"llama-?4|llama-?3\.2-?\d*b?-?vision", 128_000, ("vision",)),
    (r"llama-?3\.[1-9]", 128_000, ()),
    (r"llama-?3", 8_192, ()),
    (r"gemma-?3n", 32_768, ()),
    (r"gemma-?[34]", 128_000, ("vision",)),
    (r"gemma", 8_192, ()),
    (r"grok-(3-mini|4)", 131_072, ("vision", "reasoning")),
    (r"grok", 131_072, ()),
    (r"glm-(4\.[5-9]|5)", 128_000, ("reasoning",)),
    (r"kimi|moonshot", 128_000, ()),
    (r"llava|minicpm-v|internvl|moondream", 4_096, ("vision",)),
    (r"phi-?[34]", 16_384, ()),
    (r"vision|-vl", None, ("vision",)),
    (r"thinking|reason", None, ("reasoning",)),
)
"""Names as makers and servers spell them, how much such a model reads, and what it can do beside talking. The first
that fits counts; a window is rather too small than too large, since one that is too large is only noticed by failing."""


_STATED_SIZE = re.compile(r"(?<![a-z0-9.])(\d{1,4}(?:\.\d{1,3})?)([bm])(?![a-z0-9])")
"""How many weights a name states, as `1.5b` or `135m`."""
_DEMO_BELOW = 0.8
_SMALL_BELOW = 4.0
"""In billions of weights. Who is named below the first writes fluent nonsense, below the second simple answers."""


def quality_of(model_id: str) -> ModelQuality:
    """How far a model can be trusted by the size that its name states; one that states none is taken at its word."""
    stated = _STATED_SIZE.search(model_id.lower())
    if stated is None:
        return "standard"
    billions = float(stated[1]) * (0.001 if stated[2] == "m" else 1)
    if billions < _DEMO_BELOW:
        return "demo"
    return "small" if billions < _SMALL_BELOW else "standard"


_FIRST_CHOICES = (
    r"^gpt-5-mini$|^gpt-5$|^gpt-4\.1-mini$|^gpt-4o-mini$",
    r"^claude-(sonnet|haiku)|^claude-.*sonnet",
    r"^gemini-[\d.]+-flash$|^gemini-flash-latest$",
    r"^deepseek-chat$",
    r"^qwen-plus$",
    r"^openai/gpt-5-mini$|^anthropic/claude-sonnet",
)
"""What most people want of a provider that names dozens: able, quick and not its dearest."""


def first_choices(model_ids: Iterable[str]) -> tuple[str, ...]:
    """The models of a list, with those first that most people want, and demos last; else in its own order."""

    def order(model_id: str) -> tuple[bool, int]:
        wanted = (n for n, known in enumerate(_FIRST_CHOICES) if re.search(known, model_id))
        return quality_of(model_id) == "demo", next(wanted, len(_FIRST_CHOICES))

    return tuple(sorted(model_ids, key=order))


def is_chat(listed: ListedModel) -> bool:
    """Whether one can talk with it: as its provider says, or by its name."""
    if listed.is_chat is not None:
        return listed.is_chat
    words = re.split(r"[^a-z0-9]+", listed.model_id.lower())
    return _OTHER_WORK.isdisjoint(words)


def described(listed: ListedModel, base_url: str, kept: ProviderModel | None) -> ProviderModel:
    """The model with everything that is known of it; what the person set stays."""
    plain = ProviderModel(model_id=listed.model_id)
    kept = kept or plain
    found: dict[str, object] = {}
    if kept.context_tokens is None:
        found["context_tokens"] = _window(listed, base_url)
    if kept.capabilities == plain.capabilities:
        found["capabilities"] = _capabilities(listed, plain.capabilities)
    return kept.model_copy(update=found)


def _capabilities(
    listed: ListedModel, usual: tuple[ModelCapability, ...]
) -> tuple[ModelCapability, ...]:
    _, more = _family(listed.model_id)
    can: dict[ModelCapability, bool] = {**dict.fromkeys((*usual, *more), True), **listed.can}
    return tuple(name for name, is_able in can.items() if is_able)


def _window(listed: ListedModel, base_url: str) -> int | None:
    if listed.context_tokens is not None:
        return listed.context_tokens
    known = _published(listed.model_id, base_url) or _family(listed.model_id)[0]
    return min(known, _NEAR_TOKENS) if known and is_near(base_url) else known


def _published(model_id: str, base_url: str) -> int | None:
    """What is published along with the prices of this provider."""
    try:
        # Large, and a part of the engines: loaded only where a list is read.
        from genai_prices.data_snapshot import get_snapshot  # noqa: PLC0415

        _, found = get_snapshot().find_provider_model(model_id, None, None, base_url)
    except (ImportError, LookupError):
        return None
    return found.context_window


def _family(model_id: str) -> tuple[int | None, tuple[ModelCapability, ...]]:
    name = model_id.lower()
    fitting = ((window, can) for pattern, window, can in _FAMILIES if re.search(pattern, name))
    return next(fitting, (None, ()))
