"""The providers we know: their addresses, so that setting one up is a choice and a key."""

from lime_desktop.protocol.calls.model_providers import (
    ProviderPreset,
    ProviderProtocol,
    ProviderSettings,
)


def _preset(
    preset_id: str,
    title: str,
    base_url: str,
    about: str,
    protocol: ProviderProtocol = "openai-compatible",
    key_page: str | None = None,
) -> ProviderPreset:
    settings = ProviderSettings(
        title=title, protocol=protocol, base_url=base_url, needs_key=key_page is not None
    )
    return ProviderPreset(preset_id=preset_id, settings=settings, about=about, key_page=key_page)


PRESETS = (
    _preset(
        "openai",
        "OpenAI",
        "https://api.openai.com/v1",
        "GPT models, paid by use.",
        key_page="https://platform.openai.com/api-keys",
    ),
    _preset(
        "anthropic",
        "Anthropic",
        "https://api.anthropic.com",
        "Claude models, paid by use.",
        "anthropic-compatible",
        "https://console.anthropic.com/settings/keys",
    ),
    _preset(
        "google",
        "Google Gemini",
        "https://generativelanguage.googleapis.com",
        "Gemini models, with a free tier.",
        "gemini-native",
        "https://aistudio.google.com/apikey",
    ),
    _preset(
        "deepseek",
        "DeepSeek",
        "https://api.deepseek.com/v1",
        "DeepSeek models, paid by use.",
        key_page="https://platform.deepseek.com/api_keys",
    ),
    _preset(
        "qwen",
        "Qwen (DashScope)",
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        "Qwen models by Alibaba Cloud, paid by use.",
        key_page="https://bailian.console.aliyun.com",
    ),
    _preset(
        "openrouter",
        "OpenRouter",
        "https://openrouter.ai/api/v1",
        "Models of many makers behind one key.",
        key_page="https://openrouter.ai/keys",
    ),
    _preset(
        "ollama",
        "Ollama",
        "http://127.0.0.1:11434/v1",
        "Models on this machine, run by Ollama.",
    ),
    _preset(
        "lm-studio",
        "LM Studio",
        "http://127.0.0.1:1234/v1",
        "Models on this machine, run by LM Studio.",
    ),
    _preset(
        "llama-cpp",
        "llama.cpp server",
        "http://127.0.0.1:8080/v1",
        "Models on this machine, run by llama-server.",
    ),
)
