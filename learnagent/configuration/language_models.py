"""Which models stand behind the aliases, by the environment: `settings.LLMS`, and `settings.SPEECH` for speech."""

from collections.abc import Mapping
from typing import Any, get_args

from pydantic import SecretStr

from agents.audio.embedded import PIPER, WHISPER, is_installed
from agents.engine.roles import Tier
from agents.llm.prices import FREE, KNOWN_PRICES, Price
from agents.llm.sdk import is_loopback
from learnagent.configuration.environment import Environment
from learnagent.configuration.model_servers import OLLAMA_URL, ModelServer

OFFLINE = {"BACKEND": "agents.llm.offline.OfflineBackend", "OPTIONS": {"pace_s": 0.03}}
ANTHROPIC = "agents.llm.anthropic.AnthropicBackend"
OPENAI = "agents.llm.openai.OpenAIBackend"
SMALL_OPENAI_MODEL = "gpt-5.4-mini"
TRANSCRIBER = "agents.audio.openai.OpenAITranscriber"
SYNTHESIZER = "agents.audio.openai.OpenAISynthesizer"
EMBEDDED = {
    "transcription": ("agents.audio.embedded.WhisperTranscriber", WHISPER),
    "speech": ("agents.audio.embedded.PiperSynthesizer", PIPER),
}


def configured_models(environment: Environment) -> dict[str, list[dict[str, Any]]]:
    """Return alias → its backends with options. Keys stay wrapped, so that whoever prints the settings shows none."""
    servers = environment.LLM_BACKENDS or _only_server(environment)
    prices = _prices(environment)
    asked = {
        alias: [
            _backend(name, server, model, prices)
            for name, server in servers.items()
            if (model := getattr(server, alias))
        ]
        for alias in get_args(Tier)
    }
    return {alias: backends or [OFFLINE] for alias, backends in asked.items()} | {"offline": [OFFLINE]}


def configured_speech(environment: Environment) -> dict[str, list[dict[str, Any]]]:
    """Return what turns speech into words and words into speech, the first choice first, whatever LLM_PROVIDER is."""
    server = {"api_key": environment.OPENAI_API_KEY, "base_url": environment.OPENAI_BASE_URL}
    hearing = server | {"model": environment.OPENAI_TRANSCRIBE_MODEL}
    speaking = server | {"model": environment.OPENAI_SPEECH_MODEL, "voice": environment.OPENAI_SPEECH_VOICE}
    found: dict[str, list[dict[str, Any]]] = {
        "transcription": [{"BACKEND": TRANSCRIBER, "OPTIONS": hearing}] if environment.OPENAI_TRANSCRIBE_MODEL else [],
        "speech": [{"BACKEND": SYNTHESIZER, "OPTIONS": speaking}] if environment.OPENAI_SPEECH_MODEL else [],
    }
    for way, (backend, packages) in EMBEDDED.items():
        if is_installed(packages):
            found[way].append({"BACKEND": backend})
    return found


def _only_server(environment: Environment) -> Mapping[str, ModelServer]:
    """Return the provider of the other variables under its name, without a limit of parallel calls; empty for none."""
    provider = environment.provider
    match provider:
        case "anthropic":
            strong = environment.ANTHROPIC_MODEL
            key, url = environment.ANTHROPIC_API_KEY, environment.ANTHROPIC_BASE_URL
            models = (strong, environment.ANTHROPIC_FAST_MODEL, environment.ANTHROPIC_VISION_MODEL or strong)
        case "openai":
            strong = environment.OPENAI_MODEL
            key, url = environment.OPENAI_API_KEY, environment.OPENAI_BASE_URL
            # Another server has other models: one that is not named there cannot be guessed.
            small = strong if url else SMALL_OPENAI_MODEL
            models = (strong, environment.OPENAI_FAST_MODEL or small, environment.OPENAI_VISION_MODEL or strong)
        case "ollama":
            strong = environment.OLLAMA_MODEL
            key, url, models = SecretStr(""), environment.OLLAMA_BASE_URL, (strong, strong, strong)
        case "offline":
            return {}
    strong, fast, vision = models
    return {
        provider: ModelServer(
            provider=provider, base_url=url, api_key=key, strong=strong, fast=fast, vision=vision, max_parallel=None
        )
    }


def _backend(name: str, server: ModelServer, model: str, prices: Mapping[str, Price]) -> dict[str, Any]:
    options = {"name": name, "model": model, "api_key": server.api_key, "max_parallel": server.max_parallel}
    options |= {"base_url": server.base_url, "price": prices.get(model)}
    if server.provider == "ollama":
        url = server.base_url or OLLAMA_URL
        outside = not is_loopback(url)
        options |= {"base_url": url, "outside": outside, "price": prices.get(model, None if outside else FREE)}
    return {"BACKEND": ANTHROPIC if server.provider == "anthropic" else OPENAI, "OPTIONS": options}


def _prices(environment: Environment) -> dict[str, Price]:
    named = {
        model: Price(input_usd=read, output_usd=written, since=since)
        for model, (read, written, since) in environment.LLM_PRICES.items()
    }
    return KNOWN_PRICES | named
