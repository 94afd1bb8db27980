"""Which models stand behind the aliases, by the environment: `settings.LLMS`, and `settings.SPEECH` for speech."""

from typing import Any

from agents.audio.embedded import PIPER, WHISPER, is_installed
from agents.llm.prices import FREE, KNOWN_PRICES, Price
from agents.llm.sdk import is_loopback
from learnagent.configuration.environment import Environment

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


def configured_models(environment: Environment) -> dict[str, dict[str, Any]]:
    """Return alias → backend and options. Keys stay wrapped, so that whoever prints the settings shows none."""
    match environment.provider:
        case "anthropic":
            backend, models = ANTHROPIC, _anthropic_models(environment)
            options = {"api_key": environment.ANTHROPIC_API_KEY, "base_url": environment.ANTHROPIC_BASE_URL}
        case "openai":
            backend, models = OPENAI, _openai_models(environment)
            options = {"api_key": environment.OPENAI_API_KEY, "base_url": environment.OPENAI_BASE_URL}
        case "ollama":
            backend, models = OPENAI, dict.fromkeys(("strong", "fast", "vision"), environment.OLLAMA_MODEL)
            outside = not is_loopback(environment.OLLAMA_BASE_URL)
            options = {"base_url": environment.OLLAMA_BASE_URL, "name": "ollama", "outside": outside}
        case "offline":
            return dict.fromkeys(("strong", "fast", "vision", "offline"), OFFLINE)
    prices = _prices(environment)
    unknown = FREE if options.get("outside") is False else None
    asked = {
        alias: {"BACKEND": backend, "OPTIONS": options | {"model": model, "price": prices.get(model, unknown)}}
        for alias, model in models.items()
    }
    return asked | {"offline": OFFLINE}


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


def _anthropic_models(environment: Environment) -> dict[str, str]:
    strong = environment.ANTHROPIC_MODEL
    return {
        "strong": strong,
        "fast": environment.ANTHROPIC_FAST_MODEL,
        "vision": environment.ANTHROPIC_VISION_MODEL or strong,
    }


def _openai_models(environment: Environment) -> dict[str, str]:
    strong = environment.OPENAI_MODEL
    # Another server has other models: one that is not named there cannot be guessed.
    small = strong if environment.OPENAI_BASE_URL else SMALL_OPENAI_MODEL
    return {
        "strong": strong,
        "fast": environment.OPENAI_FAST_MODEL or small,
        "vision": environment.OPENAI_VISION_MODEL or strong,
    }


def _prices(environment: Environment) -> dict[str, Price]:
    named = {
        model: Price(input_usd=read, output_usd=written, since=since)
        for model, (read, written, since) in environment.LLM_PRICES.items()
    }
    return KNOWN_PRICES | named
